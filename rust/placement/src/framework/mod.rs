//! Extension points between the cycle and the plugins.

mod plugin;
mod profile;
mod status;

pub use plugin::*;
pub use profile::{PreemptionLimits, Profile, Weighted};
pub use status::{Code, Reason, Rejection, Verdict, no_fit_message};
