//! Nodes and namespaces.

use super::{Labels, ObjectMeta, ResourceList, objects};

objects! {
    Node { metadata: ObjectMeta, spec: NodeSpec, status: NodeStatus }
    NodeSpec { unschedulable: bool, taints: Vec<Taint> }
    Taint { key: String, value: String, effect: String }
    NodeStatus { allocatable: ResourceList, images: Vec<ContainerImage>, conditions: Vec<NodeCondition> }
    NodeCondition {
        #[serde(rename = "type")]
        kind: String,
        status: String,
    }
    ContainerImage { names: Vec<String>, size_bytes: i64 }
    Namespace { metadata: NamespaceMeta }
    NamespaceMeta { name: String, labels: Labels }
}
