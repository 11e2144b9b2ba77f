//! The placement engine: a snapshot, profiles, and a cache of classes; decides for batches of pods in order.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::api::Pod;
use crate::config::{self, Settings};
use crate::cycle::{Class, Explanation, Failure, Refusal, Status, explain};
use crate::error::{PlacementError, Result, decode};
use crate::framework::Profile;
use crate::gpu::GpuLedger;
use crate::preemption::{self, Preemption};
use crate::shape::Shape;
use crate::snapshot::{Allocation, NodeId, PodId, Snapshot};

/// Classes kept; beyond it the half that was used longest ago is dropped.
const CLASSES: usize = 1024;

/// Nodes that are always looked at, whatever percentage is asked for.
const MIN_SAMPLE: usize = 100;

pub struct Engine {
    pub snapshot: Snapshot,
    profiles: Vec<Profile>,
    classes: FxHashMap<(usize, u32), Class>,
    /// None: the first of equally good nodes is taken.
    seed: Option<u64>,
    /// Decisions so far; with the seed it breaks ties, so that a run can be replayed.
    decisions: u64,
    /// Where the next sample of nodes starts.
    sample_start: usize,
}

/// What became of one pod of a batch.
#[derive(Clone, Debug)]
pub enum Decision {
    Placed {
        node: Arc<str>,
        allocations: Vec<Allocation>,
    },
    Failed(Arc<Failure>),
}

impl Engine {
    /// # Errors
    /// The path in the configuration that cannot be used.
    pub fn new(settings: &Settings, seed: Option<u64>) -> Result<Self> {
        let mut snapshot = Snapshot::new(config::ledgers());
        let profiles = config::profiles(settings, &mut snapshot)?;
        Ok(Self {
            snapshot,
            profiles,
            classes: FxHashMap::default(),
            seed,
            decisions: 0,
            sample_start: 0,
        })
    }

    pub fn profiles(&self) -> &[Profile] {
        &self.profiles
    }

    /// Decides for waiting pods (`namespace/name`) one after the other; each sees the placements before it.
    ///
    /// # Errors
    /// A pod that is not in the snapshot or names an unknown scheduler; nothing is decided then.
    pub fn place(&mut self, pods: &[&str]) -> Result<Vec<Decision>> {
        let rows: Vec<(PodId, usize)> = pods
            .iter()
            .map(|key| self.waiting(key))
            .collect::<Result<_>>()?;
        Ok(rows
            .into_iter()
            .map(|(pod, profile)| self.decide(pod, profile))
            .collect())
    }

    fn waiting(&self, key: &str) -> Result<(PodId, usize)> {
        let unknown = || PlacementError::Unknown {
            kind: "waiting pod",
            name: key.to_owned(),
        };
        let pod = self.snapshot.pods.find(key).ok_or_else(unknown)?;
        let row = self
            .snapshot
            .pods
            .get(pod)
            .filter(|row| row.node.is_none())
            .ok_or_else(unknown)?;
        Ok((pod, self.profile_of(&row.shape)?))
    }

    fn profile_of(&self, shape: &Shape) -> Result<usize> {
        let name = match shape.spec().scheduler_name.as_str() {
            "" => "default-scheduler",
            name => name,
        };
        // A configuration with one profile serves pods whatever scheduler they name; which ones come is the caller's choice.
        let found = self
            .profiles
            .iter()
            .position(|profile| profile.scheduler_name == name);
        let only = (self.profiles.len() == 1).then_some(0);
        found.or(only).ok_or_else(|| PlacementError::Unknown {
            kind: "profile",
            name: name.to_owned(),
        })
    }

    fn decide(&mut self, pod: PodId, profile: usize) -> Decision {
        let Some(row) = self.snapshot.pods.get(pod) else {
            return Decision::Failed(Arc::default());
        };
        if let Some(node) = row.node {
            // The same pod twice in one batch.
            let node = Arc::clone(self.snapshot.nodes.name(node));
            return Decision::Placed {
                node,
                allocations: row.allocations.clone(),
            };
        }
        let (shape, nominated) = (Arc::clone(&row.shape), row.nominated.clone());
        if let Err(refusal) = gates(&self.profiles[profile], &shape) {
            return Decision::Failed(Arc::new(Failure::of_refusal(&self.snapshot, refusal)));
        }
        self.snapshot.before_decision();
        let mut class = self.class(profile, &shape);
        let settings = &self.profiles[profile];
        class.catch_up(settings, &mut self.snapshot, Some(pod));
        self.decisions += 1;
        let pick = self.seed.map_or(0, |seed| mix(seed, self.decisions));
        let nominated = nominated
            .and_then(|name| self.snapshot.nodes.find(&name))
            .filter(|node| class.is_feasible(*node));
        let node = match (nominated, settings.percentage_of_nodes_to_score) {
            (Some(node), _) => Some(node),
            (None, None) => class.best(pick),
            (None, Some(percentage)) => {
                let wanted = sample_size(self.snapshot.nodes.live(), percentage);
                let rows = self.snapshot.nodes.rows().max(1);
                let (node, looked) = class.best_of_sample(self.sample_start, wanted, pick);
                self.sample_start = (self.sample_start + looked) % rows;
                node
            }
        };
        let decision = match node {
            None => Decision::Failed(class.failure(settings, &self.snapshot)),
            Some(node) => match class.reserve(settings, &self.snapshot, node) {
                Err(refusal) => {
                    Decision::Failed(Arc::new(Failure::of_refusal(&self.snapshot, refusal)))
                }
                Ok(allocations) => {
                    self.snapshot.set_nomination(pod, None);
                    self.snapshot.place(pod, node, allocations.clone());
                    Decision::Placed {
                        node: Arc::clone(self.snapshot.nodes.name(node)),
                        allocations,
                    }
                }
            },
        };
        self.keep(profile, &shape, class);
        decision
    }

    fn class(&mut self, profile: usize, shape: &Arc<Shape>) -> Class {
        let kept = self.classes.remove(&(profile, shape.id));
        kept.unwrap_or_else(|| Class::new(&self.profiles[profile], &self.snapshot, shape))
    }

    fn keep(&mut self, profile: usize, shape: &Shape, mut class: Class) {
        class.used = self.decisions;
        if self.classes.len() >= CLASSES {
            let mut ages: Vec<u64> = self.classes.values().map(|class| class.used).collect();
            let middle = ages.len() / 2;
            let (_, oldest_kept, _) = ages.select_nth_unstable(middle);
            let oldest_kept = *oldest_kept;
            self.classes.retain(|_, class| class.used >= oldest_kept);
        }
        self.classes.insert((profile, shape.id), class);
    }

    /// What arrives over time: pods as JSON, each with how often it comes. Scores that look ahead use it.
    ///
    /// # Errors
    /// The path in a pod that cannot be read.
    pub fn set_workload(&mut self, pods: &[(&[u8], u64)]) -> Result<()> {
        let mut shapes = Vec::new();
        for (raw, count) in pods {
            shapes.push((
                self.snapshot.shape_of(decode::<Pod>("Pod", raw)?),
                *count as f64,
            ));
        }
        if let Some(ledger) = self.snapshot.ledger_mut::<GpuLedger>() {
            ledger.set_workload(shapes);
        }
        Ok(())
    }

    /// Takes a placed pod back; false when it was not placed.
    pub fn forget(&mut self, key: &str) -> bool {
        let placed = self.snapshot.pods.find(key).filter(|pod| {
            self.snapshot
                .pods
                .get(*pod)
                .is_some_and(|row| row.node.is_some())
        });
        placed.map(|pod| self.snapshot.displace(pod)).is_some()
    }

    /// Nominates a waiting pod to a node, or takes its nomination back.
    ///
    /// # Errors
    /// A pod that does not wait.
    pub fn nominate(&mut self, key: &str, node: Option<&str>) -> Result<()> {
        let (pod, _) = self.waiting(key)?;
        self.snapshot.set_nomination(pod, node.map(Arc::from));
        Ok(())
    }

    /// Everything the plugins say about a pod, given as JSON; it need not be in the snapshot.
    ///
    /// # Errors
    /// The path in the pod that cannot be read, or an unknown scheduler name.
    pub fn explain(&mut self, raw: &[u8]) -> Result<Explanation> {
        let (shape, pod) = self.shape_of(raw)?;
        let profile = self.profile_of(&shape)?;
        Ok(explain(
            &self.profiles[profile],
            &mut self.snapshot,
            &shape,
            pod,
        ))
    }

    /// Which pods would have to go for this one (as JSON), and where to; nothing is changed.
    ///
    /// # Errors
    /// The path in the pod that cannot be read, or an unknown scheduler name.
    pub fn preempt(&mut self, raw: &[u8]) -> Result<Preemption> {
        let nominated = decode::<Pod>("Pod", raw)?.status.nominated_node_name;
        let (shape, pod) = self.shape_of(raw)?;
        let profile = self.profile_of(&shape)?;
        let offset = self.seed.map_or(0, |seed| mix(seed, self.decisions));
        Ok(preemption::preempt(
            &self.profiles[profile],
            &mut self.snapshot,
            &shape,
            pod,
            &nominated,
            offset,
        ))
    }

    /// Why a pod stays out of the queue, if it does.
    ///
    /// # Errors
    /// The path in the pod that cannot be read, or an unknown scheduler name.
    pub fn pre_enqueue(&mut self, raw: &[u8]) -> Result<Option<Status>> {
        let (shape, _) = self.shape_of(raw)?;
        let profile = self.profile_of(&shape)?;
        let refusal = gates(&self.profiles[profile], &shape).err();
        Ok(refusal.map(|refusal| Status::of(&refusal.rejection, Some(refusal.plugin))))
    }

    /// The plugin that keeps such a pod out of the queue, if any.
    ///
    /// # Errors
    /// A scheduler name without a profile.
    pub fn gate_of(&self, shape: &Shape) -> Result<Option<&'static str>> {
        let profile = self.profile_of(shape)?;
        Ok(gates(&self.profiles[profile], shape)
            .err()
            .map(|refusal| refusal.plugin))
    }

    fn shape_of(&mut self, raw: &[u8]) -> Result<(Arc<Shape>, Option<PodId>)> {
        let pod: Pod = decode("Pod", raw)?;
        let row = self.snapshot.pods.find(&pod.metadata.key());
        let row = row.filter(|row| {
            self.snapshot
                .pods
                .get(*row)
                .is_some_and(|row| row.node.is_none())
        });
        Ok((self.snapshot.shape_of(pod), row))
    }

    /// Whether the node would take a waiting pod now.
    pub fn fits(&mut self, key: &str, node: &str) -> Result<bool> {
        let (pod, profile) = self.waiting(key)?;
        let unknown = || PlacementError::Unknown {
            kind: "node",
            name: node.to_owned(),
        };
        let node: NodeId = self.snapshot.nodes.find(node).ok_or_else(unknown)?;
        let Some(shape) = self
            .snapshot
            .pods
            .get(pod)
            .map(|row| Arc::clone(&row.shape))
        else {
            return Ok(false);
        };
        let mut class = self.class(profile, &shape);
        class.catch_up(&self.profiles[profile], &mut self.snapshot, Some(pod));
        let fits = class.is_feasible(node);
        self.keep(profile, &shape, class);
        Ok(fits)
    }
}

fn gates(profile: &Profile, shape: &Shape) -> std::result::Result<(), Refusal> {
    for weighted in profile.plugins.iter().filter(|weighted| weighted.filters) {
        let plugin = weighted.plugin.name();
        weighted
            .plugin
            .pre_enqueue(shape)
            .map_err(|rejection| Refusal { plugin, rejection })?;
    }
    Ok(())
}

/// How many feasible nodes are enough. 0 percent means kube-scheduler's own choice: 50 - nodes / 125, at least 5.
fn sample_size(nodes: usize, percentage: u32) -> usize {
    let percentage = match percentage {
        0 => 50usize.saturating_sub(nodes / 125).max(5),
        percentage => percentage as usize,
    };
    if nodes < MIN_SAMPLE || percentage >= 100 {
        return nodes.max(1);
    }
    (nodes * percentage / 100).max(MIN_SAMPLE)
}

/// SplitMix64 of the n-th decision.
fn mix(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_follows_kube_schedulers_rule() {
        // The worked example of kube-scheduler's documentation: 1000 nodes, adaptive, 42 percent.
        assert_eq!(sample_size(1000, 0), 420);
        assert_eq!(sample_size(50, 10), 50);
        assert_eq!(sample_size(1000, 5), 100);
        assert_eq!(sample_size(5000, 0), 500);
        assert_eq!(sample_size(5000, 100), 5000);
    }
}
