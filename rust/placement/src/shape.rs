//! A pod's shape: everything about it that decides where it may go, shared by all pods alike.
//!
//! Pods of one workload differ in name, uid and node only, so one compiled shape serves thousands of them and is the key of
//! every cache.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::api::{self, Labels, OwnerReference, Pod, PodSpec};
use crate::requests;
use crate::resource::{Amounts, CPU, MEMORY, Resources, amount_of};
use crate::selector::{NodeTerm, NodeTerms, Requirement, Selector};
use crate::snapshot::{Topology, TopologyKey};

/// Annotations that an allocation wrote on its pod; they belong to the pod, not to its shape.
const WRITTEN: [&str; 2] = [
    "scheduling.koordinator.sh/resource-status",
    "scheduling.koordinator.sh/device-allocated",
];

/// What makes two pods alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Template {
    pub namespace: String,
    pub labels: Labels,
    /// Annotations of Koordinator's domain, without those written by an allocation.
    pub annotations: Labels,
    pub terminating: bool,
    /// Terminating because a scheduler preempted it.
    pub preempted: bool,
    pub controller: Option<OwnerReference>,
    /// The node name is that of a pod still to be placed; placed pods have none here.
    pub spec: PodSpec,
    placed: Amounts,
    placed_nonzero: [i64; 2],
    /// Name and uid of a pod with ephemeral volumes: its claims are named after it.
    pub identity: Option<(String, String)>,
}

#[derive(Debug)]
pub struct Shape {
    /// Never used again for another shape.
    pub id: u32,
    pub template: Template,
    pub priority: i32,
    /// Of the incoming pod, without zeros.
    pub requests: Amounts,
    /// Of the incoming pod as allocation scores count it: defaults for missing requests, no pod-level values.
    pub score_requests: Amounts,
    /// What the pod takes from its node once placed.
    pub placed: Amounts,
    /// The same for cpu and memory with defaults for missing requests (milli-cores, bytes).
    pub placed_nonzero: [i64; 2],
    pub ports: Vec<HostPort>,
    pub node_selector: Vec<Requirement>,
    pub node_required: Option<NodeTerms>,
    pub node_preferred: Vec<(i64, NodeTerm)>,
    pub affinity: PodTerms,
    pub anti_affinity: PodTerms,
    pub spread: Vec<SpreadConstraint>,
    /// Of containers and init containers, each with a tag.
    pub images: Vec<String>,
    pub claims: Vec<Claim>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostPort {
    pub ip: String,
    pub protocol: String,
    pub port: i32,
}

/// Terms of one direction of inter-pod affinity.
#[derive(Debug, Default)]
pub struct PodTerms {
    pub required: Vec<PodTerm>,
    pub preferred: Vec<(i64, PodTerm)>,
}

#[derive(Debug)]
pub struct PodTerm {
    pub selector: Selector,
    pub namespaces: Vec<String>,
    pub namespace_selector: Selector,
    pub topology: TopologyKey,
}

#[derive(Clone, Debug)]
pub struct SpreadConstraint {
    pub max_skew: i64,
    pub topology: TopologyKey,
    pub hard: bool,
    pub selector: Selector,
    pub min_domains: i64,
    pub honor_affinity: bool,
    pub honor_taints: bool,
}

/// A volume that comes from a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub name: String,
    pub ephemeral: bool,
}

impl Shape {
    pub fn has_pod_terms(&self) -> bool {
        [&self.affinity, &self.anti_affinity]
            .iter()
            .any(|terms| !terms.required.is_empty() || !terms.preferred.is_empty())
    }

    pub fn labels(&self) -> &Labels {
        &self.template.labels
    }

    pub fn namespace(&self) -> &str {
        &self.template.namespace
    }

    pub fn spec(&self) -> &PodSpec {
        &self.template.spec
    }

    /// nodeSelector and required node affinity.
    pub fn matches_node(&self, name: &str, labels: &Labels) -> bool {
        self.node_selector
            .iter()
            .all(|r| r.matches(labels.get(&r.key).map(String::as_str)))
            && self
                .node_required
                .as_ref()
                .is_none_or(|terms| terms.matches(name, labels))
    }
}

impl PodTerm {
    /// `namespace_labels` is None when the labels of the pod's namespace are not to be looked at.
    pub fn matches(&self, namespace: &str, labels: &Labels, namespace_labels: &Labels) -> bool {
        (self.namespaces.iter().any(|each| each == namespace)
            || self.namespace_selector.matches(namespace_labels))
            && self.selector.matches(labels)
    }
}

impl SpreadConstraint {
    /// Reads one constraint; `selector` replaces the one it names.
    pub fn of(
        constraint: &api::TopologySpreadConstraint,
        selector: Selector,
        topology: &mut Topology,
    ) -> Self {
        Self {
            max_skew: i64::from(constraint.max_skew),
            topology: topology.key(&constraint.topology_key),
            hard: constraint.when_unsatisfiable == "DoNotSchedule",
            selector,
            min_domains: i64::from(constraint.min_domains.unwrap_or(1)),
            honor_affinity: constraint.node_affinity_policy.as_deref() != Some("Ignore"),
            honor_taints: constraint.node_taints_policy.as_deref() == Some("Honor"),
        }
    }
}

/// All shapes in use.
#[derive(Debug, Default)]
pub struct Shapes {
    by_template: FxHashMap<TemplateKey, Arc<Shape>>,
    next: u32,
    /// Sweep when the table has grown to this size.
    sweep_at: usize,
}

/// The template inside the shape is the key; both live and die together.
#[derive(Debug)]
struct TemplateKey(Arc<Shape>);

impl PartialEq for TemplateKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.template == other.0.template
    }
}
impl Eq for TemplateKey {}
impl std::hash::Hash for TemplateKey {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.template.hash(state);
    }
}
impl std::borrow::Borrow<Template> for TemplateKey {
    fn borrow(&self) -> &Template {
        &self.0.template
    }
}

impl Shapes {
    pub fn len(&self) -> usize {
        self.by_template.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_template.is_empty()
    }

    /// The shape of a pod, compiled at its first appearance.
    pub fn intern(
        &mut self,
        pod: Pod,
        resources: &mut Resources,
        topology: &mut Topology,
    ) -> Arc<Shape> {
        let compiled = Amount::of(&pod, resources);
        let template = template(pod, &compiled);
        if let Some(shape) = self.by_template.get(&template) {
            return Arc::clone(shape);
        }
        if self.by_template.len() >= self.sweep_at.max(1024) {
            // Two references are the table's own: key and value.
            self.by_template
                .retain(|_, shape| Arc::strong_count(shape) > 2);
            self.sweep_at = self.by_template.len() * 2;
        }
        let shape = Arc::new(compile(self.next, template, compiled, topology));
        self.next += 1;
        self.by_template
            .insert(TemplateKey(Arc::clone(&shape)), Arc::clone(&shape));
        shape
    }
}

/// A pod's amounts, computed before its statuses are dropped from the template.
struct Amount {
    requests: Amounts,
    score_requests: Amounts,
    placed: Amounts,
    placed_nonzero: [i64; 2],
}

impl Amount {
    fn of(pod: &Pod, resources: &mut Resources) -> Self {
        let incoming = requests::of_incoming(pod);
        let placed = requests::of_placed(pod);
        let nonzero = resources.amounts(&requests::of_placed_for_scores(pod, &placed));
        let mut requests = resources.amounts(&incoming);
        requests.retain(|(_, amount)| *amount != 0);
        let mut placed = resources.amounts(&placed);
        placed.retain(|(_, amount)| *amount != 0);
        Self {
            requests,
            score_requests: resources.amounts(&requests::of_incoming_for_scores(pod)),
            placed,
            placed_nonzero: [amount_of(&nonzero, CPU), amount_of(&nonzero, MEMORY)],
        }
    }
}

fn template(pod: Pod, amount: &Amount) -> Template {
    let api::ObjectMeta {
        name,
        namespace,
        uid,
        labels,
        annotations,
        deletion_timestamp,
        owner_references,
        ..
    } = pod.metadata;
    let ephemeral = pod
        .spec
        .volumes
        .iter()
        .any(|volume| volume.ephemeral.is_some());
    let is_ours = |key: &str| {
        key.split_once('/')
            .is_some_and(|(domain, _)| domain.ends_with("koordinator.sh"))
            && !WRITTEN.contains(&key)
    };
    Template {
        namespace,
        labels,
        annotations: annotations
            .into_iter()
            .filter(|(key, _)| is_ours(key))
            .collect(),
        terminating: deletion_timestamp.is_some(),
        preempted: deletion_timestamp.is_some() && pod.status.conditions.iter().any(is_preemption),
        controller: owner_references.into_iter().find(|owner| owner.controller),
        spec: pod.spec,
        placed: amount.placed.clone(),
        placed_nonzero: amount.placed_nonzero,
        identity: ephemeral.then_some((name, uid)),
    }
}

fn is_preemption(condition: &api::PodCondition) -> bool {
    condition.kind == "DisruptionTarget"
        && condition.status == "True"
        && condition.reason == "PreemptionByScheduler"
}

fn compile(id: u32, template: Template, amount: Amount, topology: &mut Topology) -> Shape {
    let spec = &template.spec;
    let affinity = &spec.affinity;
    let all = || spec.containers.iter().chain(&spec.init_containers);
    Shape {
        id,
        priority: spec.priority.unwrap_or(0),
        requests: amount.requests,
        score_requests: amount.score_requests,
        placed: amount.placed,
        placed_nonzero: amount.placed_nonzero,
        ports: host_ports(spec),
        node_selector: spec
            .node_selector
            .iter()
            .map(|(key, value)| Requirement::equals(key, value))
            .collect(),
        node_required: affinity.node_affinity.required.as_ref().map(NodeTerms::of),
        node_preferred: affinity
            .node_affinity
            .preferred
            .iter()
            .map(|term| (term.weight, NodeTerm::of(&term.preference)))
            .collect(),
        affinity: pod_terms(&affinity.pod_affinity, &template.namespace, topology),
        anti_affinity: pod_terms(&affinity.pod_anti_affinity, &template.namespace, topology),
        spread: spec
            .topology_spread_constraints
            .iter()
            .map(|c| SpreadConstraint::of(c, spread_selector(c, &template.labels), topology))
            .collect(),
        images: all()
            .map(|container| normalized_image(&container.image))
            .collect(),
        claims: claims(&template),
        template,
    }
}

pub fn host_ports(spec: &PodSpec) -> Vec<HostPort> {
    let or = |text: &str, default: &str| {
        if text.is_empty() {
            default.to_owned()
        } else {
            text.to_owned()
        }
    };
    let running = spec
        .containers
        .iter()
        .chain(spec.init_containers.iter().filter(|c| c.is_sidecar()));
    running
        .flat_map(|container| &container.ports)
        .filter(|port| port.host_port > 0)
        .map(|port| HostPort {
            ip: or(&port.host_ip, "0.0.0.0"),
            protocol: or(&port.protocol, "TCP"),
            port: port.host_port,
        })
        .collect()
}

fn pod_terms(terms: &api::PodAffinity, namespace: &str, topology: &mut Topology) -> PodTerms {
    let mut compile = |term: &api::PodAffinityTerm| PodTerm {
        selector: Selector::of(term.label_selector.as_ref()),
        namespaces: if term.namespaces.is_empty() && term.namespace_selector.is_none() {
            vec![namespace.to_owned()]
        } else {
            term.namespaces.clone()
        },
        namespace_selector: Selector::of(term.namespace_selector.as_ref()),
        topology: topology.key(&term.topology_key),
    };
    PodTerms {
        required: terms.required.iter().map(&mut compile).collect(),
        preferred: terms
            .preferred
            .iter()
            .map(|w| (w.weight, compile(&w.pod_affinity_term)))
            .collect(),
    }
}

/// The constraint's selector and, for each of matchLabelKeys that the pod has, the pod's own value.
fn spread_selector(constraint: &api::TopologySpreadConstraint, labels: &Labels) -> Selector {
    let mut selector = Selector::of(constraint.label_selector.as_ref());
    let keys = constraint.match_label_keys.iter();
    selector
        .and(keys.filter_map(|key| labels.get(key).map(|value| Requirement::equals(key, value))));
    selector
}

fn normalized_image(image: &str) -> String {
    if image.rfind(':') <= image.rfind('/') {
        format!("{image}:latest")
    } else {
        image.to_owned()
    }
}

fn claims(template: &Template) -> Vec<Claim> {
    let named = |volume: &api::Volume| match (&volume.persistent_volume_claim, &template.identity) {
        (Some(claim), _) => Some(Claim {
            name: claim.claim_name.clone(),
            ephemeral: false,
        }),
        (None, Some((pod, _))) if volume.ephemeral.is_some() => Some(Claim {
            name: format!("{pod}-{}", volume.name),
            ephemeral: true,
        }),
        _ => None,
    };
    template.spec.volumes.iter().filter_map(named).collect()
}
