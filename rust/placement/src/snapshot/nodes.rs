//! The nodes' columns: one vector per fact, indexed by node.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::PodId;
use crate::api::{Labels, Taint};
use crate::resource::{Amounts, PODS, ResourceId};
use crate::shape::{HostPort, Shape};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Pods of one shape on one node.
#[derive(Clone, Debug)]
pub struct Residents {
    pub shape: Arc<Shape>,
    pub count: u32,
}

impl PartialEq for Residents {
    fn eq(&self, other: &Self) -> bool {
        self.shape.id == other.shape.id && self.count == other.count
    }
}

/// What a node object says; compared to find out whether an update changed anything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeFacts {
    pub labels: Labels,
    pub taints: Vec<Taint>,
    pub unschedulable: bool,
    pub allocatable: Amounts,
    /// Image names with their size in bytes.
    pub images: Vec<(String, i64)>,
}

#[derive(Debug, Default)]
pub struct Nodes {
    by_name: FxHashMap<Arc<str>, NodeId>,
    free: Vec<NodeId>,
    live: usize,
    pub name: Vec<Arc<str>>,
    /// False where no Node object exists: an unused row, or a node that only pods name so far.
    pub known: Vec<bool>,
    pub facts: Vec<NodeFacts>,
    /// By resource, then by node.
    pub allocatable: Vec<Vec<i64>>,
    /// By resource, then by node.
    pub requested: Vec<Vec<i64>>,
    /// Milli-cores and bytes, with defaults for pods without requests.
    pub nonzero: [Vec<i64>; 2],
    pub ports: Vec<Vec<HostPort>>,
    pub residents: Vec<Vec<Residents>>,
    pub pods: Vec<Vec<PodId>>,
}

/// The part of a node's row that pods change.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeLoad {
    pub requested: Vec<i64>,
    pub nonzero: [i64; 2],
    pub ports: Vec<HostPort>,
    pub residents: Vec<Residents>,
    pub pods: Vec<PodId>,
}

impl Nodes {
    /// Number of rows, unused ones included.
    pub fn rows(&self) -> usize {
        self.name.len()
    }

    /// Number of nodes that have an object.
    pub fn live(&self) -> usize {
        self.live
    }

    /// The nodes that have an object, in row order.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.known
            .iter()
            .enumerate()
            .filter(|(_, known)| **known)
            .map(|(row, _)| NodeId(row as u32))
    }

    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.by_name.get(name).copied()
    }

    pub fn name(&self, node: NodeId) -> &Arc<str> {
        &self.name[node.index()]
    }

    pub fn labels(&self, node: NodeId) -> &Labels {
        &self.facts[node.index()].labels
    }

    pub fn taints(&self, node: NodeId) -> &[Taint] {
        &self.facts[node.index()].taints
    }

    pub fn allocatable(&self, node: NodeId, resource: ResourceId) -> i64 {
        self.allocatable
            .get(usize::from(resource.0))
            .map_or(0, |column| column[node.index()])
    }

    pub fn requested(&self, node: NodeId, resource: ResourceId) -> i64 {
        self.requested
            .get(usize::from(resource.0))
            .map_or(0, |column| column[node.index()])
    }

    /// The row of this name, made when there is none.
    pub(super) fn row(&mut self, name: &str) -> NodeId {
        if let Some(node) = self.find(name) {
            return node;
        }
        let node = self.free.pop().unwrap_or_else(|| self.grow());
        let name: Arc<str> = Arc::from(name);
        self.name[node.index()] = Arc::clone(&name);
        self.by_name.insert(name, node);
        node
    }

    fn grow(&mut self) -> NodeId {
        let node = NodeId(self.name.len() as u32);
        self.name.push(Arc::from(""));
        self.known.push(false);
        self.facts.push(NodeFacts::default());
        for column in self
            .allocatable
            .iter_mut()
            .chain(&mut self.requested)
            .chain(&mut self.nonzero)
        {
            column.push(0);
        }
        self.ports.push(Vec::new());
        self.residents.push(Vec::new());
        self.pods.push(Vec::new());
        node
    }

    /// Makes sure that the first `count` resources have columns.
    pub(super) fn ensure_resources(&mut self, count: usize) {
        let rows = self.rows();
        for columns in [&mut self.allocatable, &mut self.requested] {
            while columns.len() < count {
                columns.push(vec![0; rows]);
            }
        }
    }

    /// True when the object says anything new.
    pub(super) fn set_facts(&mut self, node: NodeId, facts: NodeFacts) -> bool {
        let row = node.index();
        if self.known[row] && self.facts[row] == facts {
            return false;
        }
        for column in &mut self.allocatable {
            column[row] = 0;
        }
        for (resource, amount) in &facts.allocatable {
            self.allocatable[usize::from(resource.0)][row] = *amount;
        }
        self.live += usize::from(!self.known[row]);
        self.known[row] = true;
        self.facts[row] = facts;
        true
    }

    /// Forgets the object; the row stays while pods are on it. False when there was no object.
    pub(super) fn forget(&mut self, node: NodeId) -> bool {
        let row = node.index();
        let was_known = std::mem::replace(&mut self.known[row], false);
        self.live -= usize::from(was_known);
        self.facts[row] = NodeFacts::default();
        for column in &mut self.allocatable {
            column[row] = 0;
        }
        self.release_if_unused(node);
        was_known
    }

    /// Gives the row away once it has neither an object nor pods.
    pub(super) fn release_if_unused(&mut self, node: NodeId) {
        let row = node.index();
        if !self.known[row]
            && self.pods[row].is_empty()
            && self.by_name.remove(&self.name[row]).is_some()
        {
            self.name[row] = Arc::from("");
            self.free.push(node);
        }
    }

    /// `what_if`: in a dry run host ports are a set, as in kube-scheduler: one of two pods that hold the same port (which
    /// only an operator can bring about) frees it by leaving.
    pub(super) fn attach(&mut self, node: NodeId, pod: PodId, shape: &Arc<Shape>, what_if: bool) {
        let row = node.index();
        self.count(row, shape, 1);
        for port in &shape.ports {
            if !what_if || !self.ports[row].contains(port) {
                self.ports[row].push(port.clone());
            }
        }
        match self.residents[row]
            .iter_mut()
            .find(|residents| residents.shape.id == shape.id)
        {
            Some(residents) => residents.count += 1,
            None => self.residents[row].push(Residents {
                shape: Arc::clone(shape),
                count: 1,
            }),
        }
        self.pods[row].push(pod);
    }

    pub(super) fn detach(&mut self, node: NodeId, pod: PodId, shape: &Shape, what_if: bool) {
        let row = node.index();
        self.count(row, shape, -1);
        for port in &shape.ports {
            if what_if {
                self.ports[row].retain(|held| held != port);
            } else if let Some(at) = self.ports[row].iter().position(|held| held == port) {
                self.ports[row].swap_remove(at);
            }
        }
        if let Some(at) = self.residents[row]
            .iter()
            .position(|residents| residents.shape.id == shape.id)
        {
            self.residents[row][at].count -= 1;
            if self.residents[row][at].count == 0 {
                self.residents[row].swap_remove(at);
            }
        }
        if let Some(at) = self.pods[row].iter().position(|held| *held == pod) {
            self.pods[row].swap_remove(at);
        }
    }

    fn count(&mut self, row: usize, shape: &Shape, sign: i64) {
        for (resource, amount) in &shape.placed {
            self.requested[usize::from(resource.0)][row] += sign * amount;
        }
        self.requested[usize::from(PODS.0)][row] += sign;
        for (column, amount) in self.nonzero.iter_mut().zip(shape.placed_nonzero) {
            column[row] += sign * amount;
        }
    }

    pub(super) fn load(&self, node: NodeId) -> NodeLoad {
        let row = node.index();
        NodeLoad {
            requested: self.requested.iter().map(|column| column[row]).collect(),
            nonzero: [self.nonzero[0][row], self.nonzero[1][row]],
            ports: self.ports[row].clone(),
            residents: self.residents[row].clone(),
            pods: self.pods[row].clone(),
        }
    }

    pub(super) fn restore(&mut self, node: NodeId, load: NodeLoad) {
        let row = node.index();
        for (column, amount) in self.requested.iter_mut().zip(load.requested) {
            column[row] = amount;
        }
        for (column, amount) in self.nonzero.iter_mut().zip(load.nonzero) {
            column[row] = amount;
        }
        self.ports[row] = load.ports;
        self.residents[row] = load.residents;
        self.pods[row] = load.pods;
    }
}
