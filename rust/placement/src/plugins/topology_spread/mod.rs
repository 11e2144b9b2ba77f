//! PodTopologySpread: keep the pods of a selector evenly spread over topology domains.

mod constraints;
mod filter;
mod score;

use std::sync::Arc;

pub use constraints::{DefaultConstraint, Defaults};

use crate::framework::{Feasible, NodeScorer, Plugin, PreFilter, Prepared, Reads};
use crate::shape::Shape;
use crate::snapshot::Snapshot;

pub struct TopologySpread {
    pub defaults: Defaults,
    pub numeric_tolerations: bool,
}

impl Plugin for TopologySpread {
    fn name(&self) -> &'static str {
        "PodTopologySpread"
    }

    fn reads(&self, shape: &Shape) -> Reads {
        Reads {
            owners: shape.spread.is_empty(),
            ..Reads::default()
        }
    }

    fn filter_for(&self, snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        match self.constraints(snapshot, shape, true) {
            constraints if constraints.is_empty() => PreFilter::Skip,
            constraints => PreFilter::ready(filter::Filter::new(snapshot, shape, constraints)),
        }
    }

    fn scorer_for(
        &self,
        snapshot: &Snapshot,
        shape: &Arc<Shape>,
        feasible: Feasible,
    ) -> Option<Prepared<dyn NodeScorer>> {
        let constraints = self.constraints(snapshot, shape, false);
        if constraints.is_empty() {
            return Some(Prepared::Skip);
        }
        // The system's own constraints are no reason to leave out a node that lacks one of their keys.
        let all_keys = !shape.spread.is_empty() || !matches!(self.defaults, Defaults::System(_));
        let scorer = score::Scorer::new(snapshot, shape, constraints, all_keys, feasible);
        Some(Prepared::Ready(Box::new(scorer)))
    }
}
