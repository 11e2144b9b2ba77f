//! VolumeZone: volumes labelled with zones or regions are used by nodes there.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{claim_not_found, class_of, find_claim, unresolvable};
use crate::api::PersistentVolume;
use crate::framework::{NodeFilter, Plugin, PreFilter, Reads, Rejection, Verdict};
use crate::shape::Shape;
use crate::snapshot::{NodeId, Snapshot};

const BETA: [(&str, &str); 2] = [
    (
        "failure-domain.beta.kubernetes.io/zone",
        "topology.kubernetes.io/zone",
    ),
    (
        "failure-domain.beta.kubernetes.io/region",
        "topology.kubernetes.io/region",
    ),
];

pub struct VolumeZone;

struct Place {
    label: &'static str,
    values: BTreeSet<String>,
}

struct Filter(Vec<Place>);

impl NodeFilter for Filter {
    fn filter(&self, snapshot: &Snapshot, node: NodeId) -> Verdict {
        let labels = snapshot.nodes.labels(node);
        if !labels_of_places().any(|label| labels.contains_key(label)) {
            return Ok(());
        }
        let matches = |place: &Place| {
            let stable = BETA
                .iter()
                .find(|(beta, _)| *beta == place.label)
                .map(|(_, stable)| *stable);
            let value = labels.get(place.label).or_else(|| labels.get(stable?));
            value.is_some_and(|value| place.values.contains(value))
        };
        if self.0.iter().all(matches) {
            Ok(())
        } else {
            Err(Rejection::unresolvable(
                "node(s) had no available volume zone",
            ))
        }
    }
}

fn labels_of_places() -> impl Iterator<Item = &'static str> {
    BETA.iter().flat_map(|(beta, stable)| [*beta, *stable])
}

fn places(volume: &PersistentVolume) -> impl Iterator<Item = Place> + '_ {
    labels_of_places().filter_map(|label| {
        let values: BTreeSet<String> = volume
            .metadata
            .labels
            .get(label)?
            .split("__")
            .map(str::to_owned)
            .collect();
        (!values.contains("")).then_some(Place { label, values })
    })
}

fn places_of_pod(snapshot: &Snapshot, shape: &Shape) -> Result<Vec<Place>, String> {
    let storage = &snapshot.storage;
    let mut all = Vec::new();
    for named in shape.claims.iter().filter(|claim| !claim.ephemeral) {
        let claim =
            find_claim(snapshot, shape, named).ok_or_else(|| claim_not_found(&named.name))?;
        if !claim.spec.volume_name.is_empty() {
            let name = &claim.spec.volume_name;
            let volume = storage
                .volumes
                .get(name)
                .ok_or_else(|| format!("persistentvolume {name:?} not found"))?;
            all.extend(places(volume));
            continue;
        }
        let class_name = class_of(claim);
        if class_name.is_empty() {
            return Err("PersistentVolumeClaim had no pv name and storageClass name".to_owned());
        }
        let class = storage.classes.get(class_name);
        let class =
            class.ok_or_else(|| format!("storageclass.storage.k8s.io {class_name:?} not found"))?;
        match class.volume_binding_mode.as_deref() {
            None => {
                return Err(format!(
                    "VolumeBindingMode not set for StorageClass {class_name:?}"
                ));
            }
            Some("WaitForFirstConsumer") => {}
            Some(_) => return Err("PersistentVolume had no name".to_owned()),
        }
    }
    Ok(all)
}

impl Plugin for VolumeZone {
    fn name(&self) -> &'static str {
        "VolumeZone"
    }

    fn reads(&self, shape: &Shape) -> Reads {
        Reads {
            storage: !shape.claims.is_empty(),
            ..Reads::default()
        }
    }

    fn filter_for(&self, snapshot: &Snapshot, shape: &Arc<Shape>) -> PreFilter {
        match places_of_pod(snapshot, shape) {
            Err(reason) => PreFilter::Reject(unresolvable(reason)),
            Ok(places) if places.is_empty() => PreFilter::Skip,
            Ok(places) => PreFilter::ready(Filter(places)),
        }
    }
}
