//! A class's scores on every node: plugins that need no normalisation summed up, the others each in a column.

use std::sync::Arc;

use super::class::each_row;
use super::totals::{INFEASIBLE, Totals};
use crate::framework::{
    FINE_BITS, Feasible, LEFT_OUT, NodeScorer, Normalize, Prepared, Profile, Reach,
};
use crate::shape::Shape;
use crate::snapshot::{NodeId, Snapshot};

#[derive(Default)]
pub struct Scores {
    /// Scorers whose raw scores are final.
    plain: Vec<Slot>,
    /// By node row: weighted sum of the plain scorers.
    plain_sum: Vec<i64>,
    plain_again: bool,
    normalized: Vec<Column>,
}

struct Slot {
    weight: i64,
    scorer: Box<dyn NodeScorer>,
}

struct Column {
    slot: Slot,
    normalize: Normalize,
    /// By node row; only those of feasible nodes are right.
    raw: Vec<i64>,
    min: i64,
    max: i64,
    /// All raw scores have to be asked for again.
    again: bool,
    /// Nothing to score so far: all raw scores are 0 and not stored.
    idle: bool,
}

impl Column {
    fn new(slot: Slot, normalize: Normalize, idle: bool) -> Self {
        Self {
            slot,
            normalize,
            raw: Vec::new(),
            min: 0,
            max: 0,
            again: false,
            idle,
        }
    }

    fn ask(&mut self, snapshot: &Snapshot, feasible: Feasible) {
        self.again = false;
        if self.idle {
            return;
        }
        let scorer = &self.slot.scorer;
        self.raw = each_row(feasible.mask.len(), |row| {
            if feasible.mask[row] {
                scorer.score(snapshot, NodeId(row as u32))
            } else {
                0
            }
        });
    }

    fn score(&self, row: usize) -> i64 {
        let raw = if self.idle { 0 } else { self.raw[row] };
        total_of(self.slot.weight, self.normalize, raw, self.min, self.max)
    }

    /// Sets the bounds over the feasible nodes; true when one changed.
    fn bound(&mut self, feasible: Feasible) -> bool {
        if self.idle {
            return false;
        }
        let (min, max) = bounds(&self.raw, feasible);
        let changed = (min, max) != (self.min, self.max);
        (self.min, self.max) = (min, max);
        changed
    }
}

impl Scores {
    pub fn new(
        profile: &Profile,
        snapshot: &Snapshot,
        shape: &Arc<Shape>,
        feasible: Feasible,
    ) -> Self {
        let mut scores = Self::default();
        for weighted in profile
            .plugins
            .iter()
            .filter(|weighted| weighted.weight > 0)
        {
            let (scorer, idle) = match weighted.plugin.scorer_for(snapshot, shape, feasible) {
                None | Some(Prepared::Skip) => continue,
                Some(Prepared::Idle(scorer)) => (scorer, true),
                Some(Prepared::Ready(scorer)) => (scorer, false),
            };
            let slot = Slot {
                weight: weighted.weight,
                scorer,
            };
            match slot.scorer.normalize() {
                Normalize::Identity => scores.plain.push(slot),
                normalize => scores.normalized.push(Column::new(slot, normalize, idle)),
            }
        }
        scores.ask_plain(snapshot, feasible);
        for column in &mut scores.normalized {
            column.ask(snapshot, feasible);
            column.bound(feasible);
        }
        scores
    }

    pub fn fill(&self, totals: &mut Totals, feasible: Feasible) {
        totals.reset(feasible.mask.len(), |row| {
            if feasible.mask[row] {
                self.total(row)
            } else {
                INFEASIBLE
            }
        });
    }

    fn total(&self, row: usize) -> i64 {
        self.normalized
            .iter()
            .fold(self.plain_sum[row], |total, column| {
                total + column.score(row)
            })
    }

    fn plain_score(&self, snapshot: &Snapshot, node: NodeId) -> i64 {
        let weighted = self
            .plain
            .iter()
            .map(|slot| slot.weight * slot.scorer.score(snapshot, node));
        weighted.sum::<i64>() << FINE_BITS
    }

    fn ask_plain(&mut self, snapshot: &Snapshot, feasible: Feasible) {
        self.plain_again = false;
        self.plain_sum = each_row(feasible.mask.len(), |row| {
            if feasible.mask[row] {
                self.plain_score(snapshot, NodeId(row as u32))
            } else {
                0
            }
        });
    }

    /// Tells the scorers of a pod that came or went; false when one has to be prepared again.
    pub fn pod_moved(
        &mut self,
        snapshot: &Snapshot,
        node: NodeId,
        shape: &Shape,
        delta: i64,
    ) -> bool {
        for slot in &mut self.plain {
            match slot.scorer.pod_moved(snapshot, node, shape, delta) {
                Reach::Prepare => return false,
                Reach::All => self.plain_again = true,
                Reach::Node | Reach::Nobody => {}
            }
        }
        for column in &mut self.normalized {
            match column.slot.scorer.pod_moved(snapshot, node, shape, delta) {
                Reach::Prepare => return false,
                Reach::Nobody => {}
                Reach::Node if !column.idle => {}
                Reach::Node | Reach::All => {
                    column.idle = false;
                    column.again = true;
                }
            }
        }
        true
    }

    /// Brings scores and totals up to date; false when a scorer has to be prepared again. `touched` holds every node
    /// whose row or feasibility changed.
    pub fn update(
        &mut self,
        snapshot: &Snapshot,
        feasible: Feasible,
        touched: &[NodeId],
        feasible_changed: bool,
        totals: &mut Totals,
    ) -> bool {
        let mut all = self.plain_again;
        if self.plain_again {
            self.ask_plain(snapshot, feasible);
        } else {
            for node in touched.iter().filter(|node| feasible.mask[node.index()]) {
                self.plain_sum[node.index()] = self.plain_score(snapshot, *node);
            }
        }
        for column in &mut self.normalized {
            if feasible_changed {
                match column.slot.scorer.feasible_changed(snapshot, feasible) {
                    Reach::Prepare => return false,
                    Reach::All => column.again = true,
                    Reach::Node | Reach::Nobody => {}
                }
            }
            let mut changed = feasible_changed;
            if column.again {
                column.ask(snapshot, feasible);
                changed = true;
                all = true;
            } else if !column.idle {
                for node in touched.iter().filter(|node| feasible.mask[node.index()]) {
                    let raw = column.slot.scorer.score(snapshot, *node);
                    changed |= std::mem::replace(&mut column.raw[node.index()], raw) != raw;
                }
            }
            all |= changed && column.bound(feasible);
        }
        if all {
            self.fill(totals, feasible);
        } else {
            for node in touched {
                let row = node.index();
                totals.set(
                    *node,
                    if feasible.mask[row] {
                        self.total(row)
                    } else {
                        INFEASIBLE
                    },
                );
            }
        }
        true
    }

    /// Totals when only these nodes take part. Raw scores that depend on the other feasible nodes stay as they are.
    pub fn of_sample(&self, sample: Feasible) -> Totals {
        let rows = sample.mask.len();
        let mut sums = self.plain_sum.clone();
        for column in self.normalized.iter().filter(|column| !column.idle) {
            let (min, max) = bounds(&column.raw, sample);
            for (row, sum) in sums.iter_mut().enumerate() {
                *sum += total_of(
                    column.slot.weight,
                    column.normalize,
                    column.raw[row],
                    min,
                    max,
                );
            }
        }
        let mut totals = Totals::default();
        totals.reset(rows, |row| {
            if sample.mask[row] {
                sums[row]
            } else {
                INFEASIBLE
            }
        });
        totals
    }
}

/// A score's part of a total: the weighted score, then its finer differences.
fn total_of(weight: i64, normalize: Normalize, raw: i64, min: i64, max: i64) -> i64 {
    ((weight * normalize.apply(raw, min, max)) << FINE_BITS) + normalize.fine(raw, min, max)
}

/// Least and greatest raw score of the feasible nodes that are not left out; zeros without any.
fn bounds(raw: &[i64], feasible: Feasible) -> (i64, i64) {
    let (mut min, mut max) = (i64::MAX, i64::MIN);
    for (raw, feasible) in raw.iter().zip(feasible.mask) {
        if *feasible && *raw != LEFT_OUT {
            min = min.min(*raw);
            max = max.max(*raw);
        }
    }
    if min > max { (0, 0) } else { (min, max) }
}
