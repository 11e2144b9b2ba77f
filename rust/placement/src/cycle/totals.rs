//! The nodes' total scores, with the best of every block at hand, so that a pick looks at few of them.

use crate::snapshot::NodeId;

const BLOCK: usize = 64;

/// The total of a node that is not feasible.
pub const INFEASIBLE: i64 = i64::MIN;

#[derive(Debug, Default)]
pub struct Totals {
    of_node: Vec<i64>,
    /// Best total of each block and how many nodes have it.
    best: Vec<(i64, u32)>,
}

impl Totals {
    pub fn reset(&mut self, rows: usize, total: impl Fn(usize) -> i64) {
        self.of_node.clear();
        self.of_node.extend((0..rows).map(total));
        self.best.clear();
        for block in self.of_node.chunks(BLOCK) {
            self.best.push(best_of(block));
        }
    }

    pub fn set(&mut self, node: NodeId, total: i64) {
        let row = node.index();
        if self.of_node[row] == total {
            return;
        }
        self.of_node[row] = total;
        let block = row / BLOCK;
        let end = (block * BLOCK + BLOCK).min(self.of_node.len());
        self.best[block] = best_of(&self.of_node[block * BLOCK..end]);
    }

    /// One of the nodes with the highest total, the `pick`-th modulo their number; None when no node is feasible.
    pub fn best(&self, pick: u64) -> Option<NodeId> {
        let best = self
            .best
            .iter()
            .map(|(best, _)| *best)
            .max()
            .filter(|best| *best != INFEASIBLE)?;
        let ties: u64 = self
            .best
            .iter()
            .filter(|(each, _)| *each == best)
            .map(|(_, count)| u64::from(*count))
            .sum();
        let mut skip = pick % ties;
        for (block, (each, count)) in self.best.iter().enumerate() {
            if *each != best {
                continue;
            }
            if skip >= u64::from(*count) {
                skip -= u64::from(*count);
                continue;
            }
            let from = block * BLOCK;
            let end = (from + BLOCK).min(self.of_node.len());
            let mut tied = (from..end).filter(|row| self.of_node[*row] == best);
            return tied.nth(skip as usize).map(|row| NodeId(row as u32));
        }
        None
    }
}

fn best_of(block: &[i64]) -> (i64, u32) {
    let best = block.iter().copied().max().unwrap_or(INFEASIBLE);
    (
        best,
        block.iter().filter(|total| **total == best).count() as u32,
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_best_node_is_found_after_any_changes(
            mut totals in proptest::collection::vec(-3i64..3, 1..300),
            changes in proptest::collection::vec((0usize..300, -3i64..3), 0..50),
            pick in any::<u64>(),
        ) {
            let mut columns = Totals::default();
            columns.reset(totals.len(), |row| totals[row]);
            for (row, total) in changes {
                let row = row % totals.len();
                totals[row] = total;
                columns.set(NodeId(row as u32), total);
            }
            let best = *totals.iter().max().unwrap();
            let tied: Vec<usize> = (0..totals.len()).filter(|row| totals[*row] == best).collect();
            let expected = tied[(pick % tied.len() as u64) as usize];
            prop_assert_eq!(columns.best(pick), Some(NodeId(expected as u32)));
        }
    }

    #[test]
    fn nothing_is_picked_when_no_node_is_feasible() {
        let mut totals = Totals::default();
        totals.reset(100, |_| INFEASIBLE);
        assert_eq!(totals.best(7), None);
    }
}
