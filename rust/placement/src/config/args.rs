//! The plugins' arguments, checked as kube-scheduler checks them.

use serde::Deserialize;
use serde_json::Value;

use crate::api::{self, TopologySpreadConstraint, null_as_absent};
use crate::error::{PlacementError, Result};
use crate::gpu::Policy;
use crate::plugins::Strategy;

/// Reads a plugin's arguments; null means all defaults.
///
/// # Errors
/// The path of an unknown field or of a value that does not fit.
pub fn parse<T: serde::de::DeserializeOwned + Default>(plugin: &str, args: &Value) -> Result<T> {
    let Value::Object(fields) = args else {
        return match args {
            Value::Null => Ok(T::default()),
            other => Err(invalid(plugin, "args", other, "an object")),
        };
    };
    let own: serde_json::Map<String, Value> = fields
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "apiVersion" | "kind"))
        .map(owned)
        .collect();
    serde_path_to_error::deserialize(Value::Object(own)).map_err(|error| PlacementError::Decode {
        object: "KubeSchedulerConfiguration".to_owned(),
        path: format!("pluginConfig[{plugin}].args.{}", error.path()),
        message: error.inner().to_string(),
    })
}

fn owned((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

fn invalid(
    plugin: &str,
    path: &str,
    found: impl std::fmt::Display,
    allowed: &str,
) -> PlacementError {
    PlacementError::Invalid {
        object: "KubeSchedulerConfiguration".to_owned(),
        path: format!("pluginConfig[{plugin}].{path}"),
        found: found.to_string(),
        allowed: allowed.to_owned(),
    }
}

/// Arguments as they are written; a field that does not exist is an error.
macro_rules! args {
    ($($name:ident { $($field:ident: $type:ty),* $(,)? })*) => {$(
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(rename_all = "camelCase", default, deny_unknown_fields)]
        pub struct $name {
            $(#[serde(deserialize_with = "null_as_absent")] pub $field: $type,)*
        }
    )*};
}

args! {
    NodeAffinity { added_affinity: Option<api::NodeAffinity> }
    NodeResourcesFit {
        ignored_resources: Vec<String>,
        ignored_resource_groups: Vec<String>,
        scoring_strategy: Option<ScoringStrategy>,
    }
    RequestedToCapacityRatio { shape: Vec<ShapePoint> }
    ShapePoint { utilization: i64, score: i64 }
    ResourceWeight { name: String, weight: i64 }
    BalancedAllocation { resources: Vec<ResourceWeight> }
    InterPodAffinity { hard_pod_affinity_weight: Option<i64>, ignore_preferred_terms_of_existing_pods: bool }
    PodTopologySpread { default_constraints: Vec<TopologySpreadConstraint>, defaulting_type: Option<String> }
    VolumeBinding { bind_timeout_seconds: Option<i64>, shape: Vec<ShapePoint> }
    GpuShare { policy: Option<String> }
    DefaultPreemption { min_candidate_nodes_percentage: Option<i64>, min_candidate_nodes_absolute: Option<i64> }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ScoringStrategy {
    #[serde(rename = "type", deserialize_with = "null_as_absent")]
    pub kind: String,
    #[serde(deserialize_with = "null_as_absent")]
    pub resources: Vec<ResourceWeight>,
    #[serde(deserialize_with = "null_as_absent")]
    pub requested_to_capacity_ratio: RequestedToCapacityRatio,
}

const FIT: &str = "NodeResourcesFit";

impl ScoringStrategy {
    pub fn strategy(&self) -> Result<Strategy> {
        match self.kind.as_str() {
            "" | "LeastAllocated" => Ok(Strategy::LeastAllocated),
            "MostAllocated" => Ok(Strategy::MostAllocated),
            "RequestedToCapacityRatio" => {
                let shape = &self.requested_to_capacity_ratio.shape;
                let path = "args.scoringStrategy.requestedToCapacityRatio.shape";
                Ok(Strategy::RequestedToCapacityRatio(
                    points(FIT, path, shape)?.into(),
                ))
            }
            other => Err(invalid(
                FIT,
                "args.scoringStrategy.type",
                other,
                "LeastAllocated, MostAllocated or RequestedToCapacityRatio",
            )),
        }
    }

    pub fn resources(&self) -> Result<Vec<(String, i64)>> {
        weights(FIT, "args.scoringStrategy.resources", &self.resources)
    }
}

impl BalancedAllocation {
    pub fn resources(&self) -> Result<Vec<String>> {
        let weights = weights(
            "NodeResourcesBalancedAllocation",
            "args.resources",
            &self.resources,
        )?;
        if let Some((name, weight)) = weights.iter().find(|(_, weight)| *weight != 1) {
            let path = format!("args.resources[{name}].weight");
            return Err(invalid(
                "NodeResourcesBalancedAllocation",
                &path,
                weight,
                "1",
            ));
        }
        Ok(weights.into_iter().map(|(name, _)| name).collect())
    }
}

impl InterPodAffinity {
    pub fn weight(&self) -> Result<i64> {
        let weight = self.hard_pod_affinity_weight.unwrap_or(1);
        if (0..=100).contains(&weight) {
            return Ok(weight);
        }
        Err(invalid(
            "InterPodAffinity",
            "args.hardPodAffinityWeight",
            weight,
            "0 to 100",
        ))
    }
}

impl PodTopologySpread {
    /// The configured constraints; None for the built-in ones.
    pub fn list(&self) -> Result<Option<&[TopologySpreadConstraint]>> {
        const NAME: &str = "PodTopologySpread";
        match self.defaulting_type.as_deref() {
            None | Some("System") if self.default_constraints.is_empty() => Ok(None),
            None | Some("System") => Err(invalid(
                NAME,
                "args.defaultConstraints",
                "constraints",
                "none, unless defaultingType is List",
            )),
            Some("List") => {
                for (at, constraint) in self.default_constraints.iter().enumerate() {
                    if constraint.max_skew <= 0 {
                        let path = format!("args.defaultConstraints[{at}].maxSkew");
                        return Err(invalid(NAME, &path, constraint.max_skew, "1 or more"));
                    }
                    if constraint.label_selector.is_some() {
                        let path = format!("args.defaultConstraints[{at}].labelSelector");
                        return Err(invalid(
                            NAME,
                            &path,
                            "a selector",
                            "none: it is taken from the pod's owners",
                        ));
                    }
                }
                Ok(Some(&self.default_constraints))
            }
            Some(other) => Err(invalid(
                NAME,
                "args.defaultingType",
                other,
                "System or List",
            )),
        }
    }
}

impl GpuShare {
    pub fn policy(&self) -> Result<Policy> {
        match self.policy.as_deref() {
            None | Some("CapacityPotential") => Ok(Policy::CapacityPotential),
            Some("FragmentationGradientDescent") => Ok(Policy::FragmentationGradientDescent),
            Some("BestFit") => Ok(Policy::BestFit),
            Some(other) => Err(invalid(
                "GPUShare",
                "args.policy",
                other,
                "CapacityPotential, FragmentationGradientDescent or BestFit",
            )),
        }
    }
}

impl VolumeBinding {
    /// Points of the score by storage capacity: by default the emptier, the better.
    pub fn points(&self) -> Result<Vec<(i64, i64)>> {
        if self.shape.is_empty() {
            return Ok(vec![(0, 100), (100, 0)]);
        }
        points("VolumeBinding", "args.shape", &self.shape)
    }
}

/// Utilizations ascend within 0-100; scores are 0-10 and become 0-100.
fn points(plugin: &str, path: &str, shape: &[ShapePoint]) -> Result<Vec<(i64, i64)>> {
    if shape.is_empty() {
        return Err(invalid(plugin, path, "no points", "at least one point"));
    }
    for (at, point) in shape.iter().enumerate() {
        if !(0..=100).contains(&point.utilization) {
            return Err(invalid(
                plugin,
                &format!("{path}[{at}].utilization"),
                point.utilization,
                "0 to 100",
            ));
        }
        if !(0..=10).contains(&point.score) {
            return Err(invalid(
                plugin,
                &format!("{path}[{at}].score"),
                point.score,
                "0 to 10",
            ));
        }
        if at > 0 && shape[at - 1].utilization >= point.utilization {
            let allowed = "more than the point before";
            return Err(invalid(
                plugin,
                &format!("{path}[{at}].utilization"),
                point.utilization,
                allowed,
            ));
        }
    }
    Ok(shape
        .iter()
        .map(|point| (point.utilization, point.score * 10))
        .collect())
}

/// cpu and memory, weight 1, when nothing is named.
fn weights(plugin: &str, path: &str, resources: &[ResourceWeight]) -> Result<Vec<(String, i64)>> {
    if resources.is_empty() {
        return Ok(vec![("cpu".to_owned(), 1), ("memory".to_owned(), 1)]);
    }
    let mut weights = Vec::new();
    for resource in resources {
        let weight = if resource.weight == 0 {
            1
        } else {
            resource.weight
        };
        if !(1..=100).contains(&weight) {
            return Err(invalid(
                plugin,
                &format!("{path}[{}].weight", resource.name),
                weight,
                "1 to 100",
            ));
        }
        weights.push((resource.name.clone(), weight));
    }
    Ok(weights)
}
