//! The KubeSchedulerConfiguration: profiles, plugins switched on and off, weights, arguments.

mod args;
mod registry;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use crate::api::null_as_absent;
use crate::error::{PlacementError, Result, decode};
use crate::framework::{PreemptionLimits, Profile, Weighted};
use crate::snapshot::{Ledger, Snapshot};
pub use registry::{Build, Registration, plugin_names};

/// Feature gates that differ from their default.
pub type Gates = BTreeMap<String, bool>;

/// What the engine reads of a scheduler's configuration.
#[derive(Debug, Default)]
pub struct Settings {
    configuration: Configuration,
    gates: Gates,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Configuration {
    #[serde(deserialize_with = "null_as_absent")]
    profiles: Vec<ProfileConfig>,
    percentage_of_nodes_to_score: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ProfileConfig {
    scheduler_name: Option<String>,
    percentage_of_nodes_to_score: Option<u32>,
    #[serde(deserialize_with = "null_as_absent")]
    plugins: Points,
    #[serde(deserialize_with = "null_as_absent")]
    plugin_config: Vec<PluginConfig>,
}

/// The extension points that switch something in the engine.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Points {
    #[serde(deserialize_with = "null_as_absent")]
    multi_point: PluginSet,
    #[serde(deserialize_with = "null_as_absent")]
    filter: PluginSet,
    #[serde(deserialize_with = "null_as_absent")]
    score: PluginSet,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PluginSet {
    #[serde(deserialize_with = "null_as_absent")]
    enabled: Vec<Enabled>,
    #[serde(deserialize_with = "null_as_absent")]
    disabled: Vec<Enabled>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Enabled {
    name: String,
    #[serde(deserialize_with = "null_as_absent")]
    weight: i64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PluginConfig {
    name: String,
    args: Value,
}

impl PluginSet {
    fn disables(&self, name: &str) -> bool {
        self.disabled
            .iter()
            .any(|each| each.name == name || each.name == "*")
    }

    fn enables(&self, name: &str) -> Option<&Enabled> {
        self.enabled.iter().find(|each| each.name == name)
    }
}

impl Settings {
    /// Reads a KubeSchedulerConfiguration (JSON). Plugins that the engine does not have are left to whoever has them.
    ///
    /// # Errors
    /// The path that cannot be read.
    pub fn parse(raw: &[u8], gates: Gates) -> Result<Self> {
        Ok(Self {
            configuration: decode("KubeSchedulerConfiguration", raw)?,
            gates,
        })
    }
}

/// The node plugins' columns, one per registered plugin that keeps some.
pub fn ledgers() -> Vec<Box<dyn Ledger>> {
    registry::all()
        .into_iter()
        .filter_map(|registration| registration.ledger)
        .map(|ledger| ledger())
        .collect()
}

/// Builds the profiles; without any, the default one.
///
/// # Errors
/// The path of an argument that is not allowed.
pub fn profiles(settings: &Settings, snapshot: &mut Snapshot) -> Result<Vec<Profile>> {
    let configuration = &settings.configuration;
    let default = [ProfileConfig::default()];
    let configured = if configuration.profiles.is_empty() {
        &default[..]
    } else {
        &configuration.profiles
    };
    let mut profiles = Vec::new();
    for config in configured {
        let percentage = config
            .percentage_of_nodes_to_score
            .or(configuration.percentage_of_nodes_to_score);
        profiles.push(profile(config, percentage, &settings.gates, snapshot)?);
    }
    snapshot.read_new_topology_keys();
    Ok(profiles)
}

fn profile(
    config: &ProfileConfig,
    percentage: Option<u32>,
    gates: &Gates,
    snapshot: &mut Snapshot,
) -> Result<Profile> {
    let points = &config.plugins;
    let mut plugins = Vec::new();
    for registration in in_order(points) {
        let name = registration.name;
        let everywhere = points.multi_point.enables(name).is_some()
            || registration.by_default && !points.multi_point.disables(name);
        let filters =
            points.filter.enables(name).is_some() || everywhere && !points.filter.disables(name);
        let scores =
            points.score.enables(name).is_some() || everywhere && !points.score.disables(name);
        if !filters && !scores {
            continue;
        }
        let asked = points
            .score
            .enables(name)
            .or(points.multi_point.enables(name))
            .map_or(0, |each| each.weight);
        let weight = if asked == 0 {
            registration.weight
        } else {
            asked
        };
        if !(0..=i64::from(i32::MAX)).contains(&weight) {
            return Err(PlacementError::Invalid {
                object: "KubeSchedulerConfiguration".to_owned(),
                path: format!("plugins.score.enabled[{name}].weight"),
                found: weight.to_string(),
                allowed: "0 to 2147483647".to_owned(),
            });
        }
        let mut build = Build {
            gates,
            snapshot,
            args: args_of(config, name),
            plugin: name,
        };
        let plugin = (registration.build)(&mut build)?;
        plugins.push(Weighted {
            plugin: Arc::from(plugin),
            filters,
            weight: if scores { weight } else { 0 },
        });
    }
    let limits: args::DefaultPreemption =
        args::parse("DefaultPreemption", &args_of(config, "DefaultPreemption"))?;
    Ok(Profile {
        scheduler_name: config
            .scheduler_name
            .clone()
            .unwrap_or_else(|| "default-scheduler".to_owned()),
        plugins,
        percentage_of_nodes_to_score: percentage,
        preemption: limits_of(&limits),
    })
}

fn limits_of(args: &args::DefaultPreemption) -> PreemptionLimits {
    let default = PreemptionLimits::default();
    PreemptionLimits {
        percentage: args
            .min_candidate_nodes_percentage
            .unwrap_or(default.percentage),
        absolute: args
            .min_candidate_nodes_absolute
            .unwrap_or(default.absolute),
    }
}

fn args_of(config: &ProfileConfig, name: &str) -> Value {
    config
        .plugin_config
        .iter()
        .find(|each| each.name == name)
        .map_or(Value::Null, |each| each.args.clone())
}

/// Default plugins in their order, then those that are named, in the order they are named in.
fn in_order(points: &Points) -> Vec<Registration> {
    let (mut ordered, others): (Vec<_>, Vec<_>) = registry::all()
        .into_iter()
        .partition(|each| each.by_default);
    let named = [&points.multi_point, &points.filter, &points.score]
        .into_iter()
        .flat_map(|set| &set.enabled);
    for enabled in named {
        if let Some(registration) = others.iter().find(|each| each.name == enabled.name)
            && !ordered.iter().any(|each| each.name == enabled.name)
        {
            ordered.push(registration.clone());
        }
    }
    ordered
}
