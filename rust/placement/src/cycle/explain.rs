//! Everything the plugins say about one pod: who refuses which node and why, and every score before and after normalising.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::Refusal;
use super::failure::Failure;
use super::nominated::first_refusal;
use super::prepare::{self, FilterSlot};
use crate::framework::{
    Code, Feasible, LEFT_OUT, NodeFilter, Normalize, PreFilter, Prepared, Profile, Rejection,
};
use crate::shape::Shape;
use crate::snapshot::{NodeId, PodId, Snapshot};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    pub code: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin: Option<&'static str>,
}

impl Status {
    pub fn of(rejection: &Rejection, plugin: Option<&'static str>) -> Self {
        let mut reasons: Vec<String> = rejection
            .reasons
            .iter()
            .map(|reason| reason.to_string())
            .collect();
        reasons.sort_unstable();
        Self {
            code: rejection.code.name(),
            reasons,
            plugin,
        }
    }
}

/// A plugin's answer for the pod as a whole.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreFilterStatus {
    pub code: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_names: Option<BTreeSet<String>>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Excluded {
    pub code: &'static str,
    pub nodes: Vec<String>,
    pub reasons: Vec<String>,
}

type PerNode<T> = BTreeMap<String, T>;

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Plugins that have nothing to check.
    pub pre_filter_skip: Vec<&'static str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub pre_filter: BTreeMap<&'static str, PreFilterStatus>,
    /// Plugin -> node -> why it refuses; every plugin asked about every node.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub filter: BTreeMap<&'static str, PerNode<Status>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected_in_pre_filter: Option<Status>,
    /// Node -> the first plugin that refuses it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rejected_by: PerNode<&'static str>,
    /// Node -> the status it counts with, pods nominated there included.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub node_status: PerNode<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excluded: Option<Excluded>,
    pub feasible: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Score plugins that have nothing to score.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped_score: Vec<&'static str>,
    /// Plugin -> node -> raw and normalised score.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<&'static str, PerNode<[i64; 2]>>,
    pub weights: BTreeMap<&'static str, i64>,
    /// Node -> weighted sum of the normalised scores.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub total: PerNode<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<String>,
    /// True when a plugin failed; nothing is decided then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub error: bool,
}

/// Explains a pod of this shape; `pod` is its row when the snapshot has one.
pub fn explain(
    profile: &Profile,
    snapshot: &mut Snapshot,
    shape: &Arc<Shape>,
    pod: Option<PodId>,
) -> Explanation {
    let mut explanation = Explanation::default();
    let mut slots = ask_each_plugin(profile, snapshot, shape, &mut explanation);
    match prepare::filters(profile, snapshot, shape) {
        Err(refusal) if refusal.rejection.code == Code::Error => explanation.error = true,
        Err(refusal) => refuse(snapshot, &refusal, &mut explanation),
        Ok(filters) => {
            let narrowed = filters.narrowed;
            visit(
                profile,
                snapshot,
                shape,
                pod,
                &mut slots,
                narrowed,
                &mut explanation,
            );
        }
    }
    explanation
}

/// What every plugin says on its own.
fn ask_each_plugin(
    profile: &Profile,
    snapshot: &Snapshot,
    shape: &Arc<Shape>,
    explanation: &mut Explanation,
) -> Vec<FilterSlot> {
    let mut slots = Vec::new();
    for (at, weighted) in profile
        .plugins
        .iter()
        .enumerate()
        .filter(|(_, weighted)| weighted.filters)
    {
        let plugin = weighted.plugin.name();
        let (filter, only) = match weighted.plugin.filter_for(snapshot, shape) {
            PreFilter::Skip => {
                explanation.pre_filter_skip.push(plugin);
                continue;
            }
            PreFilter::Pass => continue,
            PreFilter::Reject(rejection) => {
                let Status { code, reasons, .. } = Status::of(&rejection, None);
                explanation.pre_filter.insert(
                    plugin,
                    PreFilterStatus {
                        code,
                        reasons,
                        node_names: None,
                    },
                );
                continue;
            }
            PreFilter::Idle(filter) => {
                explanation.pre_filter_skip.push(plugin);
                slots.push(FilterSlot { plugin: at, filter });
                continue;
            }
            PreFilter::Ready { filter, only } => (filter, only),
        };
        let refusals = refusals(snapshot, &*filter, only.as_ref());
        if !refusals.is_empty() {
            explanation.filter.insert(plugin, refusals);
        }
        if let Some(names) = only {
            let status = PreFilterStatus {
                code: "Success",
                reasons: Vec::new(),
                node_names: Some(names),
            };
            explanation.pre_filter.insert(plugin, status);
        }
        slots.push(FilterSlot { plugin: at, filter });
    }
    slots
}

fn refusals(
    snapshot: &Snapshot,
    filter: &dyn NodeFilter,
    only: Option<&BTreeSet<String>>,
) -> PerNode<Status> {
    let nodes = snapshot
        .nodes
        .ids()
        .filter(|node| only.is_none_or(|only| only.contains(name(snapshot, *node))));
    nodes
        .filter_map(|node| {
            let rejection = filter.filter(snapshot, node).err()?;
            Some((
                name(snapshot, node).to_owned(),
                Status::of(&rejection, None),
            ))
        })
        .collect()
}

fn name(snapshot: &Snapshot, node: NodeId) -> &str {
    snapshot.nodes.name(node)
}

fn refuse(snapshot: &Snapshot, refusal: &Refusal, explanation: &mut Explanation) {
    explanation.message = Some(Failure::of_refusal(snapshot, refusal.clone()).message);
    explanation.rejected_in_pre_filter = Some(Status::of(&refusal.rejection, Some(refusal.plugin)));
}

/// The whole profile, node by node.
fn visit(
    profile: &Profile,
    snapshot: &mut Snapshot,
    shape: &Arc<Shape>,
    pod: Option<PodId>,
    slots: &mut [FilterSlot],
    narrowed: Option<prepare::Narrowed>,
    explanation: &mut Explanation,
) {
    let mut refused = Vec::new();
    let mut left_out = Vec::new();
    let mut mask = vec![false; snapshot.nodes.rows()];
    for node in snapshot.nodes.ids().collect::<Vec<_>>() {
        if narrowed
            .as_ref()
            .is_some_and(|narrowed| !narrowed.names.contains(name(snapshot, node)))
        {
            left_out.push(name(snapshot, node).to_owned());
            continue;
        }
        match first_refusal(snapshot, slots, node, shape.priority, pod) {
            Some((at, rejection)) => refused.push((node, profile.plugin(at), rejection)),
            None => mask[node.index()] = true,
        }
    }
    if refused
        .iter()
        .any(|(_, _, rejection)| rejection.code == Code::Error)
    {
        explanation.error = true;
        return;
    }
    for (node, plugin, rejection) in &refused {
        explanation
            .rejected_by
            .insert(name(snapshot, *node).to_owned(), plugin);
        explanation.node_status.insert(
            name(snapshot, *node).to_owned(),
            Status::of(rejection, Some(plugin)),
        );
    }
    let count = mask.iter().filter(|feasible| **feasible).count();
    if count == 0 {
        explanation.message =
            Some(Failure::of_nodes(snapshot, refused, narrowed.as_ref(), left_out.len()).message);
    }
    if let Some(narrowed) = narrowed.filter(|_| !left_out.is_empty()) {
        left_out.sort_unstable();
        let Status { code, reasons, .. } = Status::of(&narrowed.rejection(), None);
        explanation.excluded = Some(Excluded {
            code,
            nodes: left_out,
            reasons,
        });
    }
    let feasible = Feasible { mask: &mask, count };
    explanation.feasible = feasible
        .nodes()
        .map(|node| name(snapshot, node).to_owned())
        .collect();
    explanation.feasible.sort_unstable();
    if count > 0 {
        score(profile, snapshot, shape, feasible, explanation);
    }
}

fn score(
    profile: &Profile,
    snapshot: &Snapshot,
    shape: &Arc<Shape>,
    feasible: Feasible,
    explanation: &mut Explanation,
) {
    let nodes: Vec<NodeId> = feasible.nodes().collect();
    for node in &nodes {
        explanation
            .total
            .insert(name(snapshot, *node).to_owned(), 0);
    }
    for weighted in profile
        .plugins
        .iter()
        .filter(|weighted| weighted.weight > 0)
    {
        let plugin = weighted.plugin.name();
        let scorer = match weighted.plugin.scorer_for(snapshot, shape, feasible) {
            None => continue,
            Some(Prepared::Skip | Prepared::Idle(_)) => {
                explanation.skipped_score.push(plugin);
                continue;
            }
            Some(Prepared::Ready(scorer)) => scorer,
        };
        explanation.weights.insert(plugin, weighted.weight);
        let raw: Vec<i64> = nodes
            .iter()
            .map(|node| scorer.score(snapshot, *node))
            .collect();
        let of_node = explanation.scores.entry(plugin).or_default();
        for (node, (raw, normalized)) in nodes
            .iter()
            .zip(raw.iter().zip(normalize(scorer.normalize(), &raw)))
        {
            let raw = if *raw == LEFT_OUT { 0 } else { *raw };
            of_node.insert(name(snapshot, *node).to_owned(), [raw, normalized]);
            *explanation
                .total
                .entry(name(snapshot, *node).to_owned())
                .or_default() += weighted.weight * normalized;
        }
    }
    let best = explanation.total.values().max().copied();
    let names = explanation
        .total
        .iter()
        .filter(|(_, total)| Some(**total) == best);
    explanation.best = names.map(|(name, _)| name.clone()).collect();
}

fn normalize(normalize: Normalize, raw: &[i64]) -> Vec<i64> {
    let counted = || raw.iter().copied().filter(|raw| *raw != LEFT_OUT);
    let (min, max) = (counted().min().unwrap_or(0), counted().max().unwrap_or(0));
    raw.iter()
        .map(|raw| normalize.apply(*raw, min, max))
        .collect()
}
