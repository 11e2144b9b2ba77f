//! InterPodAffinity: pods that want to be near others, or away from them, in some topology.

mod counts;
mod filter;
mod score;

use std::sync::Arc;

use crate::framework::{Feasible, NodeScorer, Plugin, PreFilter, Prepared, Reads};
use crate::shape::{PodTerm, Shape};
use crate::snapshot::Snapshot;

pub struct InterPodAffinity {
    /// Weight of a required affinity term of a placed pod that matches the incoming one.
    pub hard_weight: i64,
    pub ignore_preferred_terms_of_existing: bool,
}

impl Plugin for InterPodAffinity {
    fn name(&self) -> &'static str {
        "InterPodAffinity"
    }

    fn reads(&self, _shape: &Shape) -> Reads {
        Reads {
            namespaces: true,
            ..Reads::default()
        }
    }

    fn filter_for(&self, snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        let filter = filter::Filter::new(snapshot, shape);
        if filter.checks_nothing() {
            PreFilter::Idle(Box::new(filter))
        } else {
            PreFilter::ready(filter)
        }
    }

    fn scorer_for(
        &self,
        snapshot: &Snapshot,
        shape: &Arc<Shape>,
        _: Feasible,
    ) -> Option<Prepared<dyn NodeScorer>> {
        let own = !shape.affinity.preferred.is_empty() || !shape.anti_affinity.preferred.is_empty();
        if self.ignore_preferred_terms_of_existing && !own {
            return Some(Prepared::Skip);
        }
        let scorer = score::Scorer::new(snapshot, shape, self.hard_weight);
        Some(if scorer.is_neutral() {
            Prepared::Idle(Box::new(scorer))
        } else {
            Prepared::Ready(Box::new(scorer))
        })
    }
}

/// Whether a placed pod is what the term of an incoming pod speaks of. A selector that is true for no labels at all holds
/// for every namespace, as in kube-scheduler.
fn selects_placed(term: &PodTerm, snapshot: &Snapshot, placed: &Shape) -> bool {
    let namespace = placed.namespace();
    let labels = snapshot.namespace_labels(namespace);
    let known = snapshot.namespaces.contains_key(namespace);
    let in_namespace = term.namespaces.iter().any(|each| each == namespace)
        || known && term.namespace_selector.matches(labels)
        || term.namespace_selector.matches(&crate::api::Labels::new());
    in_namespace && term.selector.matches(placed.labels())
}

/// Whether the incoming pod is what the term of a placed pod speaks of.
fn selects_incoming(term: &PodTerm, snapshot: &Snapshot, incoming: &Shape) -> bool {
    term.matches(
        incoming.namespace(),
        incoming.labels(),
        snapshot.namespace_labels(incoming.namespace()),
    )
}
