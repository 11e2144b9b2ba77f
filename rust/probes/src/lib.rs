//! Loads the programs of bpf/, reads what they find, and says what this kernel offers and why not more.
//!
//! [`Snapshot`] turns one walk over a cgroup hierarchy into a slice of [`Row`]s. [`Capabilities`] names every piece
//! with the reason and the remedy where one is missing. Nothing is pinned: programs and maps end with the process.

mod capabilities;
mod cause;
mod cost;
mod hierarchy;
mod host;
mod log;
mod maps;
mod object;
mod programs;
mod row;
mod snapshot;

pub use capabilities::{Capabilities, Piece, Support};
pub use cause::{Cause, Missing};
pub use cost::{ProgramCost, program_costs};
pub use hierarchy::{Hierarchy, HierarchyError, Version};
pub use host::{Host, SyscallAccess};
pub use row::{Control, Groups, NO_LIMIT, Row};
pub use snapshot::{CollectError, HierarchyId, Options, Snapshot, Tier};
