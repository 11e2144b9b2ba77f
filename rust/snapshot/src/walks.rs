//! Which hierarchies BPF walks, and why not.

use koord_cgroup::Version;
use koord_probes::{CollectError, Snapshot};

use crate::hierarchy::{HierarchyReader, Walk};
use crate::source::Means;

/// The best tier to use; what it lacks comes from the next one below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tier {
    #[default]
    Auto,
    BpfCss,
    BpfIter,
    Files,
}

/// Loads BPF and prepares a walk of each hierarchy, or notes in it why there is none.
pub fn attach(tier: Tier, hierarchies: &mut [HierarchyReader]) -> Option<Snapshot> {
    let best = match tier {
        Tier::Files => {
            note(hierarchies, "tier files was asked for");
            return None;
        }
        Tier::BpfIter => koord_probes::Tier::Iterator,
        Tier::Auto | Tier::BpfCss => koord_probes::Tier::Css,
    };
    let options = koord_probes::Options {
        best,
        ..koord_probes::Options::default()
    };
    let versions: Vec<_> = hierarchies
        .iter()
        .map(|reader| match reader.hierarchy.version {
            Version::V1 => koord_probes::Version::V1,
            Version::V2 => koord_probes::Version::V2,
        })
        .collect();
    let mut snapshot = match Snapshot::open(options, &versions) {
        Ok(snapshot) => snapshot,
        Err(cause) => {
            note(hierarchies, &cause.to_string());
            return None;
        }
    };
    for reader in hierarchies {
        match attach_one(&mut snapshot, reader) {
            Ok(walk) => {
                let (_, missing) = snapshot.tier(walk.id);
                reader.reason = match (best, missing) {
                    (koord_probes::Tier::Iterator, _) => "tier bpf-iter was asked for".to_owned(),
                    (koord_probes::Tier::Css, Some(missing)) => missing.cause.to_string(),
                    (koord_probes::Tier::Css, None) => String::new(),
                };
                reader.walk = Some(walk);
            }
            Err(cause) => reader.reason = cause,
        }
    }
    Some(snapshot)
}

fn attach_one(snapshot: &mut Snapshot, reader: &HierarchyReader) -> Result<Walk, String> {
    let hierarchy =
        koord_probes::Hierarchy::open(&reader.hierarchy.root).map_err(|error| error.to_string())?;
    let id = snapshot.attach(hierarchy).map_err(|error| match error {
        CollectError::NoWalk { cause, .. } => cause.to_string(),
        other => other.to_string(),
    })?;
    let means = match snapshot.tier(id).0 {
        koord_probes::Tier::Css => Means::BpfCss,
        koord_probes::Tier::Iterator => Means::BpfIter,
    };
    Ok(Walk { id, means })
}

fn note(hierarchies: &mut [HierarchyReader], reason: &str) {
    for reader in hierarchies {
        reason.clone_into(&mut reader.reason);
    }
}
