//! The store: series by (metric, entity), all their samples in one bounded arena.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::aggregate::{Aggregate, aggregate, increase_per_second};
use crate::series::{Chunk, Series};

/// Bounds of a store.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// A sample older than this, measured from its series' newest one, may be dropped.
    pub retention_ms: i64,
    /// Bytes of samples in all; 780 per 64 samples of one series.
    pub max_bytes: usize,
}

/// What a store holds now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    pub series: usize,
    /// Bytes taken by samples, free chunks included; never more than `Limits::max_bytes`.
    pub bytes: usize,
    /// Samples that found no room since the store was made.
    pub rejected: u64,
}

/// Entity keys are dense numbers of our own, so one multiplication spreads them well enough.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = (self.0 ^ key)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(26);
    }
}

type ByEntity = HashMap<u64, Series, BuildHasherDefault<KeyHasher>>;

/// Time series addressed by a metric number and an entity key.
pub struct Store {
    limits: Limits,
    max_chunks: usize,
    arena: Vec<Chunk>,
    free: Vec<u32>,
    metrics: Vec<ByEntity>,
    rejected: u64,
    scratch: Vec<f64>,
}

impl Store {
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            max_chunks: (limits.max_bytes / size_of::<Chunk>()).min(u32::MAX as usize),
            arena: Vec::new(),
            free: Vec::new(),
            metrics: Vec::new(),
            rejected: 0,
            scratch: Vec::new(),
        }
    }

    /// Appends one sample for each key. A value that is not finite is no sample and is passed over; a sample that
    /// finds no room is counted and never hurts the others.
    pub fn append(&mut self, metric: usize, ts_ms: i64, samples: impl Iterator<Item = (u64, f64)>) {
        if self.metrics.len() <= metric {
            self.metrics.resize_with(metric + 1, ByEntity::default);
        }
        let mut by_entity = std::mem::take(&mut self.metrics[metric]);
        for (key, value) in samples.filter(|(_, value)| value.is_finite()) {
            let series = by_entity.entry(key).or_default();
            if !self.push(series, ts_ms, value) {
                self.rejected += 1;
            }
        }
        self.metrics[metric] = by_entity;
    }

    fn push(&mut self, series: &mut Series, ts_ms: i64, value: f64) -> bool {
        if let Some(&newest) = series.chunks.back() {
            let chunk = &mut self.arena[newest as usize];
            if chunk.replace_last(ts_ms, value) || chunk.push(ts_ms, value) {
                return true;
            }
        }
        self.expire(series, ts_ms - self.limits.retention_ms);
        // Without room a series goes on in the memory of its own oldest samples.
        let Some(index) = self.take_chunk().or_else(|| series.chunks.pop_front()) else {
            return false;
        };
        series.chunks.push_back(index);
        let chunk = &mut self.arena[index as usize];
        chunk.clear();
        chunk.push(ts_ms, value)
    }

    /// Frees the chunks whose samples are all older than `oldest_ms`.
    fn expire(&mut self, series: &mut Series, oldest_ms: i64) {
        while let Some(&index) = series.chunks.front() {
            let newest = self.arena[index as usize].newest_ms();
            if newest.is_some_and(|ts_ms| ts_ms >= oldest_ms) {
                break;
            }
            series.chunks.pop_front();
            self.free.push(index);
        }
    }

    fn take_chunk(&mut self) -> Option<u32> {
        if let Some(index) = self.free.pop() {
            return Some(index);
        }
        if self.arena.len() >= self.max_chunks {
            return None;
        }
        self.arena.push(Chunk::empty());
        u32::try_from(self.arena.len() - 1).ok()
    }

    /// Samples of one series in the closed range, in the order in which they were appended.
    pub fn samples(
        &self,
        metric: usize,
        key: u64,
        start_ms: i64,
        end_ms: i64,
    ) -> impl Iterator<Item = (i64, f64)> + '_ {
        let series = self.metrics.get(metric).and_then(|map| map.get(&key));
        series
            .into_iter()
            .flat_map(|series| &series.chunks)
            .flat_map(|&index| self.arena[index as usize].samples())
            .filter(move |(ts_ms, _)| (start_ms..=end_ms).contains(ts_ms))
    }

    /// Aggregates one series over the closed range; None when it holds no sample.
    pub fn query(
        &mut self,
        metric: usize,
        key: u64,
        start_ms: i64,
        end_ms: i64,
    ) -> Option<Aggregate> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let result = aggregate(self.samples(metric, key, start_ms, end_ms), &mut scratch);
        self.scratch = scratch;
        result
    }

    /// Growth per second of a counter over the closed range.
    pub fn rate(&self, metric: usize, key: u64, start_ms: i64, end_ms: i64) -> Option<f64> {
        increase_per_second(self.samples(metric, key, start_ms, end_ms))
    }

    /// Forgets every series of these entities.
    pub fn drop_entities(&mut self, keys: &[u64]) {
        for by_entity in &mut self.metrics {
            for key in keys {
                if let Some(series) = by_entity.remove(key) {
                    self.free.extend(series.chunks);
                }
            }
        }
    }

    pub fn usage(&self) -> Usage {
        Usage {
            series: self.metrics.iter().map(HashMap::len).sum(),
            bytes: self.arena.len() * size_of::<Chunk>(),
            rejected: self.rejected,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CHUNK_BYTES: usize = size_of::<Chunk>();

    fn store(chunks: usize, retention_ms: i64) -> Store {
        Store::new(Limits {
            retention_ms,
            max_bytes: chunks * CHUNK_BYTES,
        })
    }

    fn values(store: &Store, metric: usize, key: u64) -> Vec<f64> {
        let all = store.samples(metric, key, i64::MIN, i64::MAX);
        all.map(|(_, value)| value).collect()
    }

    #[test]
    fn a_value_that_is_not_finite_is_no_sample() {
        let mut store = store(8, 1_000);
        store.append(
            0,
            1,
            [(7, f64::NAN), (8, 1.0), (9, f64::INFINITY)].into_iter(),
        );
        assert_eq!(store.query(0, 7, 0, 10), None);
        assert_eq!(store.query(0, 9, 0, 10), None);
        assert_eq!(store.query(0, 8, 0, 10).unwrap().count, 1);
    }

    #[test]
    fn the_same_time_stamp_replaces() {
        let mut store = store(8, 1_000);
        store.append(3, 5, [(1, 1.0)].into_iter());
        store.append(3, 5, [(1, 2.0)].into_iter());
        assert_eq!(values(&store, 3, 1), [2.0]);
    }

    #[test]
    fn the_range_is_closed() {
        let mut store = store(8, 10_000);
        for ts_ms in [1_000, 2_000, 3_000] {
            store.append(0, ts_ms, [(1, ts_ms as f64)].into_iter());
        }
        let window = store.query(0, 1, 1_000, 2_000).unwrap();
        assert_eq!((window.count, window.last), (2, 2_000.0));
    }

    #[test]
    fn a_clock_that_steps_back_does_not_stop_a_series() {
        let mut store = store(8, 1_000_000);
        for ts_ms in [100_000, 101_000, 40_000, 41_000] {
            store.append(0, ts_ms, [(1, ts_ms as f64)].into_iter());
        }
        assert_eq!(store.query(0, 1, 40_000, 41_000).unwrap().last, 41_000.0);
        assert_eq!(store.query(0, 1, 0, 200_000).unwrap().last, 101_000.0);
    }

    #[test]
    fn a_full_store_turns_away_new_series_and_keeps_the_old_ones_going() {
        let mut store = store(1, i64::MAX / 2);
        store.append(0, 0, [(1, 0.0), (2, 0.0)].into_iter());
        assert_eq!(store.usage().rejected, 1);
        for ts_ms in 1..1_000 {
            store.append(0, ts_ms, [(1, ts_ms as f64)].into_iter());
        }
        assert_eq!(store.query(0, 1, 0, 2_000).unwrap().last, 999.0);
        assert_eq!(store.usage().bytes, CHUNK_BYTES);
    }

    #[test]
    fn what_an_entity_leaves_behind_serves_the_next() {
        let mut store = store(4, 1_000);
        for key in 0..1_000 {
            store.append(0, 0, [(key, 1.0)].into_iter());
            store.append(1, 0, [(key, 1.0)].into_iter());
            store.drop_entities(&[key]);
        }
        let usage = store.usage();
        assert_eq!((usage.series, usage.rejected), (0, 0));
        assert!(usage.bytes <= 2 * CHUNK_BYTES);
    }

    proptest! {
        #[test]
        fn the_newest_samples_within_retention_are_all_kept(
            steps in prop::collection::vec(1i64..5_000, 1..600),
        ) {
            let retention_ms = 60_000;
            let mut store = store(64, retention_ms);
            let mut all = Vec::new();
            let mut ts_ms = 0;
            for step in steps {
                ts_ms += step;
                all.push((ts_ms, ts_ms as f64));
                store.append(0, ts_ms, [(1, ts_ms as f64)].into_iter());
            }
            let oldest = ts_ms - retention_ms;
            let expected: Vec<_> = all.into_iter().filter(|&(at, _)| at >= oldest).collect();
            let kept: Vec<_> = store.samples(0, 1, oldest, ts_ms).collect();
            prop_assert_eq!(kept, expected);
        }
    }
}
