//! Decaying histograms of the kind that Kubernetes' vertical pod autoscaler keeps: exponential buckets, and weights
//! that grow with time instead of old ones shrinking.

/// Parameters of a histogram.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Width of the first bucket; every further one is 5 % wider than the one before.
    pub first_bucket: f64,
    pub buckets: usize,
    /// Age at which a sample counts half.
    pub half_life_ms: i64,
}

impl Options {
    /// Cores, up to 1024.
    pub fn cpu(half_life_ms: i64) -> Self {
        Self::up_to(1024.0, 0.025, half_life_ms)
    }

    /// Bytes, up to 2 TiB.
    pub fn memory(half_life_ms: i64) -> Self {
        Self::up_to((1u64 << 41) as f64, (5u64 << 20) as f64, half_life_ms)
    }

    fn up_to(max: f64, first_bucket: f64, half_life_ms: i64) -> Self {
        let widths = (max * (RATIO - 1.0) / first_bucket + 1.0).ln() / RATIO.ln();
        Self {
            first_bucket,
            buckets: widths.ceil() as usize + 1,
            half_life_ms: half_life_ms.max(1),
        }
    }

    fn bucket_of(&self, value: f64) -> usize {
        if value < self.first_bucket {
            return 0;
        }
        let bucket = (value * (RATIO - 1.0) / self.first_bucket + 1.0).ln() / RATIO.ln();
        (bucket as usize).min(self.buckets - 1)
    }

    fn start_of(&self, bucket: usize) -> f64 {
        self.first_bucket * (RATIO.powi(bucket as i32) - 1.0) / (RATIO - 1.0)
    }
}

const RATIO: f64 = 1.05;
/// A bucket with less weight than this counts as empty.
const EPSILON: f64 = 1e-4;
/// Half-lives after which weights are scaled down, long before they overflow.
const MAX_EXPONENT: i64 = 100;
/// 0001-01-01T00:00Z, from which reference times are multiples of the half-life.
const YEAR_ONE_MS: i64 = -62_135_596_800_000;
/// The largest weight of a checkpoint.
const CHECKPOINT_SCALE: f64 = 10_000.0;

/// What of a histogram is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    pub reference_ms: i64,
    /// Bucket and weight, scaled so that the largest is 10,000; without those that scale to 0.
    pub weights: Vec<(usize, u32)>,
    pub total_weight: f64,
}

/// A checkpoint that does not fit the histogram.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("checkpoint names bucket {bucket}, allowed are 0 to {last}")]
pub struct CheckpointError {
    bucket: usize,
    last: usize,
}

/// A histogram of one resource of one pod, class or node.
#[derive(Debug, Clone)]
pub struct Histogram {
    options: Options,
    weights: Vec<f64>,
    total: f64,
    /// Samples of this moment have weight 1, later ones more.
    reference_ms: i64,
}

impl Histogram {
    pub fn new(options: Options) -> Self {
        Self {
            weights: vec![0.0; options.buckets],
            options,
            total: 0.0,
            reference_ms: YEAR_ONE_MS,
        }
    }

    /// # Errors
    /// When a bucket is beyond this histogram's last one.
    pub fn from_checkpoint(options: Options, stored: &Checkpoint) -> Result<Self, CheckpointError> {
        let mut histogram = Self::new(options);
        histogram.reference_ms = stored.reference_ms;
        let sum: f64 = stored
            .weights
            .iter()
            .map(|&(_, weight)| f64::from(weight))
            .sum();
        for &(bucket, weight) in &stored.weights {
            let last = options.buckets - 1;
            let slot = histogram.weights.get_mut(bucket);
            *slot.ok_or(CheckpointError { bucket, last })? +=
                f64::from(weight) * stored.total_weight / sum;
        }
        histogram.total = histogram.weights.iter().sum();
        Ok(histogram)
    }

    pub fn options(&self) -> Options {
        self.options
    }

    /// Counts one sample; one that is not finite is none.
    pub fn add(&mut self, value: f64, ts_ms: i64) {
        if !value.is_finite() {
            return;
        }
        if ts_ms
            > self
                .reference_ms
                .saturating_add(MAX_EXPONENT * self.options.half_life_ms)
        {
            self.shift_reference(ts_ms);
        }
        let age = (ts_ms - self.reference_ms) as f64 / self.options.half_life_ms as f64;
        let weight = age.exp2();
        self.weights[self.options.bucket_of(value)] += weight;
        self.total += weight;
    }

    fn shift_reference(&mut self, ts_ms: i64) {
        let half_life = self.options.half_life_ms;
        let past = (ts_ms - YEAR_ONE_MS).rem_euclid(half_life);
        let rounded = if past * 2 < half_life {
            ts_ms - past
        } else {
            ts_ms - past + half_life
        };
        let halvings = ((self.reference_ms - rounded) as f64 / half_life as f64).round();
        let scale = halvings.exp2();
        self.weights.iter_mut().for_each(|weight| *weight *= scale);
        self.total *= scale;
        self.reference_ms = rounded;
    }

    /// End of the bucket below which `fraction` (0-1) of the weight lies, so at most 5 % above the true value.
    /// 0 without samples.
    pub fn percentile(&self, fraction: f64) -> f64 {
        let filled = |weight: &f64| *weight >= EPSILON;
        let (Some(first), Some(last)) = (
            self.weights.iter().position(filled),
            self.weights.iter().rposition(filled),
        ) else {
            return 0.0;
        };
        let threshold = fraction * self.total;
        let mut sum = 0.0;
        let reached = |bucket: &usize| {
            sum += self.weights[*bucket];
            sum >= threshold
        };
        let bucket = (first..last).find(reached).unwrap_or(last);
        self.options
            .start_of((bucket + 1).min(self.options.buckets - 1))
    }

    pub fn is_empty(&self) -> bool {
        !self.weights.iter().any(|&weight| weight >= EPSILON)
    }

    pub fn checkpoint(&self) -> Checkpoint {
        let largest = self.weights.iter().copied().fold(0.0, f64::max);
        let scaled = |weight: f64| (weight * CHECKPOINT_SCALE / largest).round() as u32;
        let weights = self.weights.iter().enumerate();
        Checkpoint {
            reference_ms: self.reference_ms,
            weights: weights
                .map(|(bucket, &weight)| (bucket, scaled(weight)))
                .filter(|&(_, weight)| weight > 0)
                .collect(),
            total_weight: self.total,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DAY_MS: i64 = 86_400_000;
    const NOW_MS: i64 = 1_767_571_200_000;

    #[test]
    fn bucket_counts_are_those_of_the_reference() {
        assert_eq!(Options::cpu(DAY_MS).buckets, 158);
        assert_eq!(Options::memory(DAY_MS).buckets, 205);
    }

    #[test]
    fn an_idle_series_predicts_the_first_bucket() {
        let mut histogram = Histogram::new(Options::cpu(DAY_MS));
        assert_eq!(histogram.percentile(0.95), 0.0);
        histogram.add(0.0, NOW_MS);
        assert!((histogram.percentile(0.95) - 0.025).abs() < 1e-12);
    }

    #[test]
    fn a_sample_counts_half_after_a_half_life() {
        let mut histogram = Histogram::new(Options::cpu(DAY_MS));
        for _ in 0..3 {
            histogram.add(8.0, NOW_MS);
        }
        for _ in 0..2 {
            histogram.add(1.0, NOW_MS + DAY_MS);
        }
        assert!(histogram.percentile(0.55) < 1.1);
        assert!(histogram.percentile(0.60) > 8.0);
    }

    #[test]
    fn weights_stay_finite_over_years() {
        let mut histogram = Histogram::new(Options::cpu(3_600_000));
        for day in 0..3_000 {
            histogram.add(2.0, NOW_MS + day * DAY_MS);
        }
        assert!(histogram.total.is_finite());
        assert!((2.0..2.2).contains(&histogram.percentile(0.5)));
    }

    #[test]
    fn a_checkpoint_of_another_shape_is_refused() {
        let stored = Checkpoint {
            reference_ms: NOW_MS,
            weights: vec![(400, 1)],
            total_weight: 1.0,
        };
        let error = Histogram::from_checkpoint(Options::cpu(DAY_MS), &stored).unwrap_err();
        assert_eq!(
            error.to_string(),
            "checkpoint names bucket 400, allowed are 0 to 157"
        );
    }

    proptest! {
        #[test]
        fn every_percentile_is_at_or_above_the_smallest_sample_and_near_the_largest(
            values in prop::collection::vec(0.0f64..900.0, 1..200), fraction in 0.0f64..=1.0,
        ) {
            let mut histogram = Histogram::new(Options::cpu(DAY_MS));
            values.iter().for_each(|&value| histogram.add(value, NOW_MS));
            let (smallest, largest) = values.iter().fold((f64::MAX, 0.0f64), |(low, high), &value| (low.min(value), high.max(value)));
            let predicted = histogram.percentile(fraction);
            prop_assert!(predicted >= smallest);
            prop_assert!(predicted <= (largest * 1.05).max(largest + 0.026) + 1e-9);
        }

        #[test]
        fn a_checkpoint_restores_what_it_was_made_of(values in prop::collection::vec(0.1f64..100.0, 1..50)) {
            let mut histogram = Histogram::new(Options::cpu(DAY_MS));
            values.iter().for_each(|&value| histogram.add(value, NOW_MS));
            let restored = Histogram::from_checkpoint(Options::cpu(DAY_MS), &histogram.checkpoint()).unwrap();
            prop_assert!((restored.total / histogram.total - 1.0).abs() < 1e-9);
            prop_assert_eq!(restored.percentile(1.0), histogram.percentile(1.0));
        }
    }
}
