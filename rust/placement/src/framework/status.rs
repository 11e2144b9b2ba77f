//! Why a node or a pod was refused, in kube-scheduler's words.

use std::borrow::Cow;

use smallvec::{SmallVec, smallvec};

pub type Reason = Cow<'static, str>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Another pod's departure may help.
    Unschedulable,
    /// No preemption helps.
    Unresolvable,
    /// The decision itself failed.
    Error,
}

impl Code {
    /// The name the scheduler framework uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unschedulable => "Unschedulable",
            Self::Unresolvable => "UnschedulableAndUnresolvable",
            Self::Error => "Error",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    pub code: Code,
    pub reasons: SmallVec<[Reason; 1]>,
}

impl Rejection {
    pub fn new(code: Code, reason: impl Into<Reason>) -> Self {
        Self {
            code,
            reasons: smallvec![reason.into()],
        }
    }

    pub fn unschedulable(reason: impl Into<Reason>) -> Self {
        Self::new(Code::Unschedulable, reason)
    }

    pub fn unresolvable(reason: impl Into<Reason>) -> Self {
        Self::new(Code::Unresolvable, reason)
    }
}

/// A filter's answer for one node.
pub type Verdict = Result<(), Rejection>;

/// The event text for a pod that fits nowhere: every reason with its number of nodes.
pub fn no_fit_message<'a>(
    nodes: usize,
    rejections: impl Iterator<Item = (&'a Rejection, usize)>,
) -> String {
    let mut counts: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for (rejection, times) in rejections {
        for reason in &rejection.reasons {
            *counts.entry(reason).or_default() += times;
        }
    }
    let mut parts: Vec<String> = counts
        .iter()
        .map(|(reason, count)| format!("{count} {reason}"))
        .collect();
    parts.sort_unstable();
    let head = format!("0/{nodes} nodes are available:");
    if parts.is_empty() {
        head
    } else {
        format!("{head} {}.", parts.join(", "))
    }
}
