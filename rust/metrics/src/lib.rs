//! In-memory time series of one node: fixed-memory rings, bulk appends, windowed aggregates.

mod aggregate;
mod histogram;
mod series;
mod store;

pub use aggregate::{Aggregate, aggregate, increase_per_second, percentile_index};
pub use histogram::{Checkpoint, CheckpointError, Histogram, Options};
pub use store::{Limits, Store, Usage};
