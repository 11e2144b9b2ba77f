//! Why a pod fits nowhere.

use super::prepare::Narrowed;
use crate::framework::{Rejection, no_fit_message};
use crate::snapshot::{NodeId, Snapshot};

/// A plugin that refused the pod as a whole.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub plugin: &'static str,
    pub rejection: Rejection,
}

#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// Event text without the part about preemption.
    pub message: String,
    /// Plugins that refused some node or the whole pod, in alphabetical order.
    pub plugins: Vec<&'static str>,
    /// Status of each node that a filter refused; empty when the pod was refused as a whole.
    pub nodes: Vec<(NodeId, &'static str, Rejection)>,
    /// Set when the pod was refused as a whole.
    pub refusal: Option<Refusal>,
}

impl Failure {
    pub fn of_refusal(snapshot: &Snapshot, refusal: Refusal) -> Self {
        let reasons = refusal.rejection.reasons.join(", ");
        Self {
            message: format!(
                "0/{} nodes are available: {reasons}.",
                snapshot.nodes.live()
            ),
            plugins: vec![refusal.plugin],
            nodes: Vec::new(),
            refusal: Some(refusal),
        }
    }

    /// `left_out`: number of nodes outside the narrowed set.
    pub fn of_nodes(
        snapshot: &Snapshot,
        nodes: Vec<(NodeId, &'static str, Rejection)>,
        narrowed: Option<&Narrowed>,
        left_out: usize,
    ) -> Self {
        let mut plugins: Vec<&'static str> = nodes.iter().map(|(_, plugin, _)| *plugin).collect();
        plugins.extend(
            narrowed
                .iter()
                .flat_map(|narrowed| narrowed.plugins.iter().copied()),
        );
        plugins.sort_unstable();
        plugins.dedup();
        let excluded = narrowed.map(|narrowed| (narrowed.rejection(), left_out));
        let statuses = nodes.iter().map(|(_, _, rejection)| (rejection, 1));
        let statuses = statuses.chain(
            excluded
                .iter()
                .map(|(rejection, times)| (rejection, *times)),
        );
        let message = no_fit_message(
            snapshot.nodes.live(),
            statuses.filter(|(_, times)| *times > 0),
        );
        Self {
            message,
            plugins,
            nodes,
            refusal: None,
        }
    }
}
