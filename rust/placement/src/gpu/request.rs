//! What a pod asks of GPUs.

use crate::resource::{Resources, amount_of};
use crate::shape::Shape;

/// A whole GPU, in thousandths.
pub const WHOLE: i64 = 1000;

pub const WHOLE_GPUS: &str = "nvidia.com/gpu";
/// Percent of one GPU; 100 and more are whole ones.
pub const GPU_CORE: &str = "koordinator.sh/gpu-core";
pub const GPU_MEMORY_RATIO: &str = "koordinator.sh/gpu-memory-ratio";

/// `count` GPUs of one node, `milli` thousandths of each; several, or whole ones, are never shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GpuRequest {
    pub count: i64,
    pub milli: i64,
}

impl GpuRequest {
    pub fn of(shape: &Shape, resources: &Resources) -> Self {
        let amount = |name| {
            resources
                .find(name)
                .map_or(0, |id| amount_of(&shape.requests, id))
        };
        let (whole, percent) = (amount(WHOLE_GPUS), amount(GPU_CORE));
        match (whole, percent) {
            (0, 0) => Self::default(),
            (0, percent) if percent < 100 => Self {
                count: 1,
                milli: percent * WHOLE / 100,
            },
            (0, percent) => Self {
                count: percent / 100,
                milli: WHOLE,
            },
            (whole, _) => Self {
                count: whole,
                milli: WHOLE,
            },
        }
    }

    pub fn is_none(self) -> bool {
        self.count == 0
    }

    pub fn is_share(self) -> bool {
        self.count == 1 && self.milli < WHOLE
    }

    pub fn total(self) -> i64 {
        self.count * self.milli
    }

    /// How many times GPUs with this much left can serve it.
    pub fn times(self, free: &[i64]) -> i64 {
        if self.is_share() {
            free.iter().map(|left| left / self.milli).sum()
        } else {
            free.iter().filter(|left| **left >= WHOLE).count() as i64 / self.count.max(1)
        }
    }

    /// Whether GPUs with this much left can serve it.
    pub fn fits(self, free: &[i64]) -> bool {
        free.iter().filter(|left| **left >= self.milli).count() as i64 >= self.count
    }
}
