//! Every plugin of the engine: its name, its default place and weight, and how it is built from its arguments.

use std::sync::Arc;

use serde_json::Value;

use super::{Gates, args};
use crate::error::Result;
use crate::framework::Plugin;
use crate::gpu::{GpuLedger, GpuShare};
use crate::plugins::{
    BalancedAllocation, DefaultConstraint, Defaults, DynamicResources, ImageLocality,
    InterPodAffinity, NodeAffinity, NodeName, NodePorts, NodeResourcesFit, NodeUnschedulable,
    NodeVolumeLimits, SchedulingGates, TaintToleration, TopologySpread, VolumeBinding,
    VolumeRestrictions, VolumeZone,
};
use crate::snapshot::{Ledger, Snapshot};

/// What a plugin is built from.
pub struct Build<'a> {
    pub gates: &'a Gates,
    /// To name resources and topology keys.
    pub snapshot: &'a mut Snapshot,
    pub args: Value,
    pub plugin: &'static str,
}

impl Build<'_> {
    /// The arguments as their type.
    ///
    /// # Errors
    /// The path of what does not fit.
    pub fn args<T: serde::de::DeserializeOwned + Default>(&self) -> Result<T> {
        args::parse(self.plugin, &self.args)
    }

    fn gate(&self, name: &str) -> bool {
        self.gates.get(name).copied().unwrap_or(false)
    }
}

type BuildPlugin = fn(&mut Build) -> Result<Box<dyn Plugin>>;

#[derive(Clone)]
pub struct Registration {
    pub name: &'static str,
    /// Weight of its score unless the configuration says otherwise; 0 when it has none.
    pub weight: i64,
    /// On without being named.
    pub by_default: bool,
    pub build: BuildPlugin,
    pub ledger: Option<fn() -> Box<dyn Ledger>>,
}

const fn default(name: &'static str, weight: i64, build: BuildPlugin) -> Registration {
    Registration {
        name,
        weight,
        by_default: true,
        build,
        ledger: None,
    }
}

/// Default plugins in kube-scheduler's order, then those that a configuration has to name.
pub fn all() -> Vec<Registration> {
    vec![
        default("SchedulingGates", 0, |_| Ok(Box::new(SchedulingGates))),
        default("NodeUnschedulable", 0, |build| {
            Ok(Box::new(NodeUnschedulable {
                numeric_tolerations: numeric_tolerations(build),
            }))
        }),
        default("NodeName", 0, |_| Ok(Box::new(NodeName))),
        default("TaintToleration", 3, |build| {
            Ok(Box::new(TaintToleration {
                numeric_tolerations: numeric_tolerations(build),
            }))
        }),
        default("NodeAffinity", 2, |build| {
            let args: args::NodeAffinity = build.args()?;
            Ok(Box::new(NodeAffinity::new(
                &args.added_affinity.unwrap_or_default(),
            )))
        }),
        default("NodePorts", 0, |_| Ok(Box::new(NodePorts))),
        default("NodeResourcesFit", 1, node_resources_fit),
        default("VolumeRestrictions", 0, |_| {
            Ok(Box::new(VolumeRestrictions))
        }),
        default("NodeVolumeLimits", 0, |_| Ok(Box::new(NodeVolumeLimits))),
        default("VolumeBinding", 1, |build| {
            let args: args::VolumeBinding = build.args()?;
            let scores = build.gate("StorageCapacityScoring");
            let shape = if scores {
                Some(Arc::from(args.points()?))
            } else {
                None
            };
            Ok(Box::new(VolumeBinding { shape }))
        }),
        default("VolumeZone", 0, |_| Ok(Box::new(VolumeZone))),
        default("PodTopologySpread", 2, topology_spread),
        default("InterPodAffinity", 2, |build| {
            let args: args::InterPodAffinity = build.args()?;
            Ok(Box::new(InterPodAffinity {
                hard_weight: args.weight()?,
                ignore_preferred_terms_of_existing: args.ignore_preferred_terms_of_existing_pods,
            }))
        }),
        default("DynamicResources", 0, |_| Ok(Box::new(DynamicResources))),
        default("NodeResourcesBalancedAllocation", 1, |build| {
            let args: args::BalancedAllocation = build.args()?;
            Ok(Box::new(BalancedAllocation {
                resources: args.resources()?,
            }))
        }),
        default("ImageLocality", 1, |_| Ok(Box::new(ImageLocality))),
        Registration {
            name: "GPUShare",
            weight: 1,
            by_default: false,
            build: |build| {
                let args: args::GpuShare = build.args()?;
                Ok(Box::new(GpuShare {
                    policy: args.policy()?,
                }))
            },
            ledger: Some(|| Box::new(GpuLedger::default())),
        },
    ]
}

/// Names that a configuration may use for the engine's plugins.
pub fn plugin_names() -> Vec<&'static str> {
    all().iter().map(|registration| registration.name).collect()
}

fn numeric_tolerations(build: &Build) -> bool {
    build.gate("TaintTolerationComparisonOperators")
}

fn node_resources_fit(build: &mut Build) -> Result<Box<dyn Plugin>> {
    let args: args::NodeResourcesFit = build.args()?;
    let strategy = args.scoring_strategy.unwrap_or_default();
    Ok(Box::new(NodeResourcesFit {
        strategy: strategy.strategy()?,
        resources: strategy.resources()?,
        ignored: args.ignored_resources,
        ignored_groups: args.ignored_resource_groups,
    }))
}

fn topology_spread(build: &mut Build) -> Result<Box<dyn Plugin>> {
    let args: args::PodTopologySpread = build.args()?;
    let topology = &mut build.snapshot.topology;
    let mut soft = |key: &str, max_skew| DefaultConstraint {
        topology: topology.key(key),
        max_skew,
        hard: false,
    };
    let defaults = match args.list()? {
        None => Defaults::System(vec![
            soft("kubernetes.io/hostname", 3),
            soft("topology.kubernetes.io/zone", 5),
        ]),
        Some(list) => Defaults::List(
            list.iter()
                .map(|each| DefaultConstraint {
                    topology: topology.key(&each.topology_key),
                    max_skew: i64::from(each.max_skew),
                    hard: each.when_unsatisfiable == "DoNotSchedule",
                })
                .collect(),
        ),
    };
    Ok(Box::new(TopologySpread {
        defaults,
        numeric_tolerations: numeric_tolerations(build),
    }))
}
