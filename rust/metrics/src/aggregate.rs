//! What a window of samples amounts to.

/// Every aggregate of one window, computed in one pass and one sort.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aggregate {
    /// Number of samples, at least 1.
    pub count: usize,
    pub avg: f64,
    pub p50: f64,
    pub p90: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
    /// Value with the greatest time stamp; of equal ones the one appended last.
    pub last: f64,
    pub first_ts_ms: i64,
    pub last_ts_ms: i64,
}

/// Position of percentile `p` (0-1) among `count` ascending samples, as Koordinator's metric cache picks it:
/// `trunc(float32(n) * float32(p)) - 1`, at least 0. There is no interpolation.
pub fn percentile_index(count: usize, p: f32) -> usize {
    ((count as f32 * p) as usize).saturating_sub(1)
}

/// Aggregates `samples` (time stamp in ms, value), in the order in which they were appended.
/// `scratch` is reused between calls. None when there is no sample.
pub fn aggregate(
    samples: impl Iterator<Item = (i64, f64)>,
    scratch: &mut Vec<f64>,
) -> Option<Aggregate> {
    scratch.clear();
    let mut sum = 0.0;
    let (mut first_ts_ms, mut last_ts_ms, mut last) = (i64::MAX, i64::MIN, f64::NAN);
    for (ts_ms, value) in samples {
        scratch.push(value);
        sum += value;
        first_ts_ms = first_ts_ms.min(ts_ms);
        if ts_ms >= last_ts_ms {
            (last_ts_ms, last) = (ts_ms, value);
        }
    }
    let count = scratch.len();
    let max_index = count.checked_sub(1)?;
    scratch.sort_unstable_by(f64::total_cmp);
    let at = |p| scratch[percentile_index(count, p)];
    Some(Aggregate {
        count,
        avg: sum / count as f64,
        p50: at(0.5),
        p90: at(0.9),
        p95: at(0.95),
        p99: at(0.99),
        max: scratch[max_index],
        last,
        first_ts_ms,
        last_ts_ms,
    })
}

/// Average growth per second of a counter over `samples`. A value below its predecessor is a reset: the counter
/// started again at 0. None with fewer than two samples or when no time passed between the first and the last.
pub fn increase_per_second(samples: impl Iterator<Item = (i64, f64)>) -> Option<f64> {
    let mut samples = samples;
    let (first_ts_ms, mut previous) = samples.next()?;
    let mut last_ts_ms = first_ts_ms;
    let mut increase = 0.0;
    for (ts_ms, value) in samples {
        increase += if value >= previous {
            value - previous
        } else {
            value
        };
        (last_ts_ms, previous) = (ts_ms, value);
    }
    let elapsed_ms = last_ts_ms - first_ts_ms;
    (elapsed_ms > 0).then(|| increase * 1000.0 / elapsed_ms as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentile_positions_are_those_of_the_reference() {
        let positions = |n| [0.5, 0.9, 0.95, 0.99].map(|p| percentile_index(n, p));
        assert_eq!(positions(1), [0, 0, 0, 0]);
        assert_eq!(positions(2), [0, 0, 0, 0]);
        assert_eq!(positions(10), [4, 8, 8, 8]);
        assert_eq!(positions(60), [29, 53, 56, 58]);
        assert_eq!(positions(300), [149, 269, 284, 296]);
    }

    #[test]
    fn an_empty_window_has_no_aggregate() {
        assert_eq!(aggregate([].into_iter(), &mut Vec::new()), None);
    }

    #[test]
    fn last_goes_by_time_and_not_by_order() {
        let samples = [(2_000, 5.0), (1_000, 9.0)];
        let window = aggregate(samples.into_iter(), &mut Vec::new()).unwrap();
        assert_eq!((window.last, window.max, window.avg), (5.0, 9.0, 7.0));
        assert_eq!((window.first_ts_ms, window.last_ts_ms), (1_000, 2_000));
    }

    #[test]
    fn a_counter_that_was_reset_counts_from_zero() {
        let samples = [(0, 10.0), (1_000, 30.0), (2_000, 5.0)];
        assert_eq!(increase_per_second(samples.into_iter()), Some(12.5));
        assert_eq!(increase_per_second([(0, 1.0)].into_iter()), None);
        assert_eq!(increase_per_second([(5, 1.0), (5, 2.0)].into_iter()), None);
    }
}
