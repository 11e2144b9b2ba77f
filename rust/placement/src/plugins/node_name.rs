//! NodeName: a pod that names its node goes there only.

use std::sync::Arc;

use crate::framework::{NodeFilter, Plugin, PreFilter, Rejection, Verdict};
use crate::shape::Shape;
use crate::snapshot::{NodeId, Snapshot};

pub struct NodeName;

struct Filter(String);

impl NodeFilter for Filter {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        if **snapshot.nodes.name(node) == *self.0 {
            Ok(())
        } else {
            Err(Rejection::unresolvable(
                "node(s) didn't match the requested node name",
            ))
        }
    }
}

impl Plugin for NodeName {
    fn name(&self) -> &'static str {
        "NodeName"
    }

    fn filter_for(&self, _snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        match shape.spec().node_name.as_str() {
            "" => PreFilter::Pass,
            name => PreFilter::ready(Filter(name.to_owned())),
        }
    }
}
