//! Numbers per domain of several topology keys.

use crate::snapshot::{NO_DOMAIN, NodeId, Snapshot, TopologyKey};

#[derive(Debug, Default)]
pub(super) struct DomainCounts {
    keys: Vec<(TopologyKey, Vec<i64>)>,
    nonzero: usize,
}

impl DomainCounts {
    /// Adds to the node's domain; false when the node lacks the key.
    pub fn add(&mut self, snapshot: &Snapshot, key: TopologyKey, node: NodeId, delta: i64) -> bool {
        let domain = snapshot.topology.domain(key, node);
        if domain == NO_DOMAIN {
            return false;
        }
        let at = self
            .keys
            .iter()
            .position(|(each, _)| *each == key)
            .unwrap_or_else(|| {
                self.keys.push((key, Vec::new()));
                self.keys.len() - 1
            });
        let counts = &mut self.keys[at].1;
        if counts.len() <= domain as usize {
            counts.resize(snapshot.topology.domains(key).max(domain as usize + 1), 0);
        }
        let before = counts[domain as usize];
        counts[domain as usize] += delta;
        let after = before + delta;
        self.nonzero = self.nonzero + usize::from(after != 0) - usize::from(before != 0);
        true
    }

    pub fn get(&self, key: TopologyKey, domain: u32) -> i64 {
        let counts = self
            .keys
            .iter()
            .find(|(each, _)| *each == key)
            .map(|(_, counts)| counts);
        counts
            .and_then(|counts| counts.get(domain as usize))
            .copied()
            .unwrap_or(0)
    }

    /// True when every number is 0.
    pub fn is_zero(&self) -> bool {
        self.nonzero == 0
    }

    /// The node's numbers, one per key that it has.
    pub fn of_node<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        node: NodeId,
    ) -> impl Iterator<Item = i64> + 'a {
        self.keys.iter().filter_map(move |(key, counts)| {
            counts
                .get(snapshot.topology.domain(*key, node) as usize)
                .copied()
        })
    }
}

/// True when every node is a domain of its own, so that a change stays on its node.
pub(super) fn is_per_node(snapshot: &Snapshot, key: TopologyKey) -> bool {
    snapshot.topology.domains(key) >= snapshot.nodes.live()
}
