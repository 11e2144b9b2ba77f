//! Asking every plugin what it has to say about a pod before nodes are visited.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::failure::Refusal;
use crate::framework::{NodeFilter, PreFilter, Profile, Reads, Rejection};
use crate::shape::Shape;
use crate::snapshot::Snapshot;

/// A filter that is to be asked about nodes.
pub struct FilterSlot {
    /// Position in the profile.
    pub plugin: usize,
    pub filter: Box<dyn NodeFilter>,
}

/// The only nodes worth visiting.
#[derive(Debug)]
pub struct Narrowed {
    pub names: BTreeSet<String>,
    /// Plugins that narrowed the set.
    pub plugins: BTreeSet<&'static str>,
}

impl Narrowed {
    /// The status of the nodes that are left out.
    pub fn rejection(&self) -> Rejection {
        let plugins: Vec<&str> = self.plugins.iter().copied().collect();
        Rejection::unresolvable(format!(
            "node(s) didn't satisfy plugin(s) [{}]",
            plugins.join(" ")
        ))
    }
}

pub struct Filters {
    pub slots: Vec<FilterSlot>,
    pub narrowed: Option<Narrowed>,
}

impl Filters {
    pub fn leaves_out(&self, node: &str) -> bool {
        self.narrowed
            .as_ref()
            .is_some_and(|narrowed| !narrowed.names.contains(node))
    }
}

/// # Errors
/// The first plugin's refusal of the pod as a whole.
pub fn filters(
    profile: &Profile,
    snapshot: &Snapshot,
    shape: &Arc<Shape>,
) -> Result<Filters, Refusal> {
    let mut slots = Vec::new();
    let mut narrowed: Option<Narrowed> = None;
    for (at, weighted) in profile
        .plugins
        .iter()
        .enumerate()
        .filter(|(_, weighted)| weighted.filters)
    {
        let plugin = weighted.plugin.name();
        match weighted.plugin.filter_for(snapshot, shape) {
            PreFilter::Skip | PreFilter::Pass => {}
            PreFilter::Reject(rejection) => return Err(Refusal { plugin, rejection }),
            PreFilter::Idle(filter) => slots.push(FilterSlot { plugin: at, filter }),
            PreFilter::Ready { filter, only } => {
                slots.push(FilterSlot { plugin: at, filter });
                if let Some(names) = only {
                    narrowed = Some(narrow(narrowed, names, plugin)?);
                }
            }
        }
    }
    Ok(Filters { slots, narrowed })
}

fn narrow(
    before: Option<Narrowed>,
    names: BTreeSet<String>,
    plugin: &'static str,
) -> Result<Narrowed, Refusal> {
    let mut narrowed = match before {
        None => Narrowed {
            names,
            plugins: BTreeSet::new(),
        },
        Some(before) => Narrowed {
            names: before.names.intersection(&names).cloned().collect(),
            ..before
        },
    };
    narrowed.plugins.insert(plugin);
    if narrowed.names.is_empty() {
        let plugins: Vec<&str> = narrowed.plugins.iter().copied().collect();
        let text = match plugins.as_slice() {
            [one] => format!("node(s) didn't satisfy plugin {one}"),
            many => format!(
                "node(s) didn't satisfy plugin(s) [{}] simultaneously",
                many.join(" ")
            ),
        };
        return Err(Refusal {
            plugin,
            rejection: Rejection::unresolvable(text),
        });
    }
    Ok(narrowed)
}

/// What the profile's plugins read for such a pod.
pub fn reads(profile: &Profile, shape: &Shape) -> Reads {
    profile
        .plugins
        .iter()
        .fold(Reads::default(), |reads, weighted| {
            reads.and(weighted.plugin.reads(shape))
        })
}
