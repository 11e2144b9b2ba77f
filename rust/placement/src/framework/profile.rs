//! A profile: which plugins filter and score for one scheduler name, in which order and with which weight.

use std::sync::Arc;

use super::Plugin;

#[derive(Clone)]
pub struct Weighted {
    pub plugin: Arc<dyn Plugin>,
    /// Runs as a filter (and keeps pods out of the queue).
    pub filters: bool,
    /// Weight of its score; 0 when it does not score.
    pub weight: i64,
}

#[derive(Clone)]
pub struct Profile {
    pub scheduler_name: String,
    pub plugins: Vec<Weighted>,
    /// How many percent of the nodes to look at once enough feasible ones are found; None looks at all.
    pub percentage_of_nodes_to_score: Option<u32>,
    pub preemption: PreemptionLimits,
}

/// How many candidate nodes preemption tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreemptionLimits {
    pub percentage: i64,
    pub absolute: i64,
}

impl Default for PreemptionLimits {
    fn default() -> Self {
        Self {
            percentage: 10,
            absolute: 100,
        }
    }
}

impl Profile {
    pub fn plugin(&self, at: usize) -> &'static str {
        self.plugins[at].plugin.name()
    }
}
