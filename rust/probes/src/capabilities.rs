//! What this kernel and process can do with BPF, piece by piece.

use crate::cause::{Cause, diagnose};
use crate::host::Host;
use crate::maps::Maps;
use crate::programs::{Part, Programs};

/// Whether a piece is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// It loaded.
    Available,
    /// It didn't, and why.
    Missing(Cause),
}

/// One thing that the kernel may offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Stable name.
    pub name: &'static str,
    /// What it is good for.
    pub purpose: &'static str,
    /// Whether it is there.
    pub support: Support,
}

/// The host's facts and every piece.
#[derive(Clone, Debug)]
pub struct Capabilities {
    /// What surrounds this process.
    pub host: Host,
    /// In the order of preference.
    pub pieces: Vec<Piece>,
}

impl Capabilities {
    /// Loads every program once and unloads it again; takes about 0.1 s of CPU time.
    #[must_use]
    pub fn probe() -> Self {
        let host = Host::probe();
        let support = supports(&host);
        let piece = |part: Part, purpose| Piece {
            name: part.name(),
            purpose,
            support: support(part),
        };
        let stats = match host.may_enable_stats() {
            true => Support::Available,
            false => Support::Missing(Cause::Capability(vec!["CAP_SYS_ADMIN"])),
        };
        let pieces = vec![
            piece(Part::WalkCss, "reads a v2 tree under RCU (tier A)"),
            piece(Part::WalkCss1, "reads a v1 hierarchy under RCU (tier A)"),
            piece(
                Part::WalkIter,
                "reads v1 hierarchies and v2 trees by the cgroup iterator (tier B)",
            ),
            piece(Part::Flush, "makes v2 CPU usage current before a walk"),
            Piece {
                name: "stats",
                purpose: "measures what the programs cost",
                support: stats,
            },
        ];
        Self { host, pieces }
    }
}

/// Loads every program and answers for each part.
fn supports(host: &Host) -> impl Fn(Part) -> Support + use<> {
    let mut programs = Programs::default();
    let no_maps = match Maps::create(1) {
        Ok(maps) => {
            programs.load(host, &maps, &Part::ALL);
            None
        }
        Err(failure) => Some(diagnose(host, &failure)),
    };
    move |part| {
        let cause = programs.missing(part).map(|missing| missing.cause.clone());
        match no_maps.clone().or(cause) {
            Some(cause) => Support::Missing(cause),
            None => Support::Available,
        }
    }
}
