//! The plugins of the default profile, one file each.

mod balanced_allocation;
mod dynamic_resources;
mod image_locality;
mod inter_pod_affinity;
mod node_affinity;
mod node_name;
mod node_ports;
mod node_resources_fit;
mod node_unschedulable;
mod resource_amounts;
mod scheduling_gates;
mod taint_toleration;
mod toleration;
mod topology_spread;
mod volumes;

pub use balanced_allocation::BalancedAllocation;
pub use dynamic_resources::DynamicResources;
pub use image_locality::ImageLocality;
pub use inter_pod_affinity::InterPodAffinity;
pub use node_affinity::NodeAffinity;
pub use node_name::NodeName;
pub use node_ports::{NodePorts, clash};
pub use node_resources_fit::{NodeResourcesFit, Strategy};
pub use node_unschedulable::NodeUnschedulable;
pub use scheduling_gates::SchedulingGates;
pub use taint_toleration::TaintToleration;
pub use toleration::kept_away;
pub use topology_spread::{DefaultConstraint, Defaults, TopologySpread};
pub use volumes::{NodeVolumeLimits, VolumeBinding, VolumeRestrictions, VolumeZone};
