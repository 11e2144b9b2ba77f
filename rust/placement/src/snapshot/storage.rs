//! Storage objects by name.

use std::collections::BTreeMap;

use super::Allocation;
use crate::api::{
    ByKey, CsiDriver, CsiNode, CsiStorageCapacity, PersistentVolume, PersistentVolumeClaim,
    StorageClass, VolumeAttachment,
};

#[derive(Debug, Default)]
pub struct Storage {
    pub volumes: ByKey<PersistentVolume>,
    pub claims: ByKey<PersistentVolumeClaim>,
    pub classes: ByKey<StorageClass>,
    pub csi_nodes: ByKey<CsiNode>,
    pub csi_drivers: ByKey<CsiDriver>,
    pub capacities: ByKey<CsiStorageCapacity>,
    pub attachments: ByKey<VolumeAttachment>,
    /// Claims that placed pods use, by `namespace/name`, with the number of users.
    pub(super) claim_users: ByKey<u32>,
    /// Volumes chosen for claims (`namespace/name`) of pods that are placed but whose claims are not bound yet.
    pub assumed: BTreeMap<String, String>,
}

/// What the claims of a pod get on its node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VolumeChoice {
    /// Claim (`namespace/name`) and the volume it is to be bound to.
    pub bindings: Vec<(String, String)>,
    /// Claims (`namespace/name`) to be provisioned for the node.
    pub provisions: Vec<String>,
}

impl Storage {
    /// How many placed pods use this claim (`namespace/name`).
    pub fn users_of_claim(&self, key: &str) -> u32 {
        self.claim_users.get(key).copied().unwrap_or(0)
    }

    /// Keeps (+1) or gives back (-1) the volumes that a pod's allocation chose.
    pub(super) fn assume(&mut self, allocations: &[Allocation], delta: i64) {
        let choices = allocations
            .iter()
            .filter_map(|allocation| allocation.detail.downcast_ref::<VolumeChoice>());
        for (claim, volume) in choices.flat_map(|choice| &choice.bindings) {
            if delta > 0 {
                self.assumed.insert(volume.clone(), claim.clone());
            } else {
                self.assumed.remove(volume);
            }
        }
    }
}
