//! Where a pod goes: a snapshot of the cluster in columns, the default plugins of kube-scheduler over it, preemption and the
//! scheduling queue. Nothing here does I/O or reads a clock.

pub mod api;
pub mod config;
pub mod cycle;
pub mod engine;
pub mod error;
pub mod framework;
pub mod gpu;
pub mod plugins;
pub mod preemption;
pub mod quantity;
pub mod queue;
mod requests;
pub mod resource;
pub mod selector;
pub mod shape;
pub mod snapshot;
pub mod timestamp;

pub use engine::{Decision, Engine};
pub use error::{PlacementError, Result};
