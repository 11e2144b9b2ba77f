//! NodeResourcesBalancedAllocation: prefer nodes whose resources would be used evenly.

use std::sync::Arc;

use super::resource_amounts::Weighed;
use crate::framework::{Feasible, MAX_SCORE, NodeScorer, Plugin, Prepared};
use crate::resource::amount_of;
use crate::shape::Shape;
use crate::snapshot::{NodeId, Snapshot};

pub struct BalancedAllocation {
    pub resources: Vec<String>,
}

struct Scorer(Vec<Weighed>);

impl NodeScorer for Scorer {
    /// (1 - standard deviation of the used fractions) * 100, truncated.
    fn score(&self, snapshot: &Snapshot, node: NodeId) -> i64 {
        let fraction = |each: &Weighed| {
            let (requested, allocatable) = each.on(snapshot, node, false)?;
            Some((requested as f64 / allocatable as f64).min(1.0))
        };
        // Nearly always cpu and memory: no list is made for them.
        let mut fractions = self.0.iter().filter_map(fraction);
        let deviation = match (fractions.next(), fractions.next(), fractions.next()) {
            (Some(a), Some(b), None) => ((a - b) / 2.0).abs(),
            (Some(a), Some(b), Some(c)) => {
                deviation([a, b, c].into_iter().chain(fractions).collect())
            }
            _ => 0.0,
        };
        ((1.0 - deviation) * MAX_SCORE as f64) as i64
    }
}

fn deviation(fractions: Vec<f64>) -> f64 {
    let count = fractions.len() as f64;
    let mean = fractions.iter().fold(0.0, |sum, f| sum + f) / count;
    let squares = fractions
        .iter()
        .fold(0.0, |sum, f| sum + (f - mean) * (f - mean));
    (squares / count).sqrt()
}

impl Plugin for BalancedAllocation {
    fn name(&self) -> &'static str {
        "NodeResourcesBalancedAllocation"
    }

    fn scorer_for(
        &self,
        snapshot: &Snapshot,
        shape: &Arc<Shape>,
        _: Feasible,
    ) -> Option<Prepared<dyn NodeScorer>> {
        let weighed = self.resources.iter().filter_map(|name| {
            let resource = snapshot.resources.find(name)?;
            Some(Weighed {
                resource,
                weight: 1,
                request: amount_of(&shape.requests, resource),
            })
        });
        let weighed: Vec<Weighed> = weighed.collect();
        if weighed.iter().all(|each| each.request == 0) {
            return Some(Prepared::Skip);
        }
        Some(Prepared::Ready(Box::new(Scorer(weighed))))
    }
}
