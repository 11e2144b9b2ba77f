//! Reads cgroup files of v1, v2 and hybrid hosts.
//!
//! - [`mounts`]: which hierarchies this host has and where.
//! - [`parse`]: what each kernel file says; pure, any bytes give a value or a named error.
//! - [`tree`]: the directories of one hierarchy, by id.
//! - [`field_group`]: what is read together.
//! - [`files`]: the values of a cgroup from its files, through kept descriptors.
//! - [`task_times`]: CPU time of a cgroup from its threads, where no file has it.

pub mod descriptors;
pub mod error;
pub mod field_group;
mod file_tables;
pub mod files;
pub mod mounts;
pub mod parse;
pub mod task_times;
pub mod tree;
pub mod values;

pub use error::Error;
pub use field_group::{FieldGroup, Groups};
pub use files::Files;
pub use mounts::{Controller, Hierarchy, Mounts, Version};
pub use task_times::TaskTimes;
pub use tree::Tree;
pub use values::Values;
