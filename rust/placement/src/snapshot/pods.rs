//! The pods' rows: placed ones and those waiting.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Allocation, NodeId};
use crate::shape::Shape;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PodId(pub u32);

#[derive(Debug)]
pub struct PodRow {
    /// `namespace/name`.
    pub key: Arc<str>,
    pub uid: Box<str>,
    pub shape: Arc<Shape>,
    pub node: Option<NodeId>,
    /// `status.nominatedNodeName` of a pod that waits.
    pub nominated: Option<Arc<str>>,
    /// Nanoseconds since 1970; None for a pod that has not started.
    pub start_time: Option<i64>,
    /// What node plugins gave the pod beyond amounts.
    pub allocations: Vec<Allocation>,
}

#[derive(Debug, Default)]
pub struct Pods {
    rows: Vec<Option<PodRow>>,
    free: Vec<PodId>,
    by_key: FxHashMap<Arc<str>, PodId>,
}

impl Pods {
    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    pub fn find(&self, key: &str) -> Option<PodId> {
        self.by_key.get(key).copied()
    }

    pub fn get(&self, pod: PodId) -> Option<&PodRow> {
        self.rows.get(pod.0 as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, pod: PodId) -> Option<&mut PodRow> {
        self.rows.get_mut(pod.0 as usize)?.as_mut()
    }

    /// Rows in use, in row order.
    pub fn iter(&self) -> impl Iterator<Item = (PodId, &PodRow)> {
        self.rows
            .iter()
            .enumerate()
            .filter_map(|(at, row)| Some((PodId(at as u32), row.as_ref()?)))
    }

    pub(super) fn insert(&mut self, row: PodRow) -> PodId {
        let key = Arc::clone(&row.key);
        let pod = match self.free.pop() {
            Some(pod) => {
                self.rows[pod.0 as usize] = Some(row);
                pod
            }
            None => {
                self.rows.push(Some(row));
                PodId(self.rows.len() as u32 - 1)
            }
        };
        self.by_key.insert(key, pod);
        pod
    }

    pub(super) fn remove(&mut self, pod: PodId) -> Option<PodRow> {
        let row = self.rows.get_mut(pod.0 as usize)?.take()?;
        self.by_key.remove(&row.key);
        self.free.push(pod);
        Some(row)
    }
}
