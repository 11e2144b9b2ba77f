//! One class of pods: its filters' verdicts and scores on every node, kept up to date from the journal.
//!
//! A placement touches one node, so the next pod of the class costs a look at the nodes touched since, not at all of them.

use std::sync::Arc;

use rayon::prelude::*;

use super::failure::{Failure, Refusal};
use super::prepare::{self, Filters};
use super::scores::Scores;
use super::totals::Totals;
use crate::framework::{Feasible, Profile, Reach, Reads, Rejection};
use crate::shape::Shape;
use crate::snapshot::{Allocation, Change, Epochs, NodeId, PodId, Snapshot};

/// Set for nodes outside the narrowed set.
const LEFT_OUT: u32 = 1 << 31;
/// Set for nodes that do not fit together with the pods nominated to them.
const NOMINATED: u32 = 1 << 30;
/// Clusters from this size on are evaluated by several threads.
pub(super) const PARALLEL_ROWS: usize = 1024;

pub struct Class {
    shape: Arc<Shape>,
    reads: Reads,
    epochs: Epochs,
    /// Journal position up to which everything below is right.
    position: u64,
    state: Result<State, Refusal>,
    /// When it was last used, for eviction.
    pub used: u64,
}

struct State {
    filters: Filters,
    /// By node row: bit i is set when filter i refuses.
    refused: Vec<u32>,
    feasible: Vec<bool>,
    feasible_count: usize,
    scores: Scores,
    totals: Totals,
    /// Nodes refused for the pod at hand because of pods nominated there.
    nominated: Vec<(NodeId, usize, Rejection)>,
    /// Why no node fits, as long as nothing changes.
    failure: Option<Arc<Failure>>,
}

impl Class {
    pub fn new(profile: &Profile, snapshot: &Snapshot, shape: &Arc<Shape>) -> Self {
        Self {
            reads: prepare::reads(profile, shape),
            epochs: snapshot.epochs,
            position: snapshot.journal.end(),
            state: prepare::filters(profile, snapshot, shape)
                .map(|filters| State::new(snapshot, profile, shape, filters)),
            shape: Arc::clone(shape),
            used: 0,
        }
    }

    /// Brings verdicts and scores up to date for this pod.
    pub fn catch_up(&mut self, profile: &Profile, snapshot: &mut Snapshot, pod: Option<PodId>) {
        if !self.reads.unchanged(self.epochs, snapshot.epochs) || !self.follow(profile, snapshot) {
            let used = self.used;
            *self = Self::new(profile, snapshot, &self.shape);
            self.used = used;
        }
        self.position = snapshot.journal.end();
        if let Ok(state) = &mut self.state {
            state.apply_nominations(snapshot, &self.shape, pod);
        }
    }

    /// Applies the journal; false when everything has to be prepared again.
    fn follow(&mut self, profile: &Profile, snapshot: &Snapshot) -> bool {
        let Some(changes) = snapshot.journal.since(self.position) else {
            return false;
        };
        match &mut self.state {
            Ok(state) => state.follow(snapshot, changes),
            // Claims come and go with pods too: a refusal is looked at anew.
            Err(_) => {
                self.state = prepare::filters(profile, snapshot, &self.shape)
                    .map(|filters| State::new(snapshot, profile, &self.shape, filters));
                true
            }
        }
    }

    /// The best node; `pick` breaks ties.
    pub fn best(&self, pick: u64) -> Option<NodeId> {
        self.state.as_ref().ok()?.totals.best(pick)
    }

    pub fn is_feasible(&self, node: NodeId) -> bool {
        self.state
            .as_ref()
            .is_ok_and(|state| state.feasible[node.index()])
    }

    pub fn feasible_count(&self) -> usize {
        self.state.as_ref().map_or(0, |state| state.feasible_count)
    }

    /// The best among the first `wanted` feasible nodes from row `start` on, and how many rows were looked at.
    pub fn best_of_sample(
        &self,
        start: usize,
        wanted: usize,
        pick: u64,
    ) -> (Option<NodeId>, usize) {
        let Ok(state) = &self.state else {
            return (None, 0);
        };
        let rows = state.feasible.len();
        let mut sample = vec![false; rows];
        let (mut found, mut looked) = (0, 0);
        while looked < rows && found < wanted {
            let row = (start + looked) % rows;
            sample[row] = state.feasible[row];
            found += usize::from(sample[row]);
            looked += 1;
        }
        let totals = state.scores.of_sample(Feasible {
            mask: &sample,
            count: found,
        });
        (totals.best(pick), looked)
    }

    /// What the node's filters allocate for the pod.
    ///
    /// # Errors
    /// The filter that cannot give what it promised.
    pub fn reserve(
        &self,
        profile: &Profile,
        snapshot: &Snapshot,
        node: NodeId,
    ) -> Result<Vec<Allocation>, Refusal> {
        let Ok(state) = &self.state else {
            return Ok(Vec::new());
        };
        let mut allocations = Vec::new();
        for slot in &state.filters.slots {
            let reserved = slot.filter.reserve(snapshot, node);
            let plugin = profile.plugin(slot.plugin);
            allocations.extend(reserved.map_err(|rejection| Refusal { plugin, rejection })?);
        }
        Ok(allocations)
    }

    /// Why no node is feasible.
    pub fn failure(&mut self, profile: &Profile, snapshot: &Snapshot) -> Arc<Failure> {
        match &mut self.state {
            Err(refusal) => Arc::new(Failure::of_refusal(snapshot, refusal.clone())),
            Ok(state) => state.failure(profile, snapshot),
        }
    }
}

impl State {
    fn new(snapshot: &Snapshot, profile: &Profile, shape: &Arc<Shape>, filters: Filters) -> Self {
        let rows = snapshot.nodes.rows();
        let mut state = Self {
            filters,
            refused: Vec::new(),
            feasible: Vec::new(),
            feasible_count: 0,
            scores: Scores::default(),
            totals: Totals::default(),
            nominated: Vec::new(),
            failure: None,
        };
        state.refused = each_row(rows, |row| state.refused_bits(snapshot, NodeId(row as u32)));
        state.feasible = state.refused.iter().map(|bits| *bits == 0).collect();
        state.feasible_count = state.feasible.iter().filter(|feasible| **feasible).count();
        let feasible = Feasible {
            mask: &state.feasible,
            count: state.feasible_count,
        };
        state.scores = Scores::new(profile, snapshot, shape, feasible);
        state.scores.fill(&mut state.totals, feasible);
        state
    }

    fn refused_bits(&self, snapshot: &Snapshot, node: NodeId) -> u32 {
        if !snapshot.nodes.known[node.index()] || self.filters.leaves_out(snapshot.nodes.name(node))
        {
            return LEFT_OUT;
        }
        self.verdicts(snapshot, node)
    }

    fn verdicts(&self, snapshot: &Snapshot, node: NodeId) -> u32 {
        let slots = self.filters.slots.iter().enumerate();
        slots.fold(0, |bits, (at, slot)| {
            bits | u32::from(!slot.filter.passes(snapshot, node)) << at
        })
    }

    /// Applies changes; false when a filter or scorer has to be prepared again.
    fn follow<'c>(
        &mut self,
        snapshot: &Snapshot,
        changes: impl Iterator<Item = &'c Change>,
    ) -> bool {
        let mut touched = Touched::default();
        for change in changes {
            match change {
                Change::Node(node) => touched.nodes.push(*node),
                Change::Pod { node, shape, delta } => {
                    touched.nodes.push(*node);
                    for (at, slot) in self.filters.slots.iter_mut().enumerate() {
                        match slot.filter.pod_moved(snapshot, *node, shape, *delta) {
                            Reach::Prepare => return false,
                            Reach::All => touched.filters |= 1 << at,
                            Reach::Node | Reach::Nobody => {}
                        }
                    }
                    if !self.scores.pod_moved(snapshot, *node, shape, *delta) {
                        return false;
                    }
                }
            }
        }
        if touched.nodes.is_empty() {
            return true;
        }
        touched.nodes.sort_unstable();
        touched.nodes.dedup();
        self.failure = None;
        self.judge(snapshot, &mut touched);
        let feasible = Feasible {
            mask: &self.feasible,
            count: self.feasible_count,
        };
        self.scores.update(
            snapshot,
            feasible,
            &touched.nodes,
            touched.feasible_changed,
            &mut self.totals,
        )
    }

    /// Asks the filters again, where earlier verdicts no longer hold.
    fn judge(&mut self, snapshot: &Snapshot, touched: &mut Touched) {
        for at in 0..touched.nodes.len() {
            let node = touched.nodes[at];
            let bits = self.refused_bits(snapshot, node) | self.refused[node.index()] & NOMINATED;
            self.set_refused(node, bits, touched);
        }
        if touched.filters == 0 {
            return;
        }
        let again: Vec<usize> = (0..self.filters.slots.len())
            .filter(|at| touched.filters >> at & 1 == 1)
            .collect();
        for row in 0..self.refused.len() {
            let node = NodeId(row as u32);
            let mut bits = self.refused[row];
            if bits & LEFT_OUT != 0 {
                continue;
            }
            for at in &again {
                let passes = self.filters.slots[*at].filter.passes(snapshot, node);
                bits = bits & !(1 << at) | u32::from(!passes) << at;
            }
            self.set_refused(node, bits, touched);
        }
    }

    fn set_refused(&mut self, node: NodeId, bits: u32, touched: &mut Touched) {
        let row = node.index();
        self.refused[row] = bits;
        let feasible = bits == 0;
        if self.feasible[row] != feasible {
            self.feasible[row] = feasible;
            self.feasible_count = if feasible {
                self.feasible_count + 1
            } else {
                self.feasible_count - 1
            };
            touched.feasible_changed = true;
            touched.nodes.push(node);
        }
    }

    /// Refuses nodes where the pod would not fit beside the pods nominated there.
    fn apply_nominations(&mut self, snapshot: &mut Snapshot, shape: &Shape, pod: Option<PodId>) {
        let nodes = snapshot.nominated_nodes();
        if nodes.is_empty() && self.nominated.is_empty() {
            return;
        }
        let before: Vec<NodeId> = self.nominated.drain(..).map(|(node, ..)| node).collect();
        for node in &nodes {
            if self.refused[node.index()] & !NOMINATED == 0
                && let Some((plugin, rejection)) =
                    self.refused_with_nominated(snapshot, shape, *node, pod)
            {
                self.nominated.push((*node, plugin, rejection));
            }
        }
        self.failure = None;
        let mut touched = Touched::default();
        for node in before {
            let bits = self.refused[node.index()] & !NOMINATED;
            self.set_refused(node, bits, &mut touched);
        }
        for at in 0..self.nominated.len() {
            let node = self.nominated[at].0;
            let bits = self.refused[node.index()] | NOMINATED;
            self.set_refused(node, bits, &mut touched);
        }
        if touched.feasible_changed {
            touched.nodes.sort_unstable();
            touched.nodes.dedup();
            let feasible = Feasible {
                mask: &self.feasible,
                count: self.feasible_count,
            };
            self.scores
                .update(snapshot, feasible, &touched.nodes, true, &mut self.totals);
        }
    }

    fn refused_with_nominated(
        &mut self,
        snapshot: &mut Snapshot,
        shape: &Shape,
        node: NodeId,
        pod: Option<PodId>,
    ) -> Option<(usize, Rejection)> {
        let counted = super::nominated::counted(snapshot, node, shape.priority, pod);
        if counted.is_empty() {
            return None;
        }
        super::nominated::with_pods(
            snapshot,
            &mut self.filters.slots,
            node,
            &counted,
            |snapshot, slots| {
                slots
                    .iter()
                    .find_map(|slot| Some((slot.plugin, slot.filter.filter(snapshot, node).err()?)))
            },
        )
    }

    fn failure(&mut self, profile: &Profile, snapshot: &Snapshot) -> Arc<Failure> {
        if let Some(failure) = &self.failure {
            return Arc::clone(failure);
        }
        let failure = Arc::new(self.explain_failure(profile, snapshot));
        self.failure = Some(Arc::clone(&failure));
        failure
    }

    fn explain_failure(&self, profile: &Profile, snapshot: &Snapshot) -> Failure {
        let mut nodes = Vec::new();
        let mut left_out = 0;
        for node in snapshot.nodes.ids() {
            let bits = self.refused[node.index()];
            if bits & LEFT_OUT != 0 {
                left_out += 1;
            } else if bits & !NOMINATED != 0 {
                let slot = &self.filters.slots[bits.trailing_zeros() as usize];
                if let Err(rejection) = slot.filter.filter(snapshot, node) {
                    nodes.push((node, profile.plugin(slot.plugin), rejection));
                }
            }
        }
        nodes.extend(
            self.nominated
                .iter()
                .map(|(node, at, why)| (*node, profile.plugin(*at), why.clone())),
        );
        Failure::of_nodes(snapshot, nodes, self.filters.narrowed.as_ref(), left_out)
    }
}

/// What has to be looked at again.
#[derive(Default)]
struct Touched {
    nodes: Vec<NodeId>,
    /// Filters whose verdicts have to be asked for on every node, as bits.
    filters: u32,
    feasible_changed: bool,
}

/// One value per row, by several threads when there are many.
pub(super) fn each_row<T: Send>(rows: usize, of_row: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    if rows >= PARALLEL_ROWS {
        (0..rows)
            .into_par_iter()
            .with_min_len(256)
            .map(of_row)
            .collect()
    } else {
        (0..rows).map(of_row).collect()
    }
}
