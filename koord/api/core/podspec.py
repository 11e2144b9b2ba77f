"""PodSpec: what a pod runs and where it may run."""

import msgspec

from koord.api.base import Int32, Int64, Record, ResourceList
from koord.api.core.affinity import Affinity, TopologySpreadConstraint
from koord.api.core.container import Container
from koord.api.core.resources import ResourceRequirements
from koord.api.core.volumes import Volume
from koord.api.meta import ObjectMeta
from koord.api.selectors.taints import Toleration


class PodSchedulingGate(Record, kw_only=True):
    """While a pod has a gate, it is not scheduled."""

    name: str


class PodResourceClaim(Record, kw_only=True):
    """A device claim of the pod, by name or by template."""

    name: str
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodSpec(Record, kw_only=True):
    """The part of a pod's spec that components read or write; the rest is carried."""

    volumes: list[Volume] = []
    init_containers: list[Container] = []
    containers: list[Container]
    ephemeral_containers: list[Container] = []
    restart_policy: str = ""
    termination_grace_period_seconds: Int64 | None = None
    active_deadline_seconds: Int64 | None = None
    node_selector: dict[str, str] = {}
    service_account_name: str = ""
    node_name: str = ""
    host_network: bool = False
    host_pid: bool = False
    host_ipc: bool = False
    affinity: Affinity | None = None
    scheduler_name: str = ""
    tolerations: list[Toleration] = []
    priority_class_name: str = ""
    priority: Int32 | None = None
    runtime_class_name: str | None = None
    preemption_policy: str | None = None
    overhead: ResourceList = {}
    topology_spread_constraints: list[TopologySpreadConstraint] = []
    scheduling_gates: list[PodSchedulingGate] = []
    resource_claims: list[PodResourceClaim] = []
    resources: ResourceRequirements | None = None


class PodTemplateSpec(Record, kw_only=True):
    """The pod that a workload or a reservation makes."""

    metadata: ObjectMeta = msgspec.field(default_factory=ObjectMeta)
    spec: PodSpec | None = None
