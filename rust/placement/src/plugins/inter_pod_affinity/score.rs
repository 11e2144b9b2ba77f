//! Preferred terms in both directions, and required ones of placed pods with the configured weight.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::counts::{DomainCounts, is_per_node};
use super::{selects_incoming, selects_placed};
use crate::framework::{NodeScorer, Normalize, Reach};
use crate::shape::Shape;
use crate::snapshot::{NodeId, Snapshot, TopologyKey};

pub(super) struct Scorer {
    shape: Arc<Shape>,
    hard_weight: i64,
    sums: DomainCounts,
    /// Matching (pod, term) pairs, whatever they add up to.
    matches: i64,
    effects: FxHashMap<u32, Arc<[(TopologyKey, i64)]>>,
}

fn effect_of(
    snapshot: &Snapshot,
    incoming: &Shape,
    placed: &Shape,
    hard_weight: i64,
) -> Arc<[(TopologyKey, i64)]> {
    let mut effect = Vec::new();
    for (terms, sign) in [(&incoming.affinity, 1), (&incoming.anti_affinity, -1)] {
        let matching = terms
            .preferred
            .iter()
            .filter(|(_, term)| selects_placed(term, snapshot, placed));
        effect.extend(matching.map(|(weight, term)| (term.topology, sign * weight)));
    }
    for (terms, sign) in [(&placed.affinity, 1), (&placed.anti_affinity, -1)] {
        let matching = terms
            .preferred
            .iter()
            .filter(|(_, term)| selects_incoming(term, snapshot, incoming));
        effect.extend(matching.map(|(weight, term)| (term.topology, sign * weight)));
    }
    if hard_weight > 0 {
        let matching = placed
            .affinity
            .required
            .iter()
            .filter(|term| selects_incoming(term, snapshot, incoming));
        effect.extend(matching.map(|term| (term.topology, hard_weight)));
    }
    effect.into()
}

impl Scorer {
    pub fn new(snapshot: &Snapshot, shape: &Arc<Shape>, hard_weight: i64) -> Self {
        let mut scorer = Self {
            shape: Arc::clone(shape),
            hard_weight,
            sums: DomainCounts::default(),
            matches: 0,
            effects: FxHashMap::default(),
        };
        let own = !shape.affinity.preferred.is_empty() || !shape.anti_affinity.preferred.is_empty();
        if own || snapshot.pods_with_terms > 0 {
            for node in snapshot.nodes.ids() {
                for residents in &snapshot.nodes.residents[node.index()] {
                    if own || residents.shape.has_pod_terms() {
                        scorer.add(snapshot, node, &residents.shape, i64::from(residents.count));
                    }
                }
            }
        }
        scorer
    }

    /// True when nothing placed says anything about such a pod.
    pub fn is_neutral(&self) -> bool {
        self.matches == 0
    }

    fn add(
        &mut self,
        snapshot: &Snapshot,
        node: NodeId,
        placed: &Shape,
        delta: i64,
    ) -> Arc<[(TopologyKey, i64)]> {
        let effect = self.effects.entry(placed.id);
        let effect = Arc::clone(
            effect.or_insert_with(|| effect_of(snapshot, &self.shape, placed, self.hard_weight)),
        );
        for (key, weight) in effect.iter() {
            if self.sums.add(snapshot, *key, node, weight * delta) {
                self.matches += delta;
            }
        }
        effect
    }
}

impl NodeScorer for Scorer {
    fn score(&self, snapshot: &Snapshot, node: NodeId) -> i64 {
        self.sums.of_node(snapshot, node).sum()
    }

    fn normalize(&self) -> Normalize {
        Normalize::ByRange
    }

    fn pod_moved(
        &mut self,
        snapshot: &Snapshot,
        node: NodeId,
        placed: &Shape,
        delta: i64,
    ) -> Reach {
        let effect = self.add(snapshot, node, placed, delta);
        let reach = |key| {
            if is_per_node(snapshot, key) {
                Reach::Node
            } else {
                Reach::All
            }
        };
        effect
            .iter()
            .map(|(key, _)| reach(*key))
            .max()
            .unwrap_or(Reach::Nobody)
    }
}
