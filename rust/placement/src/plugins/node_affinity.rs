//! NodeAffinity: nodeSelector, required and preferred node affinity, and the affinity that the configuration adds.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::api;
use crate::framework::{
    Feasible, NodeFilter, NodeScorer, Normalize, Plugin, PreFilter, Prepared, Rejection, Verdict,
};
use crate::selector::{NodeTerm, NodeTerms, Test};
use crate::shape::Shape;
use crate::snapshot::{NodeId, Snapshot};

#[derive(Default)]
pub struct NodeAffinity {
    added_required: Option<Arc<NodeTerms>>,
    added_preferred: Arc<[(i64, NodeTerm)]>,
}

impl NodeAffinity {
    pub fn new(added: &api::NodeAffinity) -> Self {
        Self {
            added_required: added
                .required
                .as_ref()
                .map(|terms| Arc::new(NodeTerms::of(terms))),
            added_preferred: added
                .preferred
                .iter()
                .map(|t| (t.weight, NodeTerm::of(&t.preference)))
                .collect(),
        }
    }
}

struct Filter {
    shape: Arc<Shape>,
    added: Option<Arc<NodeTerms>>,
}

impl NodeFilter for Filter {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        let (name, labels) = (snapshot.nodes.name(node), snapshot.nodes.labels(node));
        if self
            .added
            .as_ref()
            .is_some_and(|terms| !terms.matches(name, labels))
        {
            return Err(Rejection::unresolvable(
                "node(s) didn't match scheduler-enforced node affinity",
            ));
        }
        if self.shape.matches_node(name, labels) {
            Ok(())
        } else {
            Err(Rejection::unresolvable(
                "node(s) didn't match Pod's node affinity/selector",
            ))
        }
    }
}

struct Scorer {
    shape: Arc<Shape>,
    added: Arc<[(i64, NodeTerm)]>,
}

impl NodeScorer for Scorer {
    fn score(&self, snapshot: &Snapshot, node: NodeId) -> i64 {
        let (name, labels) = (snapshot.nodes.name(node), snapshot.nodes.labels(node));
        let terms = self.added.iter().chain(&self.shape.node_preferred);
        terms
            .filter(|(_, term)| term.matches(name, labels))
            .map(|(weight, _)| weight)
            .sum()
    }

    fn normalize(&self) -> Normalize {
        Normalize::ByMax
    }
}

impl Plugin for NodeAffinity {
    fn name(&self) -> &'static str {
        "NodeAffinity"
    }

    fn filter_for(&self, _snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        if self.added_required.is_none()
            && shape.node_required.is_none()
            && shape.node_selector.is_empty()
        {
            return PreFilter::Skip;
        }
        let only = match shape.node_required.as_ref().map(named_nodes) {
            Some(Some(names)) if names.is_empty() => {
                return PreFilter::Reject(Rejection::unresolvable("pod affinity terms conflict"));
            }
            only => only.flatten(),
        };
        PreFilter::Ready {
            filter: Box::new(Filter {
                shape: Arc::clone(shape),
                added: self.added_required.clone(),
            }),
            only,
        }
    }

    fn scorer_for(
        &self,
        _: &Snapshot,
        shape: &Arc<Shape>,
        _: Feasible,
    ) -> Option<Prepared<dyn NodeScorer>> {
        if shape.node_preferred.is_empty() && self.added_preferred.is_empty() {
            return Some(Prepared::Skip);
        }
        let scorer = Scorer {
            shape: Arc::clone(shape),
            added: Arc::clone(&self.added_preferred),
        };
        Some(Prepared::Ready(Box::new(scorer)))
    }
}

/// The only nodes that terms on `metadata.name` leave; None when some term leaves it open.
fn named_nodes(terms: &NodeTerms) -> Option<BTreeSet<String>> {
    if terms.0.is_empty() {
        return None;
    }
    let mut names = BTreeSet::new();
    for term in &terms.0 {
        let mut of_term: Option<BTreeSet<String>> = None;
        for requirement in term
            .fields
            .iter()
            .filter(|field| field.key == "metadata.name")
        {
            if let Test::In(values) = &requirement.test {
                let values: BTreeSet<String> = values.iter().cloned().collect();
                of_term = Some(match of_term {
                    Some(before) => before.intersection(&values).cloned().collect(),
                    None => values,
                });
            }
        }
        names.extend(of_term?);
    }
    Some(names)
}
