//! Topology keys as columns: which domain (label value) each node is in.

use rustc_hash::FxHashMap;

use super::NodeId;
use crate::api::Labels;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TopologyKey(pub u32);

/// The domain of a node that lacks the key.
pub const NO_DOMAIN: u32 = u32::MAX;

#[derive(Debug)]
struct Column {
    key: String,
    domains: FxHashMap<String, u32>,
    of_node: Vec<u32>,
}

/// Keys are added when a pod first names them; each is one column over all nodes.
#[derive(Debug, Default)]
pub struct Topology {
    columns: Vec<Column>,
    by_key: FxHashMap<String, TopologyKey>,
    /// Keys added since the nodes' labels were last read into the columns.
    unread: bool,
}

impl Topology {
    pub fn key(&mut self, key: &str) -> TopologyKey {
        if let Some(known) = self.by_key.get(key) {
            return *known;
        }
        let id = TopologyKey(self.columns.len() as u32);
        self.columns.push(Column {
            key: key.to_owned(),
            domains: FxHashMap::default(),
            of_node: Vec::new(),
        });
        self.by_key.insert(key.to_owned(), id);
        self.unread = true;
        id
    }

    pub fn name(&self, key: TopologyKey) -> &str {
        &self.columns[key.0 as usize].key
    }

    /// The node's domain under this key, `NO_DOMAIN` without the label.
    pub fn domain(&self, key: TopologyKey, node: NodeId) -> u32 {
        self.column(key)
            .get(node.index())
            .copied()
            .unwrap_or(NO_DOMAIN)
    }

    pub fn column(&self, key: TopologyKey) -> &[u32] {
        &self.columns[key.0 as usize].of_node
    }

    /// Number of domains ever seen under this key; domains are below it.
    pub fn domains(&self, key: TopologyKey) -> usize {
        self.columns[key.0 as usize].domains.len()
    }

    /// Reads a node's labels into every column.
    pub fn set_node(&mut self, node: NodeId, labels: &Labels) {
        for column in &mut self.columns {
            column.set(node, labels.get(&column.key).map(String::as_str));
        }
    }

    /// True once after new keys were added: every node has to be read again.
    pub fn take_unread(&mut self) -> bool {
        std::mem::take(&mut self.unread)
    }
}

impl Column {
    fn set(&mut self, node: NodeId, value: Option<&str>) {
        let domain = value.map_or(NO_DOMAIN, |value| match self.domains.get(value) {
            Some(domain) => *domain,
            None => {
                let next = self.domains.len() as u32;
                self.domains.insert(value.to_owned(), next);
                next
            }
        });
        if self.of_node.len() <= node.index() {
            self.of_node.resize(node.index() + 1, NO_DOMAIN);
        }
        self.of_node[node.index()] = domain;
    }
}
