"""Pod."""

from typing import Annotated, ClassVar

import msgspec

from koord.api.base import Int32, Int64, Record, ResourceList, Schema, Time
from koord.api.core.podspec import PodSpec
from koord.api.core.resources import ResourceRequirements
from koord.api.meta import Object
from koord.api.resource import Resource


class PodCondition(Record, kw_only=True):
    """A condition, e.g. `PodScheduled` or `Ready`."""

    type: str
    status: str
    observed_generation: Int64 = 0
    last_probe_time: Time | None = None
    last_transition_time: Time | None = None
    reason: str = ""
    message: str = ""


class PodIP(Record, kw_only=True):
    """An address of the pod."""

    ip: str


class ContainerStateWaiting(Record, kw_only=True):
    """The container does not run yet."""

    reason: str = ""
    message: str = ""


class ContainerStateRunning(Record, kw_only=True):
    """The container runs."""

    started_at: Time | None = None


class ContainerStateTerminated(Record, kw_only=True):
    """The container has ended."""

    exit_code: Int32
    signal: Int32 = 0
    reason: str = ""
    message: str = ""
    started_at: Time | None = None
    finished_at: Time | None = None
    container_id: str = ""


class ContainerState(Record, kw_only=True):
    """One of three states."""

    waiting: ContainerStateWaiting | None = None
    running: ContainerStateRunning | None = None
    terminated: ContainerStateTerminated | None = None


class ContainerStatus(Record, kw_only=True):
    """What became of a container; `container_id` is `runtime://id`."""

    name: str
    state: ContainerState = msgspec.field(default_factory=ContainerState)
    last_state: ContainerState = msgspec.field(default_factory=ContainerState)
    ready: bool
    restart_count: Int32
    image: str
    image_id: str
    container_id: str = ""
    started: bool | None = None
    allocated_resources: ResourceList = {}
    resources: ResourceRequirements | None = None


class PodStatus(Record, kw_only=True):
    """What became of the pod."""

    observed_generation: Int64 = 0
    phase: str = ""
    conditions: list[PodCondition] = []
    message: str = ""
    reason: str = ""
    nominated_node_name: str = ""
    host_ip: str = ""
    pod_ip: str = ""
    pod_ips: list[PodIP] = []
    start_time: Time | None = None
    init_container_statuses: list[ContainerStatus] = []
    container_statuses: list[ContainerStatus] = []
    ephemeral_container_statuses: list[ContainerStatus] = []
    qos_class: Annotated[str, Schema(enum=("Guaranteed", "Burstable", "BestEffort"))] = ""
    resize: str = ""


class Pod(Object, kw_only=True):
    """A pod that can be written back."""

    RESOURCE: ClassVar = Resource("", "v1", "Pod", "pods", namespaced=True)

    spec: PodSpec
    status: PodStatus = msgspec.field(default_factory=PodStatus)
