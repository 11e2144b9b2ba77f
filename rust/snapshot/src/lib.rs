//! Every cgroup of this node in one pass.
//!
//! A [`Reader`] joins what the hierarchies say into one row per path, with an identity that is never reused, takes each group of
//! fields from the best source there is, and gives a [`Frame`]: totals, gauges and rates, a column per field.

mod bpf;
mod cells;
mod column;
mod error;
mod frame;
mod gone;
mod hierarchy;
mod idmap;
mod reader;
mod rows;
mod source;
mod threads;
mod walks;

pub use column::Column;
pub use error::Error;
pub use frame::{Frame, Identity};
pub use reader::{Options, Reader};
pub use source::SignalSource;
pub use walks::Tier;
