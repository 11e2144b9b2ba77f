"""Device: the GPUs, RDMA NICs and FPGAs of a node."""

from typing import Annotated, ClassVar

import msgspec

from koord.api.base import Int32, Record, ResourceList, Schema
from koord.api.customresource import CustomResource
from koord.api.meta import Condition, Object


class DeviceTopology(Record, kw_only=True):
    """Where a device is plugged in; -1 where unknown."""

    socket_id: Int32
    node_id: Int32
    pcie_id: str
    bus_id: str = ""


class VirtualFunction(Record, kw_only=True):
    """A virtual function of an SR-IOV device."""

    minor: Int32
    bus_id: str = ""


class VirtualFunctionGroup(Record, kw_only=True):
    """Virtual functions that share labels."""

    labels: dict[str, str] = {}
    vfs: list[VirtualFunction] = []


class DeviceInfo(Record, kw_only=True):
    """A device: its type (`gpu`, `rdma`, `fpga`), its UUID or bus id, and what it offers."""

    type: str = ""
    labels: dict[str, str] = {}
    id: str = ""
    minor: Int32 | None = None
    module_id: Int32 | None = None
    health: Annotated[bool, Schema(required=True, default=False)] = False
    resources: ResourceList = {}
    topology: DeviceTopology | None = None
    vf_groups: list[VirtualFunctionGroup] = []
    conditions: list[Condition] = []


class DeviceSpec(Record, kw_only=True):
    """The devices of the node."""

    devices: list[DeviceInfo] = []


class DeviceAllocationItem(Record, kw_only=True):
    """The devices that a pod has."""

    name: str = ""
    namespace: str = ""
    uuid: str = ""
    minors: list[Int32] = []


class DeviceAllocation(Record, kw_only=True):
    """Allocations of one type of device."""

    type: str = ""
    entries: list[DeviceAllocationItem] = []


class DeviceStatus(Record, kw_only=True):
    """Allocations; current components keep them elsewhere."""

    allocations: list[DeviceAllocation] = []


class Device(Object, kw_only=True):
    """The devices of a node; the object has its node's name."""

    RESOURCE: ClassVar = CustomResource("scheduling.koordinator.sh", "v1alpha1", "Device", "devices", namespaced=False)

    spec: DeviceSpec = msgspec.field(default_factory=DeviceSpec)
    status: DeviceStatus = msgspec.field(default_factory=DeviceStatus)
