//! One series: a ring of chunks that live in the store's arena.

use std::collections::VecDeque;

/// Samples a chunk holds. Small, so that a short-lived container costs little; large enough that the bookkeeping
/// of a full series is under 3 % of it.
const CHUNK_SAMPLES: usize = 64;

/// A run of samples. Time stamps are kept as offsets from the first one, which halves their size.
pub struct Chunk {
    base_ms: i64,
    len: u32,
    offsets_ms: [i32; CHUNK_SAMPLES],
    values: [f64; CHUNK_SAMPLES],
}

impl Chunk {
    pub fn empty() -> Self {
        Self {
            base_ms: 0,
            len: 0,
            offsets_ms: [0; CHUNK_SAMPLES],
            values: [0.0; CHUNK_SAMPLES],
        }
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// False when the chunk is full or the time stamp too far from its first one (24 days).
    pub fn push(&mut self, ts_ms: i64, value: f64) -> bool {
        let at = self.len as usize;
        if at == CHUNK_SAMPLES {
            return false;
        }
        if at == 0 {
            self.base_ms = ts_ms;
        }
        let Ok(offset) = i32::try_from(ts_ms - self.base_ms) else {
            return false;
        };
        self.offsets_ms[at] = offset;
        self.values[at] = value;
        self.len += 1;
        true
    }

    /// Replaces the newest value when it carries the same time stamp.
    pub fn replace_last(&mut self, ts_ms: i64, value: f64) -> bool {
        match (self.len as usize).checked_sub(1) {
            Some(at) if self.base_ms + i64::from(self.offsets_ms[at]) == ts_ms => {
                self.values[at] = value;
                true
            }
            _ => false,
        }
    }

    pub fn newest_ms(&self) -> Option<i64> {
        let at = (self.len as usize).checked_sub(1)?;
        Some(self.base_ms + i64::from(self.offsets_ms[at]))
    }

    pub fn samples(&self) -> impl Iterator<Item = (i64, f64)> + '_ {
        let len = self.len as usize;
        let stamps = self.offsets_ms[..len]
            .iter()
            .map(|&offset| self.base_ms + i64::from(offset));
        stamps.zip(self.values[..len].iter().copied())
    }
}

/// Arena indexes of a series' chunks, oldest first.
#[derive(Default)]
pub struct Series {
    pub chunks: VecDeque<u32>,
}
