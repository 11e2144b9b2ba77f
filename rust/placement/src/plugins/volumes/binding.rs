//! VolumeBinding: bound claims restrict the node, unbound ones need a volume that exists or can be provisioned there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::capacity::{Room, allowed, room};
use super::{check_owner, claim_not_found, class_of, find_claim, matching, reaches, unresolvable};
use crate::api::PersistentVolumeClaim;
use crate::framework::{
    Code, Feasible, NodeFilter, NodeScorer, Plugin, PreFilter, Prepared, Reach, Reads, Rejection,
    Verdict,
};
use crate::plugins::node_resources_fit::along;
use crate::shape::Shape;
use crate::snapshot::{Allocation, NodeId, Snapshot, VolumeChoice};

const SELECTED_NODE: &str = "volume.kubernetes.io/selected-node";
const BIND_COMPLETED: &str = "pv.kubernetes.io/bind-completed";

#[derive(Default)]
pub struct VolumeBinding {
    /// Points (utilization, score 0-100) of the score by capacity; None leaves it off.
    pub shape: Option<Arc<[(i64, i64)]>>,
}

/// The pod's claims by how they are served.
struct PerPod {
    /// Names of volumes that bound claims use.
    bound: Vec<String>,
    /// Claims (`namespace/name`) that wait for a node, smallest first.
    waiting: Vec<String>,
}

/// What the waiting claims get on one node.
#[derive(Default)]
struct Found {
    choice: VolumeChoice,
    /// Storage class -> (requested, capacity) in bytes, of existing volumes.
    from_volumes: BTreeMap<String, (i64, i64)>,
    /// The same of what is to be provisioned.
    from_capacity: BTreeMap<String, (i64, i64)>,
}

impl PerPod {
    fn find(&self, snapshot: &Snapshot, node: NodeId) -> Result<Found, Rejection> {
        let mut reasons = Vec::new();
        self.check_bound(snapshot, node, &mut reasons);
        match self.find_waiting(snapshot, node) {
            Ok(found) if reasons.is_empty() => Ok(found),
            Ok(_) => Err(Rejection {
                code: Code::Unresolvable,
                reasons: reasons.into(),
            }),
            Err(Miss::Broken(text)) => Err(Rejection::new(Code::Error, text)),
            Err(Miss::Reason(reason)) => {
                reasons.push(reason.into());
                Err(Rejection {
                    code: Code::Unresolvable,
                    reasons: reasons.into(),
                })
            }
        }
    }

    fn check_bound(
        &self,
        snapshot: &Snapshot,
        node: NodeId,
        reasons: &mut Vec<crate::framework::Reason>,
    ) {
        for name in &self.bound {
            let reason = match snapshot.storage.volumes.get(name) {
                None => "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
                Some(volume) if !reaches(snapshot, volume, node) => {
                    "node(s) didn't match PersistentVolume's node affinity"
                }
                Some(_) => continue,
            };
            // Only the first claim that cannot be served is told.
            reasons.push(reason.into());
            return;
        }
    }

    fn find_waiting(&self, snapshot: &Snapshot, node: NodeId) -> Result<Found, Miss> {
        let claims: Vec<&PersistentVolumeClaim> = self
            .waiting
            .iter()
            .filter_map(|key| snapshot.storage.claims.get(key))
            .collect();
        let node_name = &**snapshot.nodes.name(node);
        if claims
            .iter()
            .any(|claim| selected_node(claim).is_some_and(|name| name != node_name))
        {
            return Err(Miss::NO_VOLUME);
        }
        let mut found = Found::default();
        let mut taken = BTreeSet::new();
        let (mut to_provision, to_match): (Vec<_>, Vec<_>) =
            claims.into_iter().partition(|c| selected_node(c).is_some());
        for claim in to_match {
            let Some(volume) = matching::find(snapshot, claim, node, &taken) else {
                to_provision.push(claim);
                continue;
            };
            taken.insert(volume.metadata.name.as_str());
            found
                .choice
                .bindings
                .push((claim.metadata.key(), volume.metadata.name.clone()));
            let sums = found
                .from_volumes
                .entry(class_of(claim).to_owned())
                .or_default();
            sums.0 += matching::requested(claim).unwrap_or_default().value();
            sums.1 += matching::capacity(volume).value();
        }
        for claim in to_provision {
            provision(snapshot, claim, node, &mut found)?;
        }
        Ok(found)
    }
}

fn selected_node(claim: &PersistentVolumeClaim) -> Option<&str> {
    claim
        .metadata
        .annotations
        .get(SELECTED_NODE)
        .map(String::as_str)
}

enum Miss {
    Reason(&'static str),
    Broken(String),
}

impl Miss {
    const NO_VOLUME: Self =
        Self::Reason("node(s) didn't find available persistent volumes to bind");
}

fn provision(
    snapshot: &Snapshot,
    claim: &PersistentVolumeClaim,
    node: NodeId,
    found: &mut Found,
) -> Result<(), Miss> {
    let name = class_of(claim);
    if name.is_empty() {
        return Err(Miss::Broken(format!(
            "no class for claim {:?}",
            claim.metadata.key()
        )));
    }
    let class = snapshot.storage.classes.get(name);
    let class =
        class.ok_or_else(|| Miss::Broken(format!("failed to find storage class {name:?}")))?;
    let labels = snapshot.nodes.labels(node);
    if matches!(
        class.provisioner.as_str(),
        "" | "kubernetes.io/no-provisioner"
    ) || !allowed(&class.allowed_topologies, labels)
    {
        return Err(Miss::NO_VOLUME);
    }
    match room(snapshot, claim, class, labels) {
        Room::Missing => return Err(Miss::Reason("node(s) did not have enough free storage")),
        Room::Found(Some(capacity)) => {
            let sums = found.from_capacity.entry(name.to_owned()).or_default();
            sums.0 += matching::requested(claim).unwrap_or_default().value();
            sums.1 = capacity.value();
        }
        Room::Found(None) | Room::Unknown => {}
    }
    found.choice.provisions.push(claim.metadata.key());
    Ok(())
}

impl NodeFilter for PerPod {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        self.find(snapshot, node).map(|_| ())
    }

    fn pod_moved(&mut self, _: &Snapshot, _: NodeId, other: &Shape, _: i64) -> Reach {
        if self.waiting.is_empty() || other.claims.is_empty() {
            Reach::Nobody
        } else {
            Reach::All
        }
    }

    fn reserve(&self, snapshot: &Snapshot, node: NodeId) -> Result<Option<Allocation>, Rejection> {
        if self.waiting.is_empty() {
            return Ok(None);
        }
        let choice = self.find(snapshot, node)?.choice;
        Ok(Some(Allocation {
            plugin: "VolumeBinding",
            annotations: Vec::new(),
            detail: Arc::new(choice),
        }))
    }
}

struct Scorer {
    per_pod: PerPod,
    shape: Arc<[(i64, i64)]>,
}

impl NodeScorer for Scorer {
    fn score(&self, snapshot: &Snapshot, node: NodeId) -> i64 {
        let Ok(found) = self.per_pod.find(snapshot, node) else {
            return 0;
        };
        let sums = if found.from_volumes.is_empty() {
            &found.from_capacity
        } else {
            &found.from_volumes
        };
        if sums.is_empty() {
            return 0;
        }
        let of_class = |(requested, capacity): &(i64, i64)| {
            let utilization = if *capacity == 0 || requested > capacity {
                100
            } else {
                requested * 100 / capacity
            };
            along(&self.shape, utilization)
        };
        (sums.values().map(of_class).sum::<i64>() as f64 / sums.len() as f64).round() as i64
    }

    fn pod_moved(&mut self, _: &Snapshot, _: NodeId, other: &Shape, _: i64) -> Reach {
        if other.claims.is_empty() {
            Reach::Nobody
        } else {
            Reach::All
        }
    }
}

/// Sorts the pod's claims; Err is why the pod cannot be placed at all.
fn sort_claims(snapshot: &Snapshot, shape: &Shape) -> Result<PerPod, Rejection> {
    let mut all = Vec::new();
    for named in &shape.claims {
        let Some(claim) = find_claim(snapshot, shape, named) else {
            return Err(unresolvable(if named.ephemeral {
                format!(
                    "waiting for ephemeral volume controller to create the persistentvolumeclaim {:?}",
                    named.name
                )
            } else {
                claim_not_found(&named.name)
            }));
        };
        let (name, volume) = (&claim.metadata.name, &claim.spec.volume_name);
        if claim.status.phase == "Lost" {
            let text = format!(
                "persistentvolumeclaim {name:?} bound to non-existent persistentvolume {volume:?}"
            );
            return Err(unresolvable(text));
        }
        if claim.metadata.deletion_timestamp.is_some() {
            return Err(unresolvable(format!(
                "persistentvolumeclaim {name:?} is being deleted"
            )));
        }
        if named.ephemeral {
            check_owner(shape, claim).map_err(unresolvable)?;
        }
        all.push(claim);
    }
    let (bound, unbound): (Vec<_>, Vec<_>) = all.into_iter().partition(|claim| {
        !claim.spec.volume_name.is_empty()
            && claim.metadata.annotations.contains_key(BIND_COMPLETED)
    });
    let mut waiting = Vec::new();
    for claim in unbound {
        if !waits_for_node(snapshot, claim)? {
            return Err(unresolvable(
                "pod has unbound immediate PersistentVolumeClaims",
            ));
        }
        waiting.push(claim);
    }
    waiting.sort_by_key(|claim| matching::requested(claim).unwrap_or_default());
    Ok(PerPod {
        bound: bound
            .iter()
            .map(|claim| claim.spec.volume_name.clone())
            .collect(),
        waiting: waiting.iter().map(|claim| claim.metadata.key()).collect(),
    })
}

fn waits_for_node(snapshot: &Snapshot, claim: &PersistentVolumeClaim) -> Result<bool, Rejection> {
    let name = class_of(claim);
    let Some(class) = snapshot.storage.classes.get(name) else {
        return Ok(false);
    };
    let Some(mode) = class.volume_binding_mode.as_deref() else {
        return Err(Rejection::new(
            Code::Error,
            format!("VolumeBindingMode not set for StorageClass {name:?}"),
        ));
    };
    Ok(mode == "WaitForFirstConsumer" && claim.spec.volume_name.is_empty())
}

impl Plugin for VolumeBinding {
    fn name(&self) -> &'static str {
        "VolumeBinding"
    }

    fn reads(&self, shape: &Shape) -> Reads {
        Reads {
            storage: !shape.claims.is_empty(),
            ..Reads::default()
        }
    }

    fn filter_for(&self, snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        if shape.claims.is_empty() {
            return PreFilter::Skip;
        }
        match sort_claims(snapshot, shape) {
            Err(rejection) => PreFilter::Reject(rejection),
            Ok(per_pod) => PreFilter::ready(per_pod),
        }
    }

    fn scorer_for(
        &self,
        snapshot: &Snapshot,
        shape: &Arc<Shape>,
        _: Feasible,
    ) -> Option<Prepared<dyn NodeScorer>> {
        let (Some(points), Ok(per_pod)) = (&self.shape, sort_claims(snapshot, shape)) else {
            return Some(Prepared::Skip);
        };
        Some(Prepared::Ready(Box::new(Scorer {
            per_pod,
            shape: Arc::clone(points),
        })))
    }
}
