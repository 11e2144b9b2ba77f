"""PodView: the part of a pod that scheduling and the controllers need, for stores of very many pods."""

from typing import ClassVar

from koord.api.base import Int32, ResourceList, Time, View
from koord.api.core.affinity import Affinity, TopologySpreadConstraint
from koord.api.core.metaview import MetaView
from koord.api.core.pod import Pod
from koord.api.resource import Resource
from koord.api.selectors.taints import Toleration


class ResourcesView(View, frozen=True, kw_only=True):
    """Requests and limits."""

    limits: ResourceList = {}
    requests: ResourceList = {}


class PortView(View, frozen=True, kw_only=True):
    """A port, for conflicts of host ports."""

    host_port: Int32 = 0
    host_ip: str = ""
    protocol: str = ""


class ContainerView(View, frozen=True, kw_only=True):
    """A container; an init container whose restart policy is `Always` is a sidecar."""

    name: str = ""
    image: str = ""
    resources: ResourcesView = ResourcesView()
    restart_policy: str | None = None
    ports: tuple[PortView, ...] = ()


class ClaimView(View, frozen=True, kw_only=True):
    """The name of a claim."""

    claim_name: str = ""


class EphemeralView(View, frozen=True, kw_only=True):
    """Says that the volume's claim is named after pod and volume."""


class VolumeView(View, frozen=True, kw_only=True):
    """A volume, if it is a claim."""

    name: str = ""
    persistent_volume_claim: ClaimView | None = None
    ephemeral: EphemeralView | None = None


class GateView(View, frozen=True, kw_only=True):
    """A scheduling gate."""

    name: str = ""


class PodSpecView(View, frozen=True, kw_only=True):
    """What the pod needs, and where it may run."""

    node_name: str = ""
    scheduler_name: str = ""
    priority: Int32 | None = None
    priority_class_name: str = ""
    preemption_policy: str | None = None
    node_selector: dict[str, str] = {}
    affinity: Affinity | None = None
    tolerations: tuple[Toleration, ...] = ()
    topology_spread_constraints: tuple[TopologySpreadConstraint, ...] = ()
    scheduling_gates: tuple[GateView, ...] = ()
    host_network: bool = False
    overhead: ResourceList = {}
    resources: ResourcesView | None = None
    containers: tuple[ContainerView, ...] = ()
    init_containers: tuple[ContainerView, ...] = ()
    volumes: tuple[VolumeView, ...] = ()


class PodConditionView(View, frozen=True, kw_only=True):
    """A condition."""

    type: str = ""
    status: str = ""
    reason: str = ""
    last_transition_time: Time | None = None


class ContainerStatusView(View, frozen=True, kw_only=True):
    """Whether a container is ready, and how often it was restarted."""

    name: str = ""
    ready: bool = False
    restart_count: Int32 = 0


class PodStatusView(View, frozen=True, kw_only=True):
    """How far the pod is."""

    phase: str = ""
    nominated_node_name: str = ""
    qos_class: str = ""
    start_time: Time | None = None
    conditions: tuple[PodConditionView, ...] = ()
    container_statuses: tuple[ContainerStatusView, ...] = ()


class PodView(View, frozen=True, kw_only=True):
    """A pod as scheduling and the controllers see it."""

    RESOURCE: ClassVar[Resource] = Pod.RESOURCE

    metadata: MetaView = MetaView()
    spec: PodSpecView = PodSpecView()
    status: PodStatusView = PodStatusView()
