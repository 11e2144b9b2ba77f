//! The candidate that hurts least.

use super::victims::{Candidate, start_time};
use crate::snapshot::Snapshot;

/// Keeps, rule by rule: fewest broken budgets, lowest top priority, lowest sum of priorities, fewest victims, and the one
/// whose most important victims started last. What is left over is a tie.
pub(super) fn least_harm<'c>(
    snapshot: &Snapshot,
    candidates: &'c [Candidate],
) -> Vec<&'c Candidate> {
    let priority = |pod| {
        snapshot
            .pods
            .get(pod)
            .map_or(0, |row| i64::from(row.shape.priority))
    };
    let top = |candidate: &Candidate| {
        candidate
            .victims
            .iter()
            .map(|pod| priority(*pod))
            .max()
            .unwrap_or(i64::MIN)
    };
    let longest_running_of_top = |candidate: &Candidate| {
        let of_top = candidate
            .victims
            .iter()
            .filter(|pod| priority(**pod) == top(candidate));
        of_top
            .map(|pod| start_time(snapshot, *pod))
            .min()
            .unwrap_or(i64::MAX)
    };
    let rules: [&dyn Fn(&Candidate) -> i64; 5] = [
        &|candidate| candidate.violations as i64,
        &top,
        // Shifted, so that more victims of negative priority do not look cheaper.
        &|candidate| {
            candidate
                .victims
                .iter()
                .map(|pod| priority(*pod) + i64::from(i32::MAX) + 1)
                .sum()
        },
        &|candidate| candidate.victims.len() as i64,
        &|candidate| longest_running_of_top(candidate).saturating_neg(),
    ];
    let mut left: Vec<&Candidate> = candidates.iter().collect();
    for rule in rules {
        let least = left.iter().map(|candidate| rule(candidate)).min();
        left.retain(|candidate| Some(rule(candidate)) == least);
    }
    left
}
