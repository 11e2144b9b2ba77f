//! Which existing volume an unbound claim would get on a node.

use std::collections::BTreeSet;

use super::{class_of, reaches};
use crate::api::{PersistentVolume, PersistentVolumeClaim};
use crate::quantity::Quantity;
use crate::selector::Selector;
use crate::snapshot::{NodeId, Snapshot};

pub(super) fn requested(claim: &PersistentVolumeClaim) -> Option<Quantity> {
    claim.spec.resources.requests.get("storage").copied()
}

pub(super) fn capacity(volume: &PersistentVolume) -> Quantity {
    volume
        .spec
        .capacity
        .get("storage")
        .copied()
        .unwrap_or_default()
}

/// The volume reserved for the claim, else the smallest free one that fits.
pub(super) fn find<'s>(
    snapshot: &'s Snapshot,
    claim: &PersistentVolumeClaim,
    node: NodeId,
    taken: &BTreeSet<&str>,
) -> Option<&'s PersistentVolume> {
    let wanted = requested(claim).unwrap_or_default();
    let selector = claim
        .spec
        .selector
        .as_ref()
        .map(|selector| Selector::of(Some(selector)));
    let mode = |mode: &Option<String>| mode.clone().unwrap_or_else(|| "Filesystem".to_owned());
    let key = claim.metadata.key();
    let mut best: Option<&PersistentVolume> = None;
    for volume in snapshot.storage.volumes.values() {
        let spec = &volume.spec;
        let own = is_for(volume, claim);
        let assumed_for_another = snapshot
            .storage
            .assumed
            .get(&volume.metadata.name)
            .is_some_and(|other| *other != key);
        if taken.contains(volume.metadata.name.as_str())
            || assumed_for_another
            || spec.claim_ref.is_some() && !own
            || capacity(volume) < wanted
            || mode(&spec.volume_mode) != mode(&claim.spec.volume_mode)
            || attributes(&spec.volume_attributes_class_name)
                != attributes(&claim.spec.volume_attributes_class_name)
            || volume.metadata.deletion_timestamp.is_some()
            || spec.storage_class_name != class_of(claim)
        {
            continue;
        }
        if own {
            return reaches(snapshot, volume, node).then_some(volume);
        }
        if volume.status.phase == "Available"
            && selector
                .as_ref()
                .is_none_or(|selector| selector.matches(&volume.metadata.labels))
            && claim
                .spec
                .access_modes
                .iter()
                .all(|mode| spec.access_modes.contains(mode))
            && best.is_none_or(|best| capacity(volume) < capacity(best))
            && reaches(snapshot, volume, node)
        {
            best = Some(volume);
        }
    }
    best
}

fn attributes(class: &Option<String>) -> &str {
    class.as_deref().unwrap_or("")
}

fn is_for(volume: &PersistentVolume, claim: &PersistentVolumeClaim) -> bool {
    volume.spec.claim_ref.as_ref().is_some_and(|reference| {
        reference.name == claim.metadata.name
            && reference.namespace == claim.metadata.namespace
            && (reference.uid.is_empty()
                || claim.metadata.uid.is_empty()
                || reference.uid == claim.metadata.uid)
    })
}
