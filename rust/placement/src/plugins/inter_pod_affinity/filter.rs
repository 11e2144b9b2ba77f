//! Required terms, in both directions.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::counts::{DomainCounts, is_per_node};
use super::{selects_incoming, selects_placed};
use crate::framework::{NodeFilter, Reach, Rejection, Verdict};
use crate::shape::Shape;
use crate::snapshot::{NO_DOMAIN, NodeId, Snapshot, TopologyKey};

pub(super) struct Filter {
    shape: Arc<Shape>,
    /// The pod is one that its own affinity terms look for: it may be the first of its group.
    matches_itself: bool,
    /// Placed pods that all affinity terms match.
    affinity: DomainCounts,
    /// Placed pods that an anti-affinity term matches.
    anti_affinity: DomainCounts,
    /// Anti-affinity terms of placed pods that match the incoming one.
    existing_anti_affinity: DomainCounts,
    effects: FxHashMap<u32, Arc<Effect>>,
}

/// What one placed pod of a shape adds.
#[derive(Debug, Default)]
struct Effect {
    affinity: Vec<TopologyKey>,
    anti_affinity: Vec<TopologyKey>,
    existing_anti_affinity: Vec<TopologyKey>,
}

impl Effect {
    fn of(snapshot: &Snapshot, incoming: &Shape, placed: &Shape) -> Self {
        let wanted = &incoming.affinity.required;
        let all_match = !wanted.is_empty()
            && wanted
                .iter()
                .all(|term| selects_placed(term, snapshot, placed));
        let unwanted = incoming.anti_affinity.required.iter();
        let existing = placed.anti_affinity.required.iter();
        Self {
            affinity: if all_match {
                wanted.iter().map(|term| term.topology).collect()
            } else {
                Vec::new()
            },
            anti_affinity: unwanted
                .filter(|term| selects_placed(term, snapshot, placed))
                .map(|term| term.topology)
                .collect(),
            existing_anti_affinity: existing
                .filter(|term| selects_incoming(term, snapshot, incoming))
                .map(|term| term.topology)
                .collect(),
        }
    }

    fn keys(&self) -> impl Iterator<Item = TopologyKey> + '_ {
        self.affinity
            .iter()
            .chain(&self.anti_affinity)
            .chain(&self.existing_anti_affinity)
            .copied()
    }
}

impl Filter {
    pub fn new(snapshot: &Snapshot, shape: &Arc<Shape>) -> Self {
        let wanted = &shape.affinity.required;
        let mut filter = Self {
            shape: Arc::clone(shape),
            matches_itself: wanted
                .iter()
                .all(|term| selects_placed(term, snapshot, shape)),
            affinity: DomainCounts::default(),
            anti_affinity: DomainCounts::default(),
            existing_anti_affinity: DomainCounts::default(),
            effects: FxHashMap::default(),
        };
        if snapshot.pods_with_anti_affinity > 0 || filter.has_own_terms() {
            for node in snapshot.nodes.ids() {
                for residents in &snapshot.nodes.residents[node.index()] {
                    filter.add(snapshot, node, &residents.shape, i64::from(residents.count));
                }
            }
        }
        filter
    }

    fn has_own_terms(&self) -> bool {
        !self.shape.affinity.required.is_empty() || !self.shape.anti_affinity.required.is_empty()
    }

    pub fn checks_nothing(&self) -> bool {
        !self.has_own_terms() && self.existing_anti_affinity.is_zero()
    }

    fn add(
        &mut self,
        snapshot: &Snapshot,
        node: NodeId,
        placed: &Shape,
        delta: i64,
    ) -> Arc<Effect> {
        let effect = self.effects.entry(placed.id);
        let effect = effect.or_insert_with(|| Arc::new(Effect::of(snapshot, &self.shape, placed)));
        let effect = Arc::clone(effect);
        for (keys, counts) in [
            (&effect.affinity, &mut self.affinity),
            (&effect.anti_affinity, &mut self.anti_affinity),
            (
                &effect.existing_anti_affinity,
                &mut self.existing_anti_affinity,
            ),
        ] {
            for key in keys {
                counts.add(snapshot, *key, node, delta);
            }
        }
        effect
    }

    fn near_what_it_wants(&self, snapshot: &Snapshot, node: NodeId) -> bool {
        let mut all_there = true;
        for term in &self.shape.affinity.required {
            let domain = snapshot.topology.domain(term.topology, node);
            if domain == NO_DOMAIN {
                return false;
            }
            all_there &= self.affinity.get(term.topology, domain) > 0;
        }
        // The first pod of a group has nobody to be near to.
        all_there || self.affinity.is_zero() && self.matches_itself
    }

    fn away_from_what_it_shuns(&self, snapshot: &Snapshot, node: NodeId) -> bool {
        self.shape.anti_affinity.required.iter().all(|term| {
            let domain = snapshot.topology.domain(term.topology, node);
            domain == NO_DOMAIN || self.anti_affinity.get(term.topology, domain) <= 0
        })
    }
}

impl NodeFilter for Filter {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        if !self.near_what_it_wants(snapshot, node) {
            return Err(Rejection::unresolvable(
                "node(s) didn't match pod affinity rules",
            ));
        }
        if !self.away_from_what_it_shuns(snapshot, node) {
            return Err(Rejection::unschedulable(
                "node(s) didn't match pod anti-affinity rules",
            ));
        }
        if self
            .existing_anti_affinity
            .of_node(snapshot, node)
            .any(|count| count > 0)
        {
            return Err(Rejection::unschedulable(
                "node(s) didn't satisfy existing pods anti-affinity rules",
            ));
        }
        Ok(())
    }

    fn pod_moved(
        &mut self,
        snapshot: &Snapshot,
        node: NodeId,
        placed: &Shape,
        delta: i64,
    ) -> Reach {
        let was_first = self.affinity.is_zero();
        let effect = self.add(snapshot, node, placed, delta);
        if was_first != self.affinity.is_zero() {
            return Reach::All;
        }
        let reach = |key| {
            if is_per_node(snapshot, key) {
                Reach::Node
            } else {
                Reach::All
            }
        };
        effect.keys().map(reach).max().unwrap_or(Reach::Nobody)
    }
}
