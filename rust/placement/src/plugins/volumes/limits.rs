//! NodeVolumeLimits: how many volumes of a CSI driver a node can attach.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{check_owner, claim_not_found, class_of, find_claim, migration, unresolvable};
use crate::api::{CsiNode, PersistentVolumeClaim};
use crate::framework::{Code, NodeFilter, Plugin, PreFilter, Reads, Rejection, Verdict};
use crate::shape::{Claim, Shape};
use crate::snapshot::{NodeId, Snapshot};

pub struct NodeVolumeLimits;

struct Filter(Arc<Shape>);

/// (driver, handle) of distinct volumes.
type Attached = BTreeMap<(String, String), ()>;

impl NodeFilter for Filter {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        let name = &**snapshot.nodes.name(node);
        let csi_node = snapshot.storage.csi_nodes.get(name);
        let mut new = Attached::new();
        collect(snapshot, &self.0, csi_node, true, &mut new)?;
        if new.is_empty() {
            return Ok(());
        }
        let limits = limits(csi_node);
        if limits.is_empty() {
            return Ok(());
        }
        let mut held = Attached::new();
        for residents in &snapshot.nodes.residents[node.index()] {
            collect(snapshot, &residents.shape, csi_node, false, &mut held)?;
        }
        held.extend(attachments(snapshot, name).map(|volume| (volume, ())));
        for (driver, limit) in limits {
            let of_driver = |((of, _), ()): &(&(String, String), &())| of == driver;
            let added = new
                .iter()
                .filter(of_driver)
                .filter(|(volume, ())| !held.contains_key(*volume))
                .count();
            if added > 0 && (held.iter().filter(of_driver).count() + added) as i64 > limit {
                return Err(Rejection::unschedulable("node(s) exceed max volume count"));
            }
        }
        Ok(())
    }
}

fn limits(csi_node: Option<&CsiNode>) -> Vec<(&str, i64)> {
    let drivers = csi_node.map_or(&[][..], |node| &node.spec.drivers);
    drivers
        .iter()
        .filter_map(|driver| Some((driver.name.as_str(), driver.allocatable.as_ref()?.count?)))
        .collect()
}

/// Volumes attached to the node, whether a placed pod uses them or not.
fn attachments<'s>(
    snapshot: &'s Snapshot,
    node: &'s str,
) -> impl Iterator<Item = (String, String)> + 's {
    snapshot
        .storage
        .attachments
        .values()
        .filter(move |each| each.spec.node_name == node)
        .filter_map(|each| {
            let volume = snapshot
                .storage
                .volumes
                .get(&each.spec.source.persistent_volume_name)?;
            let (_, handle) = migration::of_volume(volume, true)?;
            Some((each.spec.attacher.clone(), handle))
        })
}

/// Adds the volumes of a pod. Claims that are missing count only against a new pod.
fn collect(
    snapshot: &Snapshot,
    shape: &Shape,
    csi_node: Option<&CsiNode>,
    is_new: bool,
    into: &mut Attached,
) -> Result<(), Rejection> {
    let migrates = csi_node.is_some();
    for volume in &shape.spec().volumes {
        if let Some(key) = migration::of_inline(volume, migrates) {
            into.insert(key, ());
        }
    }
    for claim in &shape.claims {
        match find_claim(snapshot, shape, claim) {
            Some(object) => {
                if claim.ephemeral {
                    check_owner(shape, object).map_err(|text| Rejection::new(Code::Error, text))?;
                }
                if let Some(key) = of_claim(snapshot, object, migrates) {
                    into.insert(key, ());
                }
            }
            None if is_new => return Err(missing(shape, claim)),
            None => {}
        }
    }
    Ok(())
}

fn missing(shape: &Shape, claim: &Claim) -> Rejection {
    unresolvable(format!(
        "looking up PVC {}/{}: {}",
        shape.namespace(),
        claim.name,
        claim_not_found(&claim.name)
    ))
}

fn of_claim(
    snapshot: &Snapshot,
    claim: &PersistentVolumeClaim,
    migrates: bool,
) -> Option<(String, String)> {
    if let Some(volume) = snapshot.storage.volumes.get(&claim.spec.volume_name) {
        return migration::of_volume(volume, migrates);
    }
    let class = snapshot.storage.classes.get(class_of(claim))?;
    let driver = migration::of_provisioner(&class.provisioner, migrates)?;
    // What will be provisioned has no handle yet: the claim stands for it. A space is in no real handle.
    Some((driver.to_owned(), format!("claim {}", claim.metadata.key())))
}

impl Plugin for NodeVolumeLimits {
    fn name(&self) -> &'static str {
        "NodeVolumeLimits"
    }

    fn reads(&self, shape: &Shape) -> Reads {
        Reads {
            storage: !shape.spec().volumes.is_empty(),
            ..Reads::default()
        }
    }

    fn filter_for(&self, _snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        if shape.claims.is_empty() && !shape.spec().volumes.iter().any(migration::is_inline) {
            return PreFilter::Skip;
        }
        PreFilter::ready(Filter(Arc::clone(shape)))
    }
}
