//! NodeUnschedulable: cordoned nodes take pods that tolerate it only.

use std::sync::Arc;

use super::toleration::tolerated;
use crate::api::Taint;
use crate::framework::{NodeFilter, Plugin, PreFilter, Rejection, Verdict};
use crate::shape::Shape;
use crate::snapshot::{NodeId, Snapshot};

pub struct NodeUnschedulable {
    pub numeric_tolerations: bool,
}

struct Filter;

impl NodeFilter for Filter {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        if snapshot.nodes.facts[node.index()].unschedulable {
            Err(Rejection::unresolvable("node(s) were unschedulable"))
        } else {
            Ok(())
        }
    }
}

impl Plugin for NodeUnschedulable {
    fn name(&self) -> &'static str {
        "NodeUnschedulable"
    }

    fn filter_for(&self, _snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        let cordon = Taint {
            key: "node.kubernetes.io/unschedulable".to_owned(),
            effect: "NoSchedule".to_owned(),
            ..Taint::default()
        };
        if tolerated(&shape.spec().tolerations, &cordon, self.numeric_tolerations) {
            PreFilter::Pass
        } else {
            PreFilter::ready(Filter)
        }
    }
}
