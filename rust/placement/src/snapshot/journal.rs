//! What changed, in order, so that a cache can catch up by looking at the touched nodes only.

use std::collections::VecDeque;
use std::sync::Arc;

use super::NodeId;
use crate::shape::Shape;

/// Entries kept; a cache that lags further behind starts anew.
const KEPT: usize = 1 << 15;

#[derive(Clone, Debug)]
pub enum Change {
    /// A pod of this shape came to (+1) or left (-1) the node.
    Pod {
        node: NodeId,
        shape: Arc<Shape>,
        delta: i64,
    },
    /// Something else about the node changed: its object, a plugin's column.
    Node(NodeId),
}

#[derive(Debug, Default)]
pub struct Journal {
    entries: VecDeque<Change>,
    /// Position of the first kept entry.
    start: u64,
}

impl Journal {
    pub fn end(&self) -> u64 {
        self.start + self.entries.len() as u64
    }

    /// Changes from this position on; None when some of them are no longer kept.
    pub fn since(&self, position: u64) -> Option<impl Iterator<Item = &Change>> {
        let skip = position.checked_sub(self.start)?;
        Some(
            self.entries
                .range(usize::try_from(skip).ok()?.min(self.entries.len())..),
        )
    }

    pub(super) fn push(&mut self, change: Change) {
        if self.entries.len() == KEPT {
            self.entries.pop_front();
            self.start += 1;
        }
        self.entries.push_back(change);
    }

    /// The entries from this position on, newest first; None when some are no longer kept.
    pub(super) fn backwards_to(&self, position: u64) -> Option<Vec<Change>> {
        let count = usize::try_from(self.end().checked_sub(position)?).ok()?;
        (count <= self.entries.len())
            .then(|| self.entries.iter().rev().take(count).cloned().collect())
    }

    /// Makes every cache start anew.
    pub(super) fn forget(&mut self) {
        self.start = self.end() + 1;
        self.entries.clear();
    }
}
