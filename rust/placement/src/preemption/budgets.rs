//! Disruption budgets: whose eviction would break one.

use crate::api::PodDisruptionBudget;
use crate::selector::Selector;
use crate::snapshot::{PodId, Snapshot};

/// Splits pods, in order of importance, into those whose eviction breaks a budget and the others.
pub(super) fn split(snapshot: &Snapshot, pods: &[PodId]) -> (Vec<PodId>, Vec<PodId>) {
    let mut budgets: Vec<(&PodDisruptionBudget, Selector, i64)> = snapshot
        .budgets
        .values()
        .map(|budget| {
            (
                budget,
                Selector::of(budget.spec.selector.as_ref()),
                budget.status.disruptions_allowed,
            )
        })
        .collect();
    pods.iter()
        .partition(|pod| breaks_one(snapshot, **pod, &mut budgets))
}

fn breaks_one(
    snapshot: &Snapshot,
    pod: PodId,
    budgets: &mut [(&PodDisruptionBudget, Selector, i64)],
) -> bool {
    let Some(row) = snapshot
        .pods
        .get(pod)
        .filter(|row| !row.shape.labels().is_empty())
    else {
        return false;
    };
    let name = row.key.rsplit('/').next().unwrap_or(&row.key);
    let mut broken = false;
    for (budget, selector, left) in budgets {
        // A pod that the API server is already disrupting has been counted.
        if budget.metadata.namespace == row.shape.namespace()
            && !selector.is_empty()
            && selector.matches(row.shape.labels())
            && !budget.status.disrupted_pods.contains_key(name)
        {
            *left -= 1;
            broken |= *left < 0;
        }
    }
    broken
}
