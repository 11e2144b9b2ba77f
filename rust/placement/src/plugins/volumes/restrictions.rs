//! VolumeRestrictions: disks that only one pod of a node may use, and claims that only one pod at all may use.

use std::sync::Arc;

use super::{claim_not_found, find_claim, unresolvable};
use crate::api::Volume;
use crate::framework::{NodeFilter, Plugin, PreFilter, Reach, Reads, Rejection, Verdict};
use crate::shape::Shape;
use crate::snapshot::{NodeId, Snapshot};

pub struct VolumeRestrictions;

struct Filter {
    shape: Arc<Shape>,
    /// Claims (`namespace/name`) with access mode ReadWriteOncePod.
    exclusive: Vec<String>,
}

impl Filter {
    fn claim_in_use(&self, snapshot: &Snapshot) -> bool {
        self.exclusive
            .iter()
            .any(|claim| snapshot.storage.users_of_claim(claim) > 0)
    }
}

impl NodeFilter for Filter {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        let disks = || {
            self.shape
                .spec()
                .volumes
                .iter()
                .filter(|volume| is_disk(volume))
        };
        let residents = snapshot.nodes.residents[node.index()].iter();
        let mut held = residents.flat_map(|residents| &residents.shape.spec().volumes);
        if held.any(|held| disks().any(|wanted| conflict(wanted, held))) {
            return Err(Rejection::unschedulable("node(s) had no available disk"));
        }
        if self.claim_in_use(snapshot) {
            return Err(Rejection::unschedulable(
                "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
            ));
        }
        Ok(())
    }

    fn pod_moved(&mut self, _: &Snapshot, _: NodeId, other: &Shape, _: i64) -> Reach {
        if self.exclusive.is_empty() || other.claims.is_empty() {
            Reach::Node
        } else {
            Reach::All
        }
    }
}

fn is_disk(volume: &Volume) -> bool {
    volume.gce_persistent_disk.is_some()
        || volume.aws_elastic_block_store.is_some()
        || volume.rbd.is_some()
        || volume.iscsi.is_some()
}

fn conflict(a: &Volume, b: &Volume) -> bool {
    if let (Some(a), Some(b)) = (&a.gce_persistent_disk, &b.gce_persistent_disk) {
        return a.pd_name == b.pd_name && !(a.read_only && b.read_only);
    }
    if let (Some(a), Some(b)) = (&a.aws_elastic_block_store, &b.aws_elastic_block_store) {
        return a.volume_id == b.volume_id;
    }
    if let (Some(a), Some(b)) = (&a.iscsi, &b.iscsi) {
        return a.iqn == b.iqn && !(a.read_only && b.read_only);
    }
    if let (Some(a), Some(b)) = (&a.rbd, &b.rbd) {
        let shared = a
            .monitors
            .iter()
            .any(|monitor| b.monitors.contains(monitor));
        let pool = |rbd: &crate::api::RbdDisk| {
            if rbd.pool.is_empty() {
                "rbd".to_owned()
            } else {
                rbd.pool.clone()
            }
        };
        return shared && pool(a) == pool(b) && a.image == b.image && !(a.read_only && b.read_only);
    }
    false
}

impl Plugin for VolumeRestrictions {
    fn name(&self) -> &'static str {
        "VolumeRestrictions"
    }

    fn reads(&self, shape: &Shape) -> Reads {
        Reads {
            storage: !shape.claims.is_empty(),
            ..Reads::default()
        }
    }

    fn filter_for(&self, snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        let mut exclusive = Vec::new();
        for claim in shape.claims.iter().filter(|claim| !claim.ephemeral) {
            let Some(object) = find_claim(snapshot, shape, claim) else {
                return PreFilter::Reject(unresolvable(claim_not_found(&claim.name)));
            };
            if object
                .spec
                .access_modes
                .iter()
                .any(|mode| mode == "ReadWriteOncePod")
            {
                exclusive.push(object.metadata.key());
            }
        }
        let filter = Filter {
            shape: Arc::clone(shape),
            exclusive,
        };
        if shape.spec().volumes.iter().any(is_disk) || filter.claim_in_use(snapshot) {
            return PreFilter::ready(filter);
        }
        if filter.exclusive.is_empty() {
            PreFilter::Skip
        } else {
            PreFilter::Idle(Box::new(filter))
        }
    }
}
