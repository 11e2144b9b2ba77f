"""Node."""

from typing import ClassVar

import msgspec

from koord.api.base import Record, ResourceList, Time
from koord.api.meta import Object
from koord.api.resource import Resource
from koord.api.selectors.taints import Taint


class NodeSpec(Record, kw_only=True):
    """What the cluster wants of the node."""

    pod_cidr: str = ""
    pod_cidrs: list[str] = []
    provider_id: str = ""
    unschedulable: bool = False
    taints: list[Taint] = []


class NodeCondition(Record, kw_only=True):
    """A condition, e.g. `Ready`."""

    type: str
    status: str
    last_heartbeat_time: Time | None = None
    last_transition_time: Time | None = None
    reason: str = ""
    message: str = ""


class NodeAddress(Record, kw_only=True):
    """An address, e.g. of type `InternalIP`."""

    type: str
    address: str


class NodeSystemInfo(Record, kw_only=True):
    """The node's machine and software."""

    machine_id: str = ""
    system_uuid: str = ""
    boot_id: str = ""
    kernel_version: str = ""
    os_image: str = ""
    container_runtime_version: str = ""
    kubelet_version: str = ""
    operating_system: str = ""
    architecture: str = ""


class ContainerImage(Record, kw_only=True):
    """An image on the node, with its size."""

    names: list[str] = []
    size_bytes: int = 0


class NodeStatus(Record, kw_only=True):
    """What the node has, and how it is."""

    capacity: ResourceList = {}
    allocatable: ResourceList = {}
    phase: str = ""
    conditions: list[NodeCondition] = []
    addresses: list[NodeAddress] = []
    node_info: NodeSystemInfo = msgspec.field(default_factory=NodeSystemInfo)
    images: list[ContainerImage] = []
    volumes_in_use: list[str] = []


class Node(Object, kw_only=True):
    """A node that can be written back."""

    RESOURCE: ClassVar = Resource("", "v1", "Node", "nodes", namespaced=False)

    spec: NodeSpec = msgspec.field(default_factory=NodeSpec)
    status: NodeStatus = msgspec.field(default_factory=NodeStatus)
