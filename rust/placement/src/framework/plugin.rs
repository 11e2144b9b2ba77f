//! What a plugin is: it prepares, per class of pods, a filter and a scorer that answer node by node.
//!
//! A prepared filter or scorer stays in use for later pods of the class. It is told of every pod that comes or goes, and
//! answers how far its earlier answers still hold.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::status::{Rejection, Verdict};
use crate::shape::Shape;
use crate::snapshot::{Allocation, Epochs, NodeId, Snapshot};

/// Outcome of a plugin's look at a pod before any node is visited.
pub enum Prepared<T: ?Sized> {
    /// Nothing to score for such a pod.
    Skip,
    /// Nothing to score now, but that may change with the pods that come.
    Idle(Box<T>),
    Ready(Box<T>),
}

/// Outcome of preparing a filter.
pub enum PreFilter {
    /// Nothing to check for such a pod, and the plugin says so.
    Skip,
    /// Nothing to check now, but that may change with the pods that come.
    Idle(Box<dyn NodeFilter>),
    /// Every node passes, found out without visiting them.
    Pass,
    /// The pod can be placed nowhere.
    Reject(Rejection),
    Ready {
        filter: Box<dyn NodeFilter>,
        /// The only nodes worth visiting.
        only: Option<BTreeSet<String>>,
    },
}

impl PreFilter {
    pub fn ready(filter: impl NodeFilter + 'static) -> Self {
        Self::Ready {
            filter: Box::new(filter),
            only: None,
        }
    }
}

/// Whose earlier answers no longer hold after a change on one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    Nobody,
    /// The node of the change.
    Node,
    /// Every node; answers are to be asked again.
    All,
    /// Everything; the filter or scorer has to be prepared again.
    Prepare,
}

/// Facts besides a node's own row that a plugin's preparation reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    pub images: bool,
    pub namespaces: bool,
    pub storage: bool,
    pub owners: bool,
}

impl Reads {
    pub fn and(self, other: Self) -> Self {
        Self {
            images: self.images || other.images,
            namespaces: self.namespaces || other.namespaces,
            storage: self.storage || other.storage,
            owners: self.owners || other.owners,
        }
    }

    /// True when nothing that is read changed between the two. Nodes are read by everybody.
    pub fn unchanged(self, before: Epochs, now: Epochs) -> bool {
        before.nodes == now.nodes
            && (!self.images || before.images == now.images)
            && (!self.namespaces || before.namespaces == now.namespaces)
            && (!self.storage || before.storage == now.storage)
            && (!self.owners || before.owners == now.owners)
    }
}

pub trait NodeFilter: Send + Sync {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict;

    /// Whether `filter` lets the node pass, without the reason where that is quicker.
    fn passes(&self, snapshot: &Snapshot, node: NodeId) -> bool {
        self.filter(snapshot, node).is_ok()
    }

    /// A pod of this shape came to (+1) or left (-1) the node; the snapshot holds the change already.
    fn pod_moved(
        &mut self,
        _snapshot: &Snapshot,
        _node: NodeId,
        _shape: &Shape,
        _delta: i64,
    ) -> Reach {
        Reach::Node
    }

    /// The allocation the node would give, from the same calculation that `filter` made; None without one.
    ///
    /// # Errors
    /// The rejection `filter` would have given.
    fn reserve(
        &self,
        _snapshot: &Snapshot,
        _node: NodeId,
    ) -> Result<Option<Allocation>, Rejection> {
        Ok(None)
    }
}

/// How raw scores become 0-100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalize {
    /// They are already.
    Identity,
    /// 100 * s / max; 0 everywhere when max is 0.
    ByMax,
    /// 100 - 100 * s / max; 100 everywhere when max is 0.
    ByMaxReversed,
    /// 100 * (s - min) / (max - min); 0 everywhere when they are equal.
    ByRange,
    /// The same, and among equal totals the finer differences decide.
    ByRangeFine,
    /// The score is in the bits from `FINE_BITS` on; among equal totals the bits below decide.
    Ranked,
    /// 100 * (max + min - s) / max; 100 everywhere when max is 0.
    BySkew,
}

/// The raw score of a node that a plugin leaves out; it normalises to 0.
pub const LEFT_OUT: i64 = i64::MIN;

pub const MAX_SCORE: i64 = 100;

impl Normalize {
    /// `min` and `max` are over the feasible nodes that are not left out; max is at least 0.
    pub fn apply(self, raw: i64, min: i64, max: i64) -> i64 {
        if raw == LEFT_OUT {
            return 0;
        }
        match self {
            Self::Identity => raw,
            Self::Ranked => raw >> FINE_BITS,
            Self::ByMax if max == 0 => 0,
            Self::ByMax => MAX_SCORE * raw / max,
            Self::ByMaxReversed if max == 0 => MAX_SCORE,
            Self::ByMaxReversed => MAX_SCORE - MAX_SCORE * raw / max,
            Self::ByRange | Self::ByRangeFine if max == min => 0,
            Self::ByRange | Self::ByRangeFine => {
                (MAX_SCORE as f64 * ((raw - min) as f64 / (max - min) as f64)) as i64
            }
            Self::BySkew if max == 0 => MAX_SCORE,
            Self::BySkew => MAX_SCORE * (max + min - raw) / max,
        }
    }
}

/// Bits of a total below the weighted scores, for differences finer than a score of 0-100 tells.
pub const FINE_BITS: u32 = 24;

impl Normalize {
    /// The part of a total below the weighted scores.
    pub fn fine(self, raw: i64, min: i64, max: i64) -> i64 {
        const ALL: i64 = (1 << FINE_BITS) - 1;
        match self {
            Self::Ranked if raw != LEFT_OUT => raw & ALL,
            Self::ByRangeFine if raw != LEFT_OUT && max != min => {
                (ALL as f64 * ((raw - min) as f64 / (max - min) as f64)) as i64
            }
            _ => 0,
        }
    }
}

/// The feasible nodes of a class.
#[derive(Clone, Copy)]
pub struct Feasible<'a> {
    /// By node row.
    pub mask: &'a [bool],
    pub count: usize,
}

impl Feasible<'_> {
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.mask
            .iter()
            .enumerate()
            .filter(|(_, feasible)| **feasible)
            .map(|(row, _)| NodeId(row as u32))
    }
}

pub trait NodeScorer: Send + Sync {
    fn score(&self, snapshot: &Snapshot, node: NodeId) -> i64;

    fn normalize(&self) -> Normalize {
        Normalize::Identity
    }

    fn pod_moved(
        &mut self,
        _snapshot: &Snapshot,
        _node: NodeId,
        _shape: &Shape,
        _delta: i64,
    ) -> Reach {
        Reach::Node
    }

    /// The set of feasible nodes changed.
    fn feasible_changed(&mut self, _snapshot: &Snapshot, _feasible: Feasible) -> Reach {
        Reach::Nobody
    }
}

pub trait Plugin: Send + Sync {
    fn name(&self) -> &'static str;

    /// A reason to keep the pod out of the queue.
    fn pre_enqueue(&self, _shape: &Shape) -> Verdict {
        Ok(())
    }

    fn reads(&self, _shape: &Shape) -> Reads {
        Reads::default()
    }

    fn filter_for(&self, _snapshot: &Snapshot, _shape: &Arc<Shape>) -> PreFilter {
        PreFilter::Pass
    }

    /// None for a plugin that never scores.
    fn scorer_for(
        &self,
        _snapshot: &Snapshot,
        _shape: &Arc<Shape>,
        _feasible: Feasible,
    ) -> Option<Prepared<dyn NodeScorer>> {
        None
    }
}
