//! Taking in objects: each kind goes to its columns, and only what changed is noted.

use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::{Change, NodeFacts, PodId, PodRow, Snapshot};
use crate::api::{self, ByKey, Namespace, Node, ObjectMeta, Pod};
use crate::error::{PlacementError, Result, decode};
use crate::timestamp;

pub const KINDS: &str = "Node, Pod, Namespace, Service, ReplicationController, ReplicaSet, StatefulSet, \
    PodDisruptionBudget, PersistentVolume, PersistentVolumeClaim, StorageClass, CSINode, CSIDriver, CSIStorageCapacity, \
    VolumeAttachment and the kinds of the node plugins";

impl Snapshot {
    /// Takes in a new version of an object from its JSON; returns its key (`namespace/name` or name).
    ///
    /// # Errors
    /// The path that cannot be read, or a kind that is not kept; nothing changes then.
    pub fn upsert(&mut self, kind: &str, raw: &[u8]) -> Result<String> {
        match kind {
            "Pod" => {
                let pod: Pod = decode_named(kind, raw, |pod: &Pod| &pod.metadata)?;
                Ok(self.upsert_pod(pod))
            }
            "Node" => {
                let node: Node = decode_named(kind, raw, |node: &Node| &node.metadata)?;
                let name = node.metadata.name.clone();
                self.upsert_node(node);
                Ok(name)
            }
            "Namespace" => {
                let namespace: Namespace = decode(kind, raw)?;
                let name = namespace.metadata.name;
                let before = self
                    .namespaces
                    .insert(name.clone(), namespace.metadata.labels);
                self.epochs.namespaces += u64::from(before.as_ref() != self.namespaces.get(&name));
                Ok(name)
            }
            _ => self.upsert_looked_up(kind, raw),
        }
    }

    fn upsert_looked_up(&mut self, kind: &str, raw: &[u8]) -> Result<String> {
        let storage = &mut self.storage;
        let (key, changed, epoch) = match kind {
            "PersistentVolume" => store(
                kind,
                raw,
                &mut storage.volumes,
                |o| &o.metadata,
                &mut self.epochs.storage,
            )?,
            "PersistentVolumeClaim" => store(
                kind,
                raw,
                &mut storage.claims,
                |o| &o.metadata,
                &mut self.epochs.storage,
            )?,
            "StorageClass" => store(
                kind,
                raw,
                &mut storage.classes,
                |o| &o.metadata,
                &mut self.epochs.storage,
            )?,
            "CSINode" => store(
                kind,
                raw,
                &mut storage.csi_nodes,
                |o| &o.metadata,
                &mut self.epochs.storage,
            )?,
            "CSIDriver" => store(
                kind,
                raw,
                &mut storage.csi_drivers,
                |o| &o.metadata,
                &mut self.epochs.storage,
            )?,
            "CSIStorageCapacity" => store(
                kind,
                raw,
                &mut storage.capacities,
                |o| &o.metadata,
                &mut self.epochs.storage,
            )?,
            "VolumeAttachment" => store(
                kind,
                raw,
                &mut storage.attachments,
                |o| &o.metadata,
                &mut self.epochs.storage,
            )?,
            "Service" => store(
                kind,
                raw,
                &mut self.owners.services,
                |o| &o.metadata,
                &mut self.epochs.owners,
            )?,
            "ReplicationController" => store(
                kind,
                raw,
                &mut self.owners.replication_controllers,
                |o| &o.metadata,
                &mut self.epochs.owners,
            )?,
            "ReplicaSet" => store(
                kind,
                raw,
                &mut self.owners.replica_sets,
                |o| &o.metadata,
                &mut self.epochs.owners,
            )?,
            "StatefulSet" => store(
                kind,
                raw,
                &mut self.owners.stateful_sets,
                |o| &o.metadata,
                &mut self.epochs.owners,
            )?,
            "PodDisruptionBudget" => {
                // Budgets are read at preemption only: no cache depends on them.
                return Ok(store(kind, raw, &mut self.budgets, |o| &o.metadata, &mut 0)?.0);
            }
            _ => return self.ledger_object(kind, raw),
        };
        *epoch += u64::from(changed);
        Ok(key)
    }

    fn ledger_object(&mut self, kind: &str, raw: &[u8]) -> Result<String> {
        #[derive(serde::Deserialize)]
        struct Named {
            metadata: ObjectMeta,
        }
        self.check_kind(kind)?;
        let key = decode::<Named>(kind, raw)?.metadata.key();
        self.tell_ledgers(kind, &key, Some(raw))?;
        Ok(key)
    }

    fn check_kind(&self, kind: &str) -> Result<()> {
        let known = self
            .ledgers
            .iter()
            .any(|ledger| ledger.kinds().contains(&kind));
        known
            .then_some(())
            .ok_or_else(|| PlacementError::UnknownKind {
                kind: kind.to_owned(),
                known: KINDS,
            })
    }

    fn tell_ledgers(&mut self, kind: &str, key: &str, raw: Option<&[u8]>) -> Result<()> {
        for ledger in &mut self.ledgers {
            if ledger.kinds().contains(&kind)
                && let Some(name) = ledger.object(kind, key, raw)?
                && let Some(node) = self.nodes.find(&name)
            {
                self.journal.push(Change::Node(node));
            }
        }
        Ok(())
    }

    /// Forgets an object by its key; true when it was known.
    ///
    /// # Errors
    /// A kind that is not kept.
    pub fn delete(&mut self, kind: &str, key: &str) -> Result<bool> {
        let storage = &mut self.storage;
        let epochs = &mut self.epochs;
        let (removed, epoch) = match kind {
            "Pod" => return Ok(self.delete_pod(key)),
            "Node" => return Ok(self.delete_node(key)),
            "Namespace" => (
                self.namespaces.remove(key).is_some(),
                &mut epochs.namespaces,
            ),
            "PersistentVolume" => (storage.volumes.remove(key).is_some(), &mut epochs.storage),
            "PersistentVolumeClaim" => (storage.claims.remove(key).is_some(), &mut epochs.storage),
            "StorageClass" => (storage.classes.remove(key).is_some(), &mut epochs.storage),
            "CSINode" => (storage.csi_nodes.remove(key).is_some(), &mut epochs.storage),
            "CSIDriver" => (
                storage.csi_drivers.remove(key).is_some(),
                &mut epochs.storage,
            ),
            "CSIStorageCapacity" => (
                storage.capacities.remove(key).is_some(),
                &mut epochs.storage,
            ),
            "VolumeAttachment" => (
                storage.attachments.remove(key).is_some(),
                &mut epochs.storage,
            ),
            "Service" => (
                self.owners.services.remove(key).is_some(),
                &mut epochs.owners,
            ),
            "ReplicationController" => (
                self.owners.replication_controllers.remove(key).is_some(),
                &mut epochs.owners,
            ),
            "ReplicaSet" => (
                self.owners.replica_sets.remove(key).is_some(),
                &mut epochs.owners,
            ),
            "StatefulSet" => (
                self.owners.stateful_sets.remove(key).is_some(),
                &mut epochs.owners,
            ),
            "PodDisruptionBudget" => return Ok(self.budgets.remove(key).is_some()),
            _ => {
                self.check_kind(kind)?;
                self.tell_ledgers(kind, key, None)?;
                return Ok(true);
            }
        };
        *epoch += u64::from(removed);
        Ok(removed)
    }

    fn upsert_node(&mut self, node: Node) {
        let allocatable = self.resources.amounts(&node.status.allocatable);
        self.nodes.ensure_resources(self.resources.len());
        let images = node.status.images.into_iter();
        let facts = NodeFacts {
            labels: node.metadata.labels,
            taints: node.spec.taints,
            unschedulable: node.spec.unschedulable,
            allocatable,
            images: images
                .flat_map(|image| {
                    image
                        .names
                        .into_iter()
                        .map(move |name| (name, image.size_bytes))
                })
                .collect(),
        };
        let id = self.nodes.row(&node.metadata.name);
        let before = self.nodes.known[id.index()].then(|| self.nodes.facts[id.index()].clone());
        if before.as_ref() == Some(&facts) {
            return;
        }
        let placed_elsewhere = before
            .as_ref()
            .is_none_or(|before| before.labels != facts.labels || before.taints != facts.taints);
        self.epochs.nodes += u64::from(placed_elsewhere);
        if before
            .as_ref()
            .is_none_or(|before| before.images != facts.images)
        {
            self.count_images(before.as_ref().map_or(&[], |before| &before.images), -1);
            self.count_images(&facts.images, 1);
            self.epochs.images += 1;
        }
        self.topology.set_node(id, &facts.labels);
        self.nodes.set_facts(id, facts);
        for ledger in &mut self.ledgers {
            ledger.node(id, &self.nodes, &self.resources);
        }
        self.journal.push(Change::Node(id));
    }

    fn delete_node(&mut self, name: &str) -> bool {
        let Some(id) = self.nodes.find(name) else {
            return false;
        };
        let images = self.nodes.facts[id.index()].images.clone();
        self.count_images(&images, -1);
        self.topology.set_node(id, &api::Labels::new());
        self.epochs.nodes += 1;
        self.epochs.images += 1;
        self.nodes.forget(id)
    }

    fn count_images(&mut self, images: &[(String, i64)], delta: i32) {
        for (name, _) in images {
            let nodes = self.image_nodes.entry(name.clone()).or_default();
            *nodes = nodes.saturating_add_signed(delta);
            if *nodes == 0 {
                self.image_nodes.remove(name);
            }
        }
    }

    /// The pod's shape, with columns ready for the resources and topology keys that it names.
    pub fn shape_of(&mut self, pod: Pod) -> Arc<crate::shape::Shape> {
        let shape = self
            .shapes
            .intern(pod, &mut self.resources, &mut self.topology);
        self.nodes.ensure_resources(self.resources.len());
        self.read_new_topology_keys();
        shape
    }

    /// Fills the columns of topology keys that were named for the first time.
    pub fn read_new_topology_keys(&mut self) {
        if self.topology.take_unread() {
            for row in 0..self.nodes.rows() {
                self.topology
                    .set_node(super::NodeId(row as u32), &self.nodes.facts[row].labels);
            }
        }
    }

    fn upsert_pod(&mut self, mut pod: Pod) -> String {
        let key = pod.metadata.key();
        if matches!(pod.status.phase.as_str(), "Succeeded" | "Failed") {
            self.delete_pod(&key);
            return key;
        }
        let uid = pod.metadata.uid.clone().into_boxed_str();
        let node_name = std::mem::take(&mut pod.spec.node_name);
        let nominated = (node_name.is_empty() && !pod.status.nominated_node_name.is_empty())
            .then(|| Arc::from(pod.status.nominated_node_name.as_str()));
        let start_time = pod.status.start_time.as_deref().and_then(timestamp::parse);
        let shape = self.shape_of(pod);
        let node = (!node_name.is_empty()).then(|| self.nodes.row(&node_name));

        if let Some(id) = self.pods.find(&key) {
            let Some(row) = self.pods.get(id) else {
                return key;
            };
            // An unbound version of a pod that was placed here is older than the placement.
            let node = if row.uid == uid {
                node.or(row.node)
            } else {
                node
            };
            if row.uid == uid && row.shape.id == shape.id && row.node == node {
                self.set_nomination(id, nominated.filter(|_| node.is_none()));
                if let Some(row) = self.pods.get_mut(id) {
                    row.start_time = start_time;
                }
                return key;
            }
            let keeps = row.uid == uid && row.node == node;
            let allocations = if keeps {
                row.allocations.clone()
            } else {
                Vec::new()
            };
            let before = self.take_pod(&key);
            self.insert_pod(PodRow {
                key: Arc::from(&*key),
                uid,
                shape,
                node,
                nominated,
                start_time,
                allocations,
            });
            // Only now: the pod may be what keeps the row of an unknown node.
            if let Some(node) = before.and_then(|row| row.node) {
                self.nodes.release_if_unused(node);
            }
            return key;
        }
        let row = PodRow {
            key: Arc::from(&*key),
            uid,
            shape,
            node,
            nominated,
            start_time,
            allocations: Vec::new(),
        };
        self.insert_pod(row);
        key
    }

    fn insert_pod(&mut self, row: PodRow) {
        let (node, nominated) = (row.node, row.nominated.clone());
        let id = self.pods.insert(PodRow {
            nominated: None,
            ..row
        });
        match node {
            Some(node) => self.attach(id, node),
            None => self.set_nomination(id, nominated),
        }
    }

    fn delete_pod(&mut self, key: &str) -> bool {
        let Some(row) = self.take_pod(key) else {
            return false;
        };
        if let Some(node) = row.node {
            self.nodes.release_if_unused(node);
        }
        true
    }

    /// Takes the pod out; the row of its node stays.
    fn take_pod(&mut self, key: &str) -> Option<PodRow> {
        let id = self.pods.find(key)?;
        self.set_nomination(id, None);
        if let Some(node) = self.pods.get(id).and_then(|row| row.node) {
            self.detach(id, node);
        }
        self.pods.remove(id)
    }

    /// Nominates a waiting pod to a node, or takes its nomination back.
    pub fn set_nomination(&mut self, pod: PodId, node: Option<Arc<str>>) {
        let Some(row) = self.pods.get_mut(pod) else {
            return;
        };
        if row.nominated == node {
            return;
        }
        let before = std::mem::replace(&mut row.nominated, node.clone());
        if let Some(name) = before
            && let Some(pods) = self.nominated.get_mut(&name)
        {
            pods.retain(|each| *each != pod);
            if pods.is_empty() {
                self.nominated.remove(&name);
            }
        }
        if let Some(name) = node {
            self.nominated.entry(name).or_default().push(pod);
        }
    }
}

/// Decodes an object and names it in a later error by its key.
fn decode_named<T: serde::de::DeserializeOwned>(
    kind: &str,
    raw: &[u8],
    meta: fn(&T) -> &ObjectMeta,
) -> Result<T> {
    let object: T = decode(kind, raw)?;
    if meta(&object).name.is_empty() {
        return Err(PlacementError::Invalid {
            object: kind.to_owned(),
            path: "metadata.name".to_owned(),
            found: "nothing".to_owned(),
            allowed: "a name".to_owned(),
        });
    }
    Ok(object)
}

/// Keeps an object by its key; says whether it changed and hands the epoch back to be raised.
fn store<'e, T: serde::de::DeserializeOwned + PartialEq>(
    kind: &str,
    raw: &[u8],
    into: &mut ByKey<T>,
    meta: fn(&T) -> &ObjectMeta,
    epoch: &'e mut u64,
) -> Result<(String, bool, &'e mut u64)> {
    let object: T = decode_named(kind, raw, meta)?;
    let key = meta(&object).key();
    let changed = match into.entry(key.clone()) {
        Entry::Occupied(mut held) => {
            let changed = *held.get() != object;
            held.insert(object);
            changed
        }
        Entry::Vacant(free) => {
            free.insert(object);
            true
        }
    };
    Ok((key, changed, epoch))
}
