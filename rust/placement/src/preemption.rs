//! DefaultPreemption: which pods of lower priority would have to go so that a pod fits, and on which node that hurts least.

mod budgets;
mod choice;
mod victims;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use crate::cycle::{self, Failure, FilterSlot, Status, first_refusal};
use crate::framework::{Code, Profile, Rejection, no_fit_message};
use crate::shape::Shape;
use crate::snapshot::{NodeId, PodId, Snapshot};
use victims::Candidate;

const NOT_HELPFUL: &str = "Preemption is not helpful for scheduling";

#[derive(Clone, Debug, Default, Serialize)]
pub struct Eligibility {
    pub eligible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Victims {
    /// `namespace/name`, most important first.
    pub victims: Vec<String>,
    pub pdb_violations: usize,
}

/// The outcome, as the framework reports it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PostFilter {
    pub code: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// The pod's own nomination is to be reset.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub clears_nomination: bool,
}

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preemption {
    /// Nodes that take the pod without preemption; nothing else is set then.
    pub feasible: Vec<String>,
    pub node_status: BTreeMap<String, Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected_in_pre_filter: Option<Status>,
    pub eligibility: Eligibility,
    /// Nodes where the departure of other pods may help.
    pub potential_nodes: Vec<String>,
    pub candidates: BTreeMap<String, Victims>,
    pub not_candidates: BTreeMap<String, Status>,
    /// Nodes that hurt least; more than one is a tie.
    pub selected: Vec<String>,
    /// The node that is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Victims on that node to be evicted, `namespace/name`; those already terminating are left out.
    pub evicted: Vec<String>,
    /// Pods of lower priority that lose their nomination to that node.
    pub cleared_nominations: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_filter: Option<PostFilter>,
    /// Event text.
    pub message: String,
}

/// `nominated` is the node that the pod was nominated to earlier, if any; `offset` says at which node the search starts.
pub fn preempt(
    profile: &Profile,
    snapshot: &mut Snapshot,
    shape: &Arc<Shape>,
    pod: Option<PodId>,
    nominated: &str,
    offset: u64,
) -> Preemption {
    let mut result = Preemption::default();
    let mut slots = match cycle::filters(profile, snapshot, shape) {
        Err(refusal) => {
            result.message = Failure::of_refusal(snapshot, refusal.clone()).message;
            result.rejected_in_pre_filter =
                Some(Status::of(&refusal.rejection, Some(refusal.plugin)));
            Vec::new()
        }
        Ok(filters) => {
            let (mut slots, narrowed) = (filters.slots, filters.narrowed);
            let mut refused = Vec::new();
            let mut left_out = 0;
            for node in snapshot.nodes.ids().collect::<Vec<_>>() {
                let name = snapshot.nodes.name(node).to_string();
                if narrowed
                    .as_ref()
                    .is_some_and(|narrowed| !narrowed.names.contains(&name))
                {
                    left_out += 1;
                } else if let Some((at, why)) =
                    first_refusal(snapshot, &mut slots, node, shape.priority, pod)
                {
                    result
                        .node_status
                        .insert(name, Status::of(&why, Some(profile.plugin(at))));
                    refused.push((node, profile.plugin(at), why));
                } else {
                    result.feasible.push(name);
                }
            }
            result.feasible.sort_unstable();
            result.message =
                Failure::of_nodes(snapshot, refused, narrowed.as_ref(), left_out).message;
            slots
        }
    };
    if !result.feasible.is_empty() {
        result.message = String::new();
        return result;
    }
    result.eligibility = eligibility(snapshot, shape, nominated, &result.node_status);
    if let Some(reason) = result.eligibility.reason {
        result.fail(format!("preemption: {reason}"), false);
        return result;
    }
    search(
        profile,
        snapshot,
        shape,
        pod,
        &mut slots,
        offset,
        &mut result,
    );
    result
}

impl Preemption {
    fn fail(&mut self, text: String, clears_nomination: bool) {
        self.message = format!("{} {text}", self.message);
        let code = Code::Unschedulable.name();
        self.post_filter = Some(PostFilter {
            code,
            reasons: vec![text],
            clears_nomination,
        });
    }
}

fn eligibility(
    snapshot: &Snapshot,
    shape: &Shape,
    nominated: &str,
    statuses: &BTreeMap<String, Status>,
) -> Eligibility {
    let no = |reason| Eligibility {
        eligible: false,
        reason: Some(reason),
    };
    if shape.spec().preemption_policy.as_deref() == Some("Never") {
        return no("not eligible due to preemptionPolicy=Never.");
    }
    let hopeless = statuses
        .get(nominated)
        .is_some_and(|status| status.code == Code::Unresolvable.name());
    if let Some(node) = snapshot.nodes.find(nominated).filter(|_| !hopeless) {
        let mut pods = snapshot.nodes.pods[node.index()]
            .iter()
            .filter_map(|pod| snapshot.pods.get(*pod));
        if pods.any(|row| row.shape.priority < shape.priority && row.shape.template.preempted) {
            return no("not eligible due to a terminating pod on the nominated node.");
        }
    }
    Eligibility {
        eligible: true,
        reason: None,
    }
}

fn search(
    profile: &Profile,
    snapshot: &mut Snapshot,
    shape: &Arc<Shape>,
    pod: Option<PodId>,
    slots: &mut [FilterSlot],
    offset: u64,
    result: &mut Preemption,
) {
    let unschedulable =
        |name: &&String| result.node_status[*name].code == Code::Unschedulable.name();
    result.potential_nodes = result
        .node_status
        .keys()
        .filter(unschedulable)
        .cloned()
        .collect();
    let potential: Vec<NodeId> = result
        .potential_nodes
        .iter()
        .filter_map(|name| snapshot.nodes.find(name))
        .collect();
    let wanted = (potential.len() as i64 * profile.preemption.percentage / 100)
        .max(profile.preemption.absolute);
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut refusals: Vec<Rejection> = Vec::new();
    for at in 0..potential.len() {
        let node = potential[(at + (offset % potential.len() as u64) as usize) % potential.len()];
        match victims::select(profile, snapshot, shape, pod, slots, node) {
            Ok(candidate) => candidates.push(candidate),
            Err((plugin, rejection)) => {
                let name = snapshot.nodes.name(node).to_string();
                result
                    .not_candidates
                    .insert(name, Status::of(&rejection, plugin));
                refusals.push(rejection);
            }
        }
        if candidates.iter().any(|candidate| candidate.violations == 0)
            && candidates.len() as i64 >= wanted
        {
            break;
        }
    }
    for candidate in &candidates {
        let victims = candidate
            .victims
            .iter()
            .map(|pod| key(snapshot, *pod))
            .collect();
        let victims = Victims {
            victims,
            pdb_violations: candidate.violations,
        };
        result
            .candidates
            .insert(snapshot.nodes.name(candidate.node).to_string(), victims);
    }
    if candidates.is_empty() {
        give_up(snapshot, &refusals, result);
    } else {
        settle(snapshot, shape, &candidates, offset, result);
    }
}

fn give_up(snapshot: &Snapshot, refusals: &[Rejection], result: &mut Preemption) {
    let others = Rejection::unresolvable(NOT_HELPFUL);
    let rest = snapshot.nodes.live() - refusals.len();
    let statuses = refusals
        .iter()
        .map(|refusal| (refusal, 1))
        .chain((rest > 0).then_some((&others, rest)));
    let text = format!(
        "preemption: {}",
        no_fit_message(snapshot.nodes.live(), statuses)
    );
    // Without a node worth trying, an earlier nomination is worth nothing either.
    result.fail(text, true);
}

fn settle(
    snapshot: &Snapshot,
    shape: &Shape,
    candidates: &[Candidate],
    offset: u64,
    result: &mut Preemption,
) {
    let best = choice::least_harm(snapshot, candidates);
    let mut names: Vec<String> = best
        .iter()
        .map(|c| snapshot.nodes.name(c.node).to_string())
        .collect();
    let chosen = best[(offset % best.len() as u64) as usize];
    names.sort_unstable();
    result.selected = names;
    result.node = Some(snapshot.nodes.name(chosen.node).to_string());
    result.post_filter = Some(PostFilter {
        code: "Success",
        reasons: Vec::new(),
        clears_nomination: false,
    });
    let running = |pod: &&PodId| {
        snapshot
            .pods
            .get(**pod)
            .is_some_and(|row| !row.shape.template.terminating)
    };
    let evicted: BTreeSet<String> = chosen
        .victims
        .iter()
        .filter(running)
        .map(|pod| key(snapshot, *pod))
        .collect();
    result.evicted = evicted.into_iter().collect();
    if !result.evicted.is_empty() {
        let lower = |pod: &&PodId| {
            snapshot
                .pods
                .get(**pod)
                .is_some_and(|row| row.shape.priority < shape.priority)
        };
        let nominated = snapshot.nominated_to(chosen.node).iter().filter(lower);
        let cleared: BTreeSet<String> = nominated.map(|pod| key(snapshot, *pod)).collect();
        result.cleared_nominations = cleared.into_iter().collect();
    }
}

fn key(snapshot: &Snapshot, pod: PodId) -> String {
    snapshot
        .pods
        .get(pod)
        .map_or_else(String::new, |row| row.key.to_string())
}
