//! All cgroups at one moment, a column per field.

use std::path::Path;
use std::sync::Arc;

use crate::cells::Cells;
use crate::column::Column;

/// What a row is; the same object in every frame until a row appears or goes.
#[derive(Debug, Clone)]
pub struct Identity {
    pub key: u64,
    pub path: Arc<Path>,
    /// 0 for `/`.
    pub parent_key: u64,
}

/// One pass over all hierarchies; immutable once handed out.
#[derive(Debug, Default)]
pub struct Frame {
    pub number: u64,
    /// CLOCK_MONOTONIC at the start of the pass.
    pub monotonic_ns: u64,
    /// Unix time at the start of the pass.
    pub wall_ms: u64,
    pub duration_ns: u64,
    /// Ascending, so a key is found by binary search.
    pub keys: Vec<u64>,
    /// Row number of the parent; -1 for `/`.
    pub parents: Vec<i64>,
    pub levels: Vec<u64>,
    /// Eight bits per field group: 0 none, n the n-th source.
    pub sources: Vec<u64>,
    /// Row numbers in `identities` that the previous frame had not, ascending.
    pub appeared: Vec<u32>,
    /// Keys whose row is shown for the last time.
    pub gone: Vec<u64>,
    pub identities: Arc<[Identity]>,
    /// Column after column.
    cells: Vec<f64>,
}

impl Frame {
    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// One value per row, NaN where there is none.
    #[must_use]
    pub fn column(&self, column: Column) -> &[f64] {
        let rows = self.len();
        &self.cells[column as usize * rows..][..rows]
    }

    /// Row number of a key.
    #[must_use]
    pub fn index(&self, key: u64) -> Option<usize> {
        self.keys.binary_search(&key).ok()
    }

    /// Room for `rows` rows; what the frame held before is overwritten.
    pub(crate) fn reset(&mut self, rows: usize) {
        self.keys.clear();
        self.parents.clear();
        self.levels.clear();
        self.sources.clear();
        self.appeared.clear();
        self.gone.clear();
        self.cells.resize(rows * Column::COUNT, f64::NAN);
        self.keys.reserve(rows);
    }

    /// Writes the cells of consecutive rows from `first` on; `rows` is what `reset` was called with.
    ///
    /// A few rows at once fill whole cache lines of each column.
    pub(crate) fn write(&mut self, first: usize, rows: usize, cells: &[Cells]) {
        for column in 0..Column::COUNT {
            let start = column * rows + first;
            let places = &mut self.cells[start..start + cells.len()];
            for (place, cells) in places.iter_mut().zip(cells) {
                *place = cells[column];
            }
        }
    }
}
