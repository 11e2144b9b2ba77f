//! Sharing of GPUs inside a node, and scores that keep the free GPU capacity usable.

mod ledger;
mod plugin;
mod request;
mod usable;
mod workload;

pub use ledger::{GpuGrant, GpuLedger};
pub use plugin::{GpuShare, Policy};
pub use request::GpuRequest;
