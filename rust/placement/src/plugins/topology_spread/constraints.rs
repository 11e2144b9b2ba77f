//! Which constraints hold for a pod: its own, or defaults with a selector taken from its owners.

use std::sync::Arc;

use super::TopologySpread;
use crate::api::{Labels, MapSelected};
use crate::plugins::toleration::kept_away;
use crate::selector::Selector;
use crate::shape::{Shape, SpreadConstraint};
use crate::snapshot::{NO_DOMAIN, NodeId, Snapshot, TopologyKey};

/// A constraint of the configuration, for pods that have none.
#[derive(Clone, Debug)]
pub struct DefaultConstraint {
    pub topology: TopologyKey,
    pub max_skew: i64,
    pub hard: bool,
}

#[derive(Clone, Debug)]
pub enum Defaults {
    /// Built in: soft, by host and by zone.
    System(Vec<DefaultConstraint>),
    List(Vec<DefaultConstraint>),
}

/// One constraint with what it says about every node.
pub(super) struct Applied {
    pub constraint: SpreadConstraint,
    /// By node row: pods there count.
    pub counted: Vec<bool>,
}

impl TopologySpread {
    pub(super) fn constraints(
        &self,
        snapshot: &Snapshot,
        shape: &Arc<Shape>,
        hard: bool,
    ) -> Vec<Applied> {
        let constraints: Vec<SpreadConstraint> = if shape.spread.is_empty() {
            self.default_constraints(snapshot, shape, hard)
        } else {
            shape
                .spread
                .iter()
                .filter(|constraint| constraint.hard == hard)
                .cloned()
                .collect()
        };
        constraints
            .into_iter()
            .map(|constraint| self.apply(snapshot, shape, constraint))
            .collect()
    }

    fn default_constraints(
        &self,
        snapshot: &Snapshot,
        shape: &Shape,
        hard: bool,
    ) -> Vec<SpreadConstraint> {
        let (Defaults::System(defaults) | Defaults::List(defaults)) = &self.defaults;
        if !defaults.iter().any(|constraint| constraint.hard == hard) {
            return Vec::new();
        }
        let selector = owners_selector(snapshot, shape);
        if selector.is_empty() || selector == Selector::Nothing {
            return Vec::new();
        }
        let of_this_kind = defaults.iter().filter(|constraint| constraint.hard == hard);
        of_this_kind
            .map(|constraint| SpreadConstraint {
                max_skew: constraint.max_skew,
                topology: constraint.topology,
                hard,
                selector: selector.clone(),
                min_domains: 1,
                honor_affinity: true,
                honor_taints: false,
            })
            .collect()
    }

    fn apply(&self, snapshot: &Snapshot, shape: &Shape, constraint: SpreadConstraint) -> Applied {
        let nodes = &snapshot.nodes;
        let counts = |node: NodeId| {
            (!constraint.honor_affinity || shape.matches_node(nodes.name(node), nodes.labels(node)))
                && (!constraint.honor_taints
                    || !kept_away(
                        nodes.taints(node),
                        &shape.spec().tolerations,
                        self.numeric_tolerations,
                    ))
        };
        let mut counted = vec![false; nodes.rows()];
        for node in nodes.ids() {
            counted[node.index()] = counts(node);
        }
        Applied {
            constraint,
            counted,
        }
    }
}

impl SpreadConstraint {
    /// Whether a placed pod of `other` counts for a pod of `shape`. An empty selector counts nothing that is placed.
    pub(super) fn counts(&self, shape: &Shape, other: &Shape) -> bool {
        !other.template.terminating
            && other.namespace() == shape.namespace()
            && !self.selector.is_empty()
            && self.selector.matches(other.labels())
    }
}

/// True when the node has every key.
pub(super) fn has_keys(snapshot: &Snapshot, node: NodeId, constraints: &[Applied]) -> bool {
    constraints
        .iter()
        .all(|each| snapshot.topology.domain(each.constraint.topology, node) != NO_DOMAIN)
}

/// What the pod's services and its controller select, taken together.
fn owners_selector(snapshot: &Snapshot, shape: &Shape) -> Selector {
    let owners = &snapshot.owners;
    let mut labels = Labels::new();
    let in_namespace = |object: &&MapSelected| object.metadata.namespace == shape.namespace();
    for service in owners.services.values().filter(in_namespace) {
        if let Some(selector) = &service.spec.selector
            && selector
                .iter()
                .all(|(key, value)| shape.labels().get(key) == Some(value))
        {
            labels.extend(selector.clone());
        }
    }
    let Some(owner) = &shape.template.controller else {
        return Selector::of_map(&labels);
    };
    let key = format!("{}/{}", shape.namespace(), owner.name);
    let of_set = match (owner.api_version.as_str(), owner.kind.as_str()) {
        ("v1", "ReplicationController") => {
            if let Some(controller) = owners.replication_controllers.get(&key) {
                labels.extend(controller.spec.selector.clone().unwrap_or_default());
            }
            None
        }
        ("apps/v1", "ReplicaSet") => owners.replica_sets.get(&key),
        ("apps/v1", "StatefulSet") => owners.stateful_sets.get(&key),
        _ => None,
    };
    let mut selector = Selector::of_map(&labels);
    if let Some(set) = of_set
        && let Selector::All(requirements) = Selector::of(set.spec.selector.as_ref())
    {
        selector.and(requirements);
    }
    selector
}
