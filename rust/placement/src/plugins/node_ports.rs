//! NodePorts: host ports of a node are handed out once.

use std::sync::Arc;

use crate::framework::{NodeFilter, Plugin, PreFilter, Rejection, Verdict};
use crate::shape::{HostPort, Shape};
use crate::snapshot::{NodeId, Snapshot};

const ANY: &str = "0.0.0.0";

pub struct NodePorts;

struct Filter(Arc<Shape>);

impl NodeFilter for Filter {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        let held = &snapshot.nodes.ports[node.index()];
        if self
            .0
            .ports
            .iter()
            .any(|wanted| held.iter().any(|each| clash(wanted, each)))
        {
            return Err(Rejection::unschedulable(
                "node(s) didn't have free ports for the requested pod ports",
            ));
        }
        Ok(())
    }
}

/// Two ports clash when either is on all addresses, or both on the same.
pub fn clash(a: &HostPort, b: &HostPort) -> bool {
    a.port == b.port && a.protocol == b.protocol && (a.ip == b.ip || a.ip == ANY || b.ip == ANY)
}

impl Plugin for NodePorts {
    fn name(&self) -> &'static str {
        "NodePorts"
    }

    fn filter_for(&self, _snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        if shape.ports.is_empty() {
            PreFilter::Skip
        } else {
            PreFilter::ready(Filter(Arc::clone(shape)))
        }
    }
}
