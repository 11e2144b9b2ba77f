//! One scheduling decision after the other: filter, score, pick, reserve.

mod class;
mod explain;
mod failure;
mod nominated;
mod prepare;
mod scores;
mod totals;

pub use class::Class;
pub use explain::{Explanation, Status, explain};
pub use failure::{Failure, Refusal};
pub use nominated::{first_refusal, tell};
pub use prepare::{FilterSlot, filters};
