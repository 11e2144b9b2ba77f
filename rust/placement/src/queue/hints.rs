//! Queueing hints: whether an event may lift a plugin's rejection of a pod.

use std::sync::Arc;

use super::event::{Event, NodeChange, PodChange, PodFacts, labels, scales_down, taints};
use crate::api::{Labels, Node, Pod};
use crate::plugins::{clash, kept_away};
use crate::requests;
use crate::resource::{PODS, Resources, amount_of};
use crate::shape::{PodTerm, Shape};
use crate::snapshot::Topology;

/// A waiting pod with its compiled shape.
pub struct Waiting<'a> {
    pub key: &'a str,
    pub shape: &'a Shape,
    pub object: &'a Pod,
    pub topology: &'a Topology,
    pub namespaces: &'a dyn Fn(&str) -> Option<&'a Labels>,
}

/// Whether the event may help a pod that this plugin rejected. Plugins that are not known are helped by everything.
pub fn may_help(plugin: &str, pod: &Waiting, event: &Event) -> bool {
    match (plugin, event) {
        (_, Event::Any) => true,
        ("SchedulingGates", _) => is_own_update(pod, event, PodChange::GatesGone),
        (
            "NodeUnschedulable",
            Event::Node {
                change: NodeChange::Add | NodeChange::Taint,
                after,
                ..
            },
        ) => !after.spec.unschedulable,
        ("NodeUnschedulable", _) => is_own_update(pod, event, PodChange::Toleration),
        (
            "NodeName",
            Event::Node {
                change: NodeChange::Add,
                after,
                ..
            },
        ) => after.metadata.name == pod.shape.spec().node_name,
        ("NodeName", _) => false,
        (
            "TaintToleration",
            Event::Node {
                change: NodeChange::Add | NodeChange::Taint,
                before,
                after,
            },
        ) => {
            let refused =
                |node: &Node| kept_away(taints(node), &pod.shape.spec().tolerations, false);
            before.as_deref().is_none_or(refused) && !refused(after)
        }
        ("TaintToleration", _) => is_own_update(pod, event, PodChange::Toleration),
        (
            "NodeAffinity",
            Event::Node {
                change: NodeChange::Add | NodeChange::Label,
                before,
                after,
            },
        ) => {
            let matches = |node: &Node| pod.shape.matches_node(&node.metadata.name, labels(node));
            matches(after) && !before.as_deref().is_some_and(matches)
        }
        ("NodeAffinity", _) => false,
        (
            "NodePorts",
            Event::Node {
                change: NodeChange::Add,
                ..
            },
        ) => true,
        ("NodePorts", Event::AssignedPodDelete(gone)) => {
            let held = ports_of(&gone.pod);
            pod.shape
                .ports
                .iter()
                .any(|wanted| held.iter().any(|each| clash(wanted, each)))
        }
        ("NodePorts", _) => false,
        ("NodeResourcesFit", _) => fit(pod, event),
        ("PodTopologySpread", _) => spread(pod, event),
        ("InterPodAffinity", _) => affinity(pod, event),
        _ => true,
    }
}

fn is_own_update(pod: &Waiting, event: &Event, wanted: PodChange) -> bool {
    matches!(event, Event::PodUpdate { change, after, .. } if *change == wanted && after.key == pod.key)
}

fn ports_of(pod: &Pod) -> Vec<crate::shape::HostPort> {
    crate::shape::host_ports(&pod.spec)
}

fn fit(pod: &Waiting, event: &Event) -> bool {
    match event {
        Event::AssignedPodDelete(_) => true,
        Event::PodUpdate {
            change: PodChange::ScaleDown,
            before,
            after,
        } => after.key == pod.key && scales_down(&before.pod, &after.pod),
        Event::Node {
            change: NodeChange::Add | NodeChange::Allocatable,
            before,
            after,
        } => {
            let mut resources = Resources::default();
            let wanted = resources.amounts(&requests::of_incoming(pod.object));
            let offered = resources.amounts(&after.status.allocatable);
            let fits = amount_of(&offered, PODS) > 0
                && wanted
                    .iter()
                    .all(|(resource, amount)| *amount <= amount_of(&offered, *resource));
            let Some(before) = before.as_ref().filter(|_| fits) else {
                return fits;
            };
            let before = resources.amounts(&before.status.allocatable);
            let grew = |resource| amount_of(&offered, resource) > amount_of(&before, resource);
            grew(PODS)
                || wanted
                    .iter()
                    .any(|(resource, amount)| *amount > 0 && grew(*resource))
        }
        _ => false,
    }
}

fn spread(pod: &Waiting, event: &Event) -> bool {
    let hard = || pod.shape.spread.iter().filter(|constraint| constraint.hard);
    let selected = |facts: &PodFacts| {
        facts.pod.metadata.namespace == pod.shape.namespace()
            && hard().any(|constraint| constraint.selector.matches(&facts.pod.metadata.labels))
    };
    match event {
        Event::AssignedPodAdd(facts) | Event::AssignedPodDelete(facts) => selected(facts),
        Event::PodUpdate {
            change: PodChange::Label,
            before,
            after,
        } => {
            after.key == pod.key
                && hard().any(|constraint| {
                    constraint.selector.matches(&before.pod.metadata.labels)
                        != constraint.selector.matches(&after.pod.metadata.labels)
                })
        }
        Event::Node {
            change,
            before,
            after,
        } => {
            let value = |node: &Node, at: usize| {
                let key = pod.topology.name(pod.shape.spread[at].topology);
                labels(node).get(key).cloned()
            };
            let keys: Vec<usize> = (0..pod.shape.spread.len())
                .filter(|at| pod.shape.spread[*at].hard)
                .collect();
            let matches = |node: &Node| keys.iter().all(|at| value(node, *at).is_some());
            match (change, before) {
                (NodeChange::Add, _) | (_, None) => matches(after),
                (NodeChange::Label, Some(before)) => {
                    matches(before) != matches(after)
                        || matches(after)
                            && keys
                                .iter()
                                .any(|at| value(before, *at) != value(after, *at))
                }
                (NodeChange::Taint, Some(before)) => {
                    matches(before) != matches(after)
                        || matches(after)
                            && keys
                                .iter()
                                .any(|at| value(before, *at) != value(after, *at))
                }
                _ => false,
            }
        }
        _ => false,
    }
}

fn affinity(pod: &Waiting, event: &Event) -> bool {
    let (wanted, shunned) = (
        &pod.shape.affinity.required,
        &pod.shape.anti_affinity.required,
    );
    let all_match = |terms: &[PodTerm], facts: &PodFacts| {
        !terms.is_empty() && terms.iter().all(|term| selects(pod, term, facts))
    };
    match event {
        Event::AssignedPodAdd(facts) => all_match(wanted, facts),
        Event::AssignedPodDelete(facts) => all_match(shunned, facts),
        Event::Node {
            change: NodeChange::Add | NodeChange::Label,
            before,
            after,
        } => wanted.iter().chain(shunned).any(|term| {
            let key = pod.topology.name(term.topology);
            match (before, labels(after).get(key)) {
                (None, value) => value.is_some(),
                (Some(before), value) => labels(before).get(key) != value && value.is_some(),
            }
        }),
        _ => false,
    }
}

fn selects(pod: &Waiting, term: &PodTerm, facts: &PodFacts) -> bool {
    let namespace = facts.pod.metadata.namespace.as_str();
    let none = Labels::new();
    let of_namespace = (pod.namespaces)(namespace).unwrap_or(&none);
    term.matches(namespace, &facts.pod.metadata.labels, of_namespace)
}

/// Whether an arriving pod is what a waiting one rejected by topology spread or with affinity terms waits for.
pub fn concerns(pod: &Waiting, plugins: &[String], arrived: &PodFacts) -> bool {
    let spreads = plugins.iter().any(|plugin| plugin == "PodTopologySpread");
    spreads && arrived.pod.metadata.namespace == pod.shape.namespace()
        || pod
            .shape
            .affinity
            .required
            .iter()
            .any(|term| selects(pod, term, arrived))
}

/// Keeps a pod of an event.
pub fn facts(pod: Pod) -> PodFacts {
    PodFacts {
        key: pod.metadata.key(),
        pod: Arc::new(pod),
    }
}
