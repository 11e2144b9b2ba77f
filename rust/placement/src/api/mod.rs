//! The parts of Kubernetes objects that placement reads. Unknown fields are ignored, JSON null equals absent.

mod node;
mod pod;
mod storage;
mod workload;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

pub use node::*;
pub use pod::*;
pub use storage::*;
pub use workload::*;

use crate::quantity::Quantity;

pub type Labels = BTreeMap<String, String>;
pub type ResourceList = BTreeMap<String, Quantity>;

/// Declares decoded objects: camelCase names, every field optional, null as absent.
macro_rules! objects {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, serde::Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        pub struct $name {
            $($(#[$field_meta])* #[serde(deserialize_with = "crate::api::null_as_absent")] pub $field: $type,)*
        }
    )*};
}
pub(crate) use objects;

pub(crate) fn null_as_absent<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    from: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

objects! {
    ObjectMeta {
        name: String,
        namespace: String,
        uid: String,
        labels: Labels,
        annotations: Labels,
        creation_timestamp: Option<String>,
        deletion_timestamp: Option<String>,
        owner_references: Vec<OwnerReference>,
    }
    OwnerReference { api_version: String, kind: String, name: String, uid: String, controller: bool }
    LabelSelector { match_labels: Labels, match_expressions: Vec<Requirement> }
    /// One expression of a label selector or of a node selector term.
    Requirement { key: String, operator: String, values: Vec<String> }
    NodeSelector { node_selector_terms: Vec<NodeSelectorTerm> }
    NodeSelectorTerm { match_expressions: Vec<Requirement>, match_fields: Vec<Requirement> }
    PreferredSchedulingTerm { weight: i64, preference: NodeSelectorTerm }
}

impl ObjectMeta {
    /// `namespace/name`, or the bare name of an object without a namespace.
    pub fn key(&self) -> String {
        if self.namespace.is_empty() {
            self.name.clone()
        } else {
            format!("{}/{}", self.namespace, self.name)
        }
    }

    /// The owner that manages this object.
    pub fn controller(&self) -> Option<&OwnerReference> {
        self.owner_references.iter().find(|owner| owner.controller)
    }
}
