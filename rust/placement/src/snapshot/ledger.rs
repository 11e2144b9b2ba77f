//! Columns that a node plugin keeps beside the snapshot's own: CPU sets, NUMA zones, devices, usage.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use super::{NodeId, Nodes, PodRow, Pods};
use crate::error::Result;
use crate::resource::Resources;

/// What a plugin gave one pod on its node: which CPUs, zones or devices.
#[derive(Clone, Debug)]
pub struct Allocation {
    pub plugin: &'static str,
    /// Annotations to write on the pod before it is bound.
    pub annotations: Vec<(String, String)>,
    /// The plugin's own form of it.
    pub detail: Arc<dyn Any + Send + Sync>,
}

/// One plugin's columns. The snapshot drives it: pods that come and go, objects of the kinds it reads, what-if.
pub trait Ledger: Any + Debug + Send + Sync {
    /// The plugin this belongs to.
    fn plugin(&self) -> &'static str;

    /// Kinds of objects it reads, as `upsert` is called with them.
    fn kinds(&self) -> &'static [&'static str];

    /// Takes in a new version of an object; None = the object is gone. Says which node it is about, if any.
    ///
    /// # Errors
    /// The object's path that cannot be read; the last good version stays.
    fn object(&mut self, kind: &str, key: &str, raw: Option<&[u8]>) -> Result<Option<String>>;

    /// The node's object changed.
    fn node(&mut self, node: NodeId, nodes: &Nodes, resources: &Resources);

    /// A pod came to the node, with what the plugin allocated for it among its allocations.
    fn attach(&mut self, node: NodeId, pod: &PodRow, resources: &Resources);

    /// A pod left the node.
    fn detach(&mut self, node: NodeId, pod: &PodRow);

    /// The next decision is about to be made: the place for what is derived from the whole cluster.
    fn before_decision(&mut self, _nodes: &Nodes, _pods: &Pods, _resources: &Resources) {}

    /// The node's row, to be put back by `restore`.
    fn save(&self, node: NodeId) -> Box<dyn Any + Send + Sync>;

    /// Puts back what `save` returned.
    fn restore(&mut self, node: NodeId, saved: Box<dyn Any + Send + Sync>);
}
