//! Volumes: where the pod's claims and disks can be used.

mod binding;
mod capacity;
mod limits;
mod matching;
mod migration;
mod restrictions;
mod zone;

pub use binding::VolumeBinding;
pub use limits::NodeVolumeLimits;
pub use restrictions::VolumeRestrictions;
pub use zone::VolumeZone;

use crate::api::{PersistentVolume, PersistentVolumeClaim};
use crate::framework::Rejection;
use crate::selector::NodeTerms;
use crate::shape::{Claim, Shape};
use crate::snapshot::{NodeId, Snapshot};

/// The class a claim names; an annotation of old wins.
fn class_of(claim: &PersistentVolumeClaim) -> &str {
    let beta = claim
        .metadata
        .annotations
        .get("volume.beta.kubernetes.io/storage-class");
    beta.or(claim.spec.storage_class_name.as_ref())
        .map_or("", String::as_str)
}

fn find_claim<'s>(
    snapshot: &'s Snapshot,
    shape: &Shape,
    claim: &Claim,
) -> Option<&'s PersistentVolumeClaim> {
    snapshot
        .storage
        .claims
        .get(&format!("{}/{}", shape.namespace(), claim.name))
}

fn claim_not_found(name: &str) -> String {
    format!("persistentvolumeclaim {name:?} not found")
}

/// An ephemeral volume's claim must belong to the pod.
///
/// # Errors
/// The text that says whose it is not.
fn check_owner(shape: &Shape, claim: &PersistentVolumeClaim) -> Result<(), String> {
    let (pod, uid) = shape
        .template
        .identity
        .as_ref()
        .map_or(("", ""), |(name, uid)| (name, uid));
    let owned = claim
        .metadata
        .controller()
        .is_some_and(|owner| owner.uid == uid);
    if owned {
        return Ok(());
    }
    let namespace = shape.namespace();
    Err(format!(
        "PVC {namespace}/{} was not created for pod {namespace}/{pod} (pod is not owner)",
        claim.metadata.name
    ))
}

/// Whether the volume can be used on the node.
fn reaches(snapshot: &Snapshot, volume: &PersistentVolume, node: NodeId) -> bool {
    let required = volume.spec.node_affinity.required.as_ref();
    required.is_none_or(|terms| NodeTerms::of(terms).matches("", snapshot.nodes.labels(node)))
}

fn unresolvable(text: impl Into<String>) -> Rejection {
    Rejection::unresolvable(text.into())
}
