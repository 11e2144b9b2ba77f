//! What-if: everything done after `begin` can be taken back, bit for bit.

use std::any::Any;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{Allocation, Change, NodeId, NodeLoad, PodId, Snapshot};

/// Rows as they were before the first change of this what-if touched them.
#[derive(Debug, Default)]
pub(super) struct UndoLog {
    touched: FxHashSet<NodeId>,
    nodes: Vec<SavedNode>,
    pods: Vec<SavedPod>,
    journal_from: u64,
    unheard: bool,
}

#[derive(Debug)]
struct SavedNode {
    node: NodeId,
    load: NodeLoad,
    ledgers: Vec<Box<dyn Any + Send + Sync>>,
}

#[derive(Debug)]
struct SavedPod {
    pod: PodId,
    node: Option<NodeId>,
    allocations: Vec<Allocation>,
}

impl Snapshot {
    /// Starts a what-if. Inside it pods may be placed and taken away; objects must not be changed.
    pub fn begin(&mut self) {
        self.undo.push(UndoLog {
            journal_from: self.journal.end(),
            ..UndoLog::default()
        });
    }

    /// Starts a what-if that ends in `rollback` before anybody else looks: caches do not hear of it.
    pub fn begin_unheard(&mut self) {
        self.begin();
        self.unheard += 1;
        if let Some(log) = self.undo.last_mut() {
            log.unheard = true;
        }
    }

    /// Ends the innermost what-if and keeps what was done.
    pub fn commit(&mut self) {
        let Some(inner) = self.undo.pop() else { return };
        let Some(outer) = self.undo.last_mut() else {
            return;
        };
        for saved in inner.nodes {
            if outer.touched.insert(saved.node) {
                outer.nodes.push(saved);
            }
        }
        outer.pods.extend(inner.pods);
    }

    /// Ends the innermost what-if and restores every column. Caches learn of it as of any other change.
    pub fn rollback(&mut self) {
        let Some(log) = self.undo.pop() else { return };
        self.unheard -= u32::from(log.unheard);
        for saved in log.pods.into_iter().rev() {
            let Some(row) = self.pods.get_mut(saved.pod) else {
                continue;
            };
            let shape = Arc::clone(&row.shape);
            let node = std::mem::replace(&mut row.node, saved.node);
            let allocations = std::mem::replace(&mut row.allocations, saved.allocations.clone());
            if node.is_some() {
                self.count_cluster(&shape, &allocations, -1);
            }
            if saved.node.is_some() {
                self.count_cluster(&shape, &saved.allocations, 1);
            }
        }
        for saved in log.nodes.into_iter().rev() {
            self.nodes.restore(saved.node, saved.load);
            for (ledger, row) in self.ledgers.iter_mut().zip(saved.ledgers) {
                ledger.restore(saved.node, row);
            }
        }
        if log.unheard || self.unheard > 0 {
            return;
        }
        match self.journal.backwards_to(log.journal_from) {
            Some(done) => done
                .iter()
                .for_each(|change| self.journal.push(inverse(change))),
            None => self.journal.forget(),
        }
    }

    /// Keeps the rows that a placement is about to change.
    pub(super) fn remember(&mut self, node: NodeId, pod: PodId) {
        let Some(log) = self.undo.last_mut() else {
            return;
        };
        if let Some(row) = self.pods.get(pod) {
            log.pods.push(SavedPod {
                pod,
                node: row.node,
                allocations: row.allocations.clone(),
            });
        }
        if log.touched.insert(node) {
            log.nodes.push(SavedNode {
                node,
                load: self.nodes.load(node),
                ledgers: self
                    .ledgers
                    .iter()
                    .map(|ledger| ledger.save(node))
                    .collect(),
            });
        }
    }
}

fn inverse(change: &Change) -> Change {
    match change {
        Change::Pod { node, shape, delta } => Change::Pod {
            node: *node,
            shape: shape.clone(),
            delta: -delta,
        },
        Change::Node(node) => Change::Node(*node),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NODES: usize = 3;
    const PODS: usize = 8;

    fn cluster() -> Snapshot {
        let mut snapshot = Snapshot::new(Vec::new());
        for node in 0..NODES {
            let allocatable = r#"{"cpu":"4","memory":"8Gi","pods":"9"}"#;
            let raw = format!(
                r#"{{"metadata":{{"name":"n{node}"}},"status":{{"allocatable":{allocatable}}}}}"#
            );
            snapshot.upsert("Node", raw.as_bytes()).unwrap();
        }
        for pod in 0..PODS {
            let raw = format!(
                r#"{{"metadata":{{"name":"p{pod}","labels":{{"app":"a{}"}}}},"spec":{{"containers":[{{"name":"c",
                "resources":{{"requests":{{"cpu":"{}m"}}}},"ports":[{{"hostPort":{}}}]}}],"volumes":[{{"name":"v",
                "persistentVolumeClaim":{{"claimName":"c{}"}}}}]}}}}"#,
                pod % 3,
                pod * 100,
                pod % 4,
                pod % 2
            );
            snapshot.upsert("Pod", raw.as_bytes()).unwrap();
        }
        snapshot
    }

    /// Moves a pod to a node, or off its node.
    fn step(snapshot: &mut Snapshot, pod: usize, node: Option<usize>) {
        let pod = PodId(pod as u32);
        snapshot.displace(pod);
        if let Some(node) = node {
            snapshot.place(pod, NodeId(node as u32), Vec::new());
        }
    }

    fn columns(snapshot: &Snapshot) -> (Vec<NodeLoad>, String) {
        let loads = (0..NODES)
            .map(|node| snapshot.nodes.load(NodeId(node as u32)))
            .collect();
        (loads, format!("{:?}", snapshot.dump()))
    }

    fn steps() -> impl Strategy<Value = Vec<(usize, Option<usize>)>> {
        proptest::collection::vec((0..PODS, proptest::option::of(0..NODES)), 0..20)
    }

    proptest! {
        #[test]
        fn rollback_restores_every_column(before in steps(), outer in steps(), inner in steps(), unheard in any::<bool>()) {
            let mut snapshot = cluster();
            for (pod, node) in before {
                step(&mut snapshot, pod, node);
            }
            let expected = columns(&snapshot);
            if unheard { snapshot.begin_unheard() } else { snapshot.begin() }
            for (pod, node) in outer {
                step(&mut snapshot, pod, node);
            }
            let middle = columns(&snapshot);
            snapshot.begin();
            for (pod, node) in inner.clone() {
                step(&mut snapshot, pod, node);
            }
            snapshot.rollback();
            prop_assert_eq!(columns(&snapshot), middle);
            snapshot.begin();
            for (pod, node) in inner {
                step(&mut snapshot, pod, node);
            }
            snapshot.commit();
            snapshot.rollback();
            prop_assert_eq!(columns(&snapshot), expected);
        }

        #[test]
        fn the_journal_adds_up_to_what_is_placed(before in steps(), tried in steps()) {
            let mut snapshot = cluster();
            let start = snapshot.journal.end();
            for (pod, node) in before {
                step(&mut snapshot, pod, node);
            }
            snapshot.begin();
            for (pod, node) in tried {
                step(&mut snapshot, pod, node);
            }
            snapshot.rollback();
            let mut pods = [0i64; NODES];
            for change in snapshot.journal.since(start).unwrap() {
                if let Change::Pod { node, delta, .. } = change {
                    pods[node.index()] += delta;
                }
            }
            for (node, count) in pods.iter().enumerate() {
                prop_assert_eq!(*count, snapshot.nodes.pods[node].len() as i64);
            }
        }
    }
}
