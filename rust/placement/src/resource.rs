//! Resource names as dense ids, so that amounts can live in columns.

use rustc_hash::FxHashMap;

use crate::api::ResourceList;
use crate::quantity::Quantity;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceId(pub u16);

/// Milli-cores.
pub const CPU: ResourceId = ResourceId(0);
/// Bytes.
pub const MEMORY: ResourceId = ResourceId(1);
/// Bytes.
pub const EPHEMERAL_STORAGE: ResourceId = ResourceId(2);
/// Number of pods.
pub const PODS: ResourceId = ResourceId(3);

const NATIVE: [&str; 4] = ["cpu", "memory", "ephemeral-storage", "pods"];

/// Amounts by resource; cpu in milli-cores, everything else in whole units.
pub type Amounts = Vec<(ResourceId, i64)>;

pub fn amount_of(amounts: &[(ResourceId, i64)], resource: ResourceId) -> i64 {
    amounts
        .iter()
        .find(|(id, _)| *id == resource)
        .map_or(0, |(_, amount)| *amount)
}

#[derive(Debug)]
pub struct Resources {
    names: Vec<String>,
    ids: FxHashMap<String, ResourceId>,
}

impl Default for Resources {
    fn default() -> Self {
        let mut resources = Self {
            names: Vec::new(),
            ids: FxHashMap::default(),
        };
        for name in NATIVE {
            resources.id(name);
        }
        resources
    }
}

impl Resources {
    pub fn id(&mut self, name: &str) -> ResourceId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = ResourceId(self.names.len() as u16);
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }

    pub fn find(&self, name: &str) -> Option<ResourceId> {
        self.ids.get(name).copied()
    }

    pub fn name(&self, id: ResourceId) -> &str {
        &self.names[usize::from(id.0)]
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The amounts a scheduler counts; names that are neither native nor scalar resources are dropped.
    pub fn amounts(&mut self, list: &ResourceList) -> Amounts {
        let counted = list
            .iter()
            .filter(|(name, _)| NATIVE.contains(&name.as_str()) || is_scalar(name));
        let mut amounts: Amounts = counted
            .map(|(name, quantity)| (self.id(name), whole(name, *quantity)))
            .collect();
        amounts.sort_unstable();
        amounts
    }
}

/// Milli-cores for cpu, whole units for everything else.
fn whole(name: &str, quantity: Quantity) -> i64 {
    if name == "cpu" {
        quantity.milli_value()
    } else {
        quantity.value()
    }
}

/// Extended: a name of somebody's domain that is no `requests.` quota name.
pub fn is_extended(name: &str) -> bool {
    name.contains('/') && !name.contains("kubernetes.io/") && !name.starts_with("requests.")
}

/// Everything that is counted besides cpu, memory, ephemeral storage and pods.
pub fn is_scalar(name: &str) -> bool {
    is_extended(name)
        || name.starts_with("hugepages-")
        || name.starts_with("attachable-volumes-")
        || name.contains("kubernetes.io/")
}
