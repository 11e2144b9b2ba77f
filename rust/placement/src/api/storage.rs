//! Volumes, claims, classes and what CSI drivers report.

use std::collections::BTreeMap;

use super::{
    EbsDisk, LabelSelector, NodeSelector, ObjectMeta, ResourceList, ResourceRequirements, objects,
};
use crate::quantity::Quantity;

objects! {
    PersistentVolume { metadata: ObjectMeta, spec: PersistentVolumeSpec, status: Phase }
    PersistentVolumeSpec {
        access_modes: Vec<String>,
        capacity: ResourceList,
        claim_ref: Option<ClaimRef>,
        csi: Option<CsiVolume>,
        aws_elastic_block_store: Option<EbsDisk>,
        node_affinity: VolumeNodeAffinity,
        storage_class_name: String,
        volume_mode: Option<String>,
        volume_attributes_class_name: Option<String>,
    }
    ClaimRef { namespace: String, name: String, uid: String }
    CsiVolume { driver: String, volume_handle: String }
    VolumeNodeAffinity { required: Option<NodeSelector> }
    Phase { phase: String }
    PersistentVolumeClaim { metadata: ObjectMeta, spec: ClaimSpec, status: Phase }
    ClaimSpec {
        access_modes: Vec<String>,
        resources: ResourceRequirements,
        selector: Option<LabelSelector>,
        storage_class_name: Option<String>,
        volume_mode: Option<String>,
        volume_name: String,
        volume_attributes_class_name: Option<String>,
    }
    StorageClass {
        metadata: ObjectMeta,
        provisioner: String,
        volume_binding_mode: Option<String>,
        allowed_topologies: Vec<TopologySelectorTerm>,
    }
    TopologySelectorTerm { match_label_expressions: Vec<TopologySelectorRequirement> }
    TopologySelectorRequirement { key: String, values: Vec<String> }
    CsiNode { metadata: ObjectMeta, spec: CsiNodeSpec }
    CsiNodeSpec { drivers: Vec<CsiNodeDriver> }
    CsiNodeDriver { name: String, allocatable: Option<VolumeNodeResources> }
    VolumeNodeResources { count: Option<i64> }
    CsiDriver { metadata: ObjectMeta, spec: CsiDriverSpec }
    CsiDriverSpec { storage_capacity: bool }
    CsiStorageCapacity {
        metadata: ObjectMeta,
        node_topology: Option<LabelSelector>,
        storage_class_name: String,
        capacity: Option<Quantity>,
        maximum_volume_size: Option<Quantity>,
    }
    VolumeAttachment { metadata: ObjectMeta, spec: VolumeAttachmentSpec }
    VolumeAttachmentSpec { attacher: String, node_name: String, source: AttachmentSource }
    AttachmentSource { persistent_volume_name: String }
}

/// Objects of one kind by `namespace/name` or name.
pub type ByKey<T> = BTreeMap<String, T>;
