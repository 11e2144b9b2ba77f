//! ImageLocality: prefer nodes that hold the pod's images, large ones and widely spread ones more.

use std::sync::Arc;

use crate::framework::{Feasible, MAX_SCORE, NodeScorer, Plugin, Prepared, Reach, Reads};
use crate::shape::Shape;
use crate::snapshot::{NodeId, Snapshot};

const MIB: i64 = 1 << 20;
/// Bytes below which images do not count.
const MIN: i64 = 23 * MIB;
/// Bytes per container above which more does not count.
const MAX_PER_CONTAINER: i64 = 1000 * MIB;

pub struct ImageLocality;

struct Scorer(Arc<Shape>);

impl NodeScorer for Scorer {
    fn score(&self, snapshot: &Snapshot, node: NodeId) -> i64 {
        let held = &snapshot.nodes.facts[node.index()].images;
        let total = snapshot.nodes.live() as f64;
        let of_image = |image: &String| {
            let size = held
                .iter()
                .find(|(name, _)| name == image)
                .map(|(_, bytes)| *bytes);
            size.map_or(0, |bytes| {
                let nodes = snapshot.image_nodes.get(image).copied().unwrap_or(0);
                (bytes as f64 * (f64::from(nodes) / total)) as i64
            })
        };
        let sum: i64 = self.0.images.iter().map(of_image).sum();
        let max = MAX_PER_CONTAINER * self.0.images.len() as i64;
        MAX_SCORE * (sum.clamp(MIN, max.max(MIN)) - MIN) / (max - MIN)
    }

    fn pod_moved(&mut self, _: &Snapshot, _: NodeId, _: &Shape, _: i64) -> Reach {
        Reach::Nobody
    }
}

impl Plugin for ImageLocality {
    fn name(&self) -> &'static str {
        "ImageLocality"
    }

    fn reads(&self, _shape: &Shape) -> Reads {
        Reads {
            images: true,
            ..Reads::default()
        }
    }

    fn scorer_for(
        &self,
        _: &Snapshot,
        shape: &Arc<Shape>,
        _: Feasible,
    ) -> Option<Prepared<dyn NodeScorer>> {
        Some(Prepared::Ready(Box::new(Scorer(Arc::clone(shape)))))
    }
}
