//! TaintToleration: strict taints keep pods away, PreferNoSchedule ones lower the score.

use std::sync::Arc;

use super::toleration::{kept_away, tolerated};
use crate::framework::{
    Feasible, NodeFilter, NodeScorer, Normalize, Plugin, PreFilter, Prepared, Rejection, Verdict,
};
use crate::shape::Shape;
use crate::snapshot::{NodeId, Snapshot};

pub struct TaintToleration {
    pub numeric_tolerations: bool,
}

struct PerPod {
    shape: Arc<Shape>,
    numeric: bool,
}

impl NodeFilter for PerPod {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        if kept_away(
            snapshot.nodes.taints(node),
            &self.shape.spec().tolerations,
            self.numeric,
        ) {
            Err(Rejection::unresolvable("node(s) had untolerated taint(s)"))
        } else {
            Ok(())
        }
    }
}

impl NodeScorer for PerPod {
    fn score(&self, snapshot: &Snapshot, node: NodeId) -> i64 {
        let soft = snapshot
            .nodes
            .taints(node)
            .iter()
            .filter(|taint| taint.effect == "PreferNoSchedule");
        soft.filter(|taint| !tolerated(&self.shape.spec().tolerations, taint, self.numeric))
            .count() as i64
    }

    fn normalize(&self) -> Normalize {
        Normalize::ByMaxReversed
    }
}

impl Plugin for TaintToleration {
    fn name(&self) -> &'static str {
        "TaintToleration"
    }

    fn filter_for(&self, _snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        PreFilter::ready(PerPod {
            shape: Arc::clone(shape),
            numeric: self.numeric_tolerations,
        })
    }

    fn scorer_for(
        &self,
        _: &Snapshot,
        shape: &Arc<Shape>,
        _: Feasible,
    ) -> Option<Prepared<dyn NodeScorer>> {
        let scorer = PerPod {
            shape: Arc::clone(shape),
            numeric: self.numeric_tolerations,
        };
        Some(Prepared::Ready(Box::new(scorer)))
    }
}
