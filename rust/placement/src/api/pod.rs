//! Pods, as far as a scheduler reads them.

use super::{
    LabelSelector, Labels, NodeSelector, ObjectMeta, PreferredSchedulingTerm, ResourceList, objects,
};

objects! {
    Pod { metadata: ObjectMeta, spec: PodSpec, status: PodStatus }
    PodSpec {
        node_name: String,
        scheduler_name: String,
        priority: Option<i32>,
        preemption_policy: Option<String>,
        node_selector: Labels,
        affinity: Affinity,
        tolerations: Vec<Toleration>,
        containers: Vec<Container>,
        init_containers: Vec<Container>,
        overhead: ResourceList,
        resources: ResourceRequirements,
        topology_spread_constraints: Vec<TopologySpreadConstraint>,
        scheduling_gates: Vec<SchedulingGate>,
        volumes: Vec<Volume>,
        resource_claims: Vec<PodResourceClaim>,
    }
    Affinity { node_affinity: NodeAffinity, pod_affinity: PodAffinity, pod_anti_affinity: PodAffinity }
    NodeAffinity {
        #[serde(rename = "requiredDuringSchedulingIgnoredDuringExecution")]
        required: Option<NodeSelector>,
        #[serde(rename = "preferredDuringSchedulingIgnoredDuringExecution")]
        preferred: Vec<PreferredSchedulingTerm>,
    }
    PodAffinity {
        #[serde(rename = "requiredDuringSchedulingIgnoredDuringExecution")]
        required: Vec<PodAffinityTerm>,
        #[serde(rename = "preferredDuringSchedulingIgnoredDuringExecution")]
        preferred: Vec<WeightedPodAffinityTerm>,
    }
    WeightedPodAffinityTerm { weight: i64, pod_affinity_term: PodAffinityTerm }
    PodAffinityTerm {
        label_selector: Option<LabelSelector>,
        namespaces: Vec<String>,
        namespace_selector: Option<LabelSelector>,
        topology_key: String,
    }
    Toleration { key: String, operator: String, value: String, effect: String }
    Container {
        name: String,
        image: String,
        resources: ResourceRequirements,
        ports: Vec<ContainerPort>,
        restart_policy: Option<String>,
    }
    ResourceRequirements { requests: ResourceList, limits: ResourceList }
    ContainerPort {
        host_port: i32,
        #[serde(rename = "hostIP")]
        host_ip: String,
        protocol: String,
    }
    TopologySpreadConstraint {
        max_skew: i32,
        topology_key: String,
        when_unsatisfiable: String,
        label_selector: Option<LabelSelector>,
        min_domains: Option<i32>,
        node_affinity_policy: Option<String>,
        node_taints_policy: Option<String>,
        match_label_keys: Vec<String>,
    }
    SchedulingGate { name: String }
    PodResourceClaim { name: String }
    Volume {
        name: String,
        persistent_volume_claim: Option<ClaimSource>,
        ephemeral: Option<EphemeralSource>,
        gce_persistent_disk: Option<GceDisk>,
        aws_elastic_block_store: Option<EbsDisk>,
        iscsi: Option<IscsiDisk>,
        rbd: Option<RbdDisk>,
    }
    ClaimSource { claim_name: String }
    EphemeralSource {}
    GceDisk { pd_name: String, read_only: bool }
    EbsDisk {
        #[serde(rename = "volumeID")]
        volume_id: String,
        read_only: bool,
    }
    IscsiDisk { iqn: String, read_only: bool }
    RbdDisk { monitors: Vec<String>, pool: String, image: String, read_only: bool }
    PodStatus {
        phase: String,
        nominated_node_name: String,
        start_time: Option<String>,
        conditions: Vec<PodCondition>,
        container_statuses: Vec<ContainerStatus>,
        init_container_statuses: Vec<ContainerStatus>,
    }
    PodCondition {
        #[serde(rename = "type")]
        kind: String,
        status: String,
        reason: String,
    }
    ContainerStatus { name: String, allocated_resources: ResourceList, resources: Option<ResourceRequirements> }
}

impl Container {
    /// An init container that keeps running beside the containers.
    pub fn is_sidecar(&self) -> bool {
        self.restart_policy.as_deref() == Some("Always")
    }
}
