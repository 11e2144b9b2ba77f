//! In-memory time series of one node: fixed-memory rings, bulk appends, windowed aggregates.

mod aggregate;
mod series;
mod store;

pub use aggregate::{Aggregate, aggregate, increase_per_second, percentile_index};
pub use store::{Limits, Store, Usage};
