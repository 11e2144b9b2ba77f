//! Everything the columns hold, by name, so that two snapshots can be compared whatever their row numbers are.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{NodeId, Snapshot};
use crate::resource::ResourceId;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dump {
    pub nodes: BTreeMap<String, NodeDump>,
    /// Pod -> its node, "" while it waits.
    pub pods: BTreeMap<String, String>,
    pub nominated: BTreeMap<String, Vec<String>>,
    pub claim_users: BTreeMap<String, u32>,
    pub assumed_volumes: BTreeMap<String, String>,
    pub image_nodes: BTreeMap<String, u32>,
    pub pods_with_terms: u32,
    pub pods_with_anti_affinity: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NodeDump {
    pub known: bool,
    pub allocatable: BTreeMap<String, i64>,
    pub requested: BTreeMap<String, i64>,
    pub nonzero: [i64; 2],
    pub ports: Vec<String>,
    pub pods: Vec<String>,
    /// Topology key -> domain number is not comparable between snapshots; the labels are.
    pub labels: BTreeMap<String, String>,
}

impl Snapshot {
    pub fn dump(&self) -> Dump {
        let used = (0..self.nodes.rows()).map(|row| NodeId(row as u32));
        let used = used.filter(|node| self.nodes.find(self.nodes.name(*node)) == Some(*node));
        let name = |node: NodeId| self.nodes.name(node).to_string();
        let key = |pod| {
            self.pods
                .get(pod)
                .map_or_else(String::new, |row| row.key.to_string())
        };
        let nominated = self.nominated.iter().map(|(node, pods)| {
            let mut pods: Vec<String> = pods.iter().map(|pod| key(*pod)).collect();
            pods.sort_unstable();
            (node.to_string(), pods)
        });
        Dump {
            nodes: used
                .map(|node| (name(node), self.dump_node(node)))
                .collect(),
            pods: self
                .pods
                .iter()
                .map(|(_, row)| (row.key.to_string(), row.node.map_or_else(String::new, name)))
                .collect(),
            nominated: nominated.collect(),
            claim_users: self
                .storage
                .claim_users
                .iter()
                .filter(|(_, n)| **n > 0)
                .map(|(k, n)| (k.clone(), *n))
                .collect(),
            assumed_volumes: self.storage.assumed.clone(),
            image_nodes: self
                .image_nodes
                .iter()
                .map(|(image, nodes)| (image.clone(), *nodes))
                .collect(),
            pods_with_terms: self.pods_with_terms,
            pods_with_anti_affinity: self.pods_with_anti_affinity,
        }
    }

    fn dump_node(&self, node: NodeId) -> NodeDump {
        let row = node.index();
        let amounts = |columns: &[Vec<i64>]| {
            let amounts = columns
                .iter()
                .enumerate()
                .filter(|(_, column)| column[row] != 0);
            amounts
                .map(|(id, column)| {
                    (
                        self.resources.name(ResourceId(id as u16)).to_owned(),
                        column[row],
                    )
                })
                .collect::<BTreeMap<_, _>>()
        };
        let mut ports: Vec<String> = self.nodes.ports[row]
            .iter()
            .map(|port| format!("{port:?}"))
            .collect();
        ports.sort_unstable();
        let rows = self.nodes.pods[row]
            .iter()
            .filter_map(|pod| self.pods.get(*pod));
        let mut pods: Vec<String> = rows.map(|pod| pod.key.to_string()).collect();
        pods.sort_unstable();
        NodeDump {
            known: self.nodes.known[row],
            allocatable: amounts(&self.nodes.allocatable),
            requested: amounts(&self.nodes.requested),
            nonzero: [self.nodes.nonzero[0][row], self.nodes.nonzero[1][row]],
            ports,
            pods,
            labels: self.nodes.labels(node).clone(),
        }
    }
}
