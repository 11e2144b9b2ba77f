//! Whether a driver can still provision a claim for a node.

use super::matching::requested;
use crate::api::{
    CsiStorageCapacity, Labels, PersistentVolumeClaim, StorageClass, TopologySelectorTerm,
};
use crate::quantity::Quantity;
use crate::selector::Selector;
use crate::snapshot::Snapshot;

/// Outcome of looking for storage to provision from.
pub(super) enum Room {
    /// The driver does not say, or the claim asks for no amount.
    Unknown,
    /// Bytes of the capacity object that fits.
    Found(Option<Quantity>),
    Missing,
}

/// True when the class may be provisioned for such a node. No terms mean anywhere.
pub(super) fn allowed(terms: &[TopologySelectorTerm], labels: &Labels) -> bool {
    let matches = |term: &TopologySelectorTerm| {
        !term.match_label_expressions.is_empty()
            && term
                .match_label_expressions
                .iter()
                .all(|r| labels.get(&r.key).is_some_and(|v| r.values.contains(v)))
    };
    terms.is_empty() || terms.iter().any(matches)
}

pub(super) fn room(
    snapshot: &Snapshot,
    claim: &PersistentVolumeClaim,
    class: &StorageClass,
    labels: &Labels,
) -> Room {
    let Some(wanted) = requested(claim) else {
        return Room::Unknown;
    };
    let driver = snapshot.storage.csi_drivers.get(&class.provisioner);
    if !driver.is_some_and(|driver| driver.spec.storage_capacity) {
        return Room::Unknown;
    }
    let fits = |each: &&CsiStorageCapacity| {
        let limit = each.maximum_volume_size.or(each.capacity);
        each.storage_class_name == class.metadata.name
            && limit.is_some_and(|limit| limit.value() >= wanted.value())
            && Selector::of(each.node_topology.as_ref()).matches(labels)
    };
    match snapshot.storage.capacities.values().find(fits) {
        Some(found) => Room::Found(found.capacity),
        None => Room::Missing,
    }
}
