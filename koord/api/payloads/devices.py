"""Devices: what pods ask for and get, metadata of Device objects, keys of vendors' device plugins."""

from enum import StrEnum

from koord.api.base import Int32, Int64, Record, ResourceList
from koord.api.gojson import Mismatch, decode, load, render
from koord.api.meta import LabelSelector
from koord.api.names import devices as names
from koord.api.payloads import texts
from koord.api.payloads.payload import (
    Findings,
    Payload,
    Place,
    annotation,
    json_annotation,
    label,
    odd,
    unless_one_of,
)
from koord.api.quantity import Quantity
from koord.api.selectors.labels import compile_selector
from koord.api.selectors.requirement import SelectorError


class DeviceType(StrEnum):
    """A kind of device; the accelerators of all vendors are gpu."""

    GPU = "gpu"
    FPGA = "fpga"
    RDMA = "rdma"


class VirtualFunctionAllocation(Record, kw_only=True):
    """A virtual function that was given to a pod."""

    minor: Int32 = 0
    bus_id: str = ""


class DeviceAllocationExtension(Record, kw_only=True):
    """What else belongs to an allocation."""

    vfs: list[VirtualFunctionAllocation] = []
    gpu_shared_resource_template: str = ""


class DeviceAllocation(Record, kw_only=True):
    """One device that was given to a pod, and how much of it."""

    minor: Int32
    resources: ResourceList
    id: str = ""
    extension: DeviceAllocationExtension | None = None


def _review_types(by_type: dict[str, object] | dict[str, list[DeviceAllocation]]) -> Findings:
    for name in by_type:
        yield from unless_one_of(name, DeviceType, name)


DEVICE_ALLOCATED = json_annotation(
    names.ANNOTATION_DEVICE_ALLOCATED, dict[str, list[DeviceAllocation]], review=_review_types
)


class AllocateStrategy(StrEnum):
    """Whether every matching device is taken, or as many as the request says."""

    APPLY_FOR_ALL = "ApplyForAll"
    REQUESTS_AS_COUNT = "RequestsAsCount"


class TopologyScope(StrEnum):
    """What all devices of a pod must have in common."""

    DEVICE = "Device"
    PCIE = "PCIe"
    NUMA_NODE = "NUMANode"
    NODE = "Node"


class ExclusivePolicy(StrEnum):
    """What a pod shares with no other."""

    DEVICE_LEVEL = "DeviceLevel"
    PCIE_LEVEL = "PCIeLevel"


class DeviceHint(Record, kw_only=True):
    """Which devices of a type a pod wants."""

    selector: LabelSelector | None = None
    vf_selector: LabelSelector | None = None
    allocate_strategy: str = ""
    required_topology_scope: str = ""
    exclusive_policy: str = ""


def _check_hints(hints: dict[str, DeviceHint]) -> None:
    for kind, hint in hints.items():
        for name, selector in (("selector", hint.selector), ("vfSelector", hint.vf_selector)):
            try:
                compile_selector(selector)
            except SelectorError as error:
                raise odd(str(error), "a valid label selector", kind, name) from None


def _review_hints(hints: dict[str, DeviceHint]) -> Findings:
    for kind, hint in hints.items():
        yield from unless_one_of(kind, DeviceType, kind)
        yield from unless_one_of(hint.allocate_strategy, AllocateStrategy, kind, "allocateStrategy")
        yield from unless_one_of(hint.required_topology_scope, TopologyScope, kind, "requiredTopologyScope")
        yield from unless_one_of(hint.exclusive_policy, ExclusivePolicy, kind, "exclusivePolicy")


DEVICE_ALLOCATE_HINT = json_annotation(
    names.ANNOTATION_DEVICE_ALLOCATE_HINT, dict[str, DeviceHint], check=_check_hints, review=_review_hints
)

SCOPE_SAME_PCIE = "SamePCIe"


class DeviceJointAllocate(Record, kw_only=True):
    """Devices of several types that belong together; the first type is the primary."""

    device_types: list[str] = []
    required_scope: str = ""


def _review_joint(joint: DeviceJointAllocate) -> Findings:
    for index, name in enumerate(joint.device_types):
        yield from unless_one_of(name, DeviceType, "deviceTypes", index)
    yield from unless_one_of(joint.required_scope, (SCOPE_SAME_PCIE,), "requiredScope")


DEVICE_JOINT_ALLOCATE = json_annotation(
    names.ANNOTATION_DEVICE_JOINT_ALLOCATE, DeviceJointAllocate, review=_review_joint
)


class PartitionAllocatePolicy(StrEnum):
    """Whether only the best partitions serve."""

    RESTRICTED = "Restricted"
    BEST_EFFORT = "BestEffort"


class GPUPartitionSpec(Record, kw_only=True):
    """Which GPU partitions a pod accepts; an empty policy is BestEffort."""

    allocate_policy: str = ""
    ring_bus_bandwidth: Quantity | None = None


def _review_partition_spec(spec: GPUPartitionSpec) -> Findings:
    yield from unless_one_of(spec.allocate_policy, PartitionAllocatePolicy, "allocatePolicy")


GPU_PARTITION_SPEC = json_annotation(
    names.ANNOTATION_GPU_PARTITION_SPEC, GPUPartitionSpec, review=_review_partition_spec
)


class GPUPartition(Record, kw_only=True):
    """GPUs that may be handed out together."""

    minors: list[Int64]
    gpu_link_type: str = ""
    ring_bus_bandwidth: Quantity | None = None
    allocation_score: Int64 = 0


def _parse_partitions(text: str) -> dict[int, list[GPUPartition]]:
    if not text:
        return {}
    document = load(text)
    if document is None:
        raise Mismatch(None, "an object from card counts to partitions")
    table = decode(document, dict[str, list[GPUPartition]])
    result: dict[int, list[GPUPartition]] = {}
    for count, partitions in table.items():
        if not (count.isascii() and count.isdigit() and len(count) < 10):
            raise odd(count, "a number of cards as key", count)
        result[int(count)] = partitions
    return result


def _write_partitions(table: dict[int, list[GPUPartition]]) -> str:
    return render({str(count): partitions for count, partitions in table.items()})


GPU_PARTITIONS = Payload(Place.ANNOTATION, names.ANNOTATION_GPU_PARTITIONS, _parse_partitions, _write_partitions)
"""On Device objects: partitions by number of cards; an empty text is none, null is an error."""


class GPUPartitionPolicy(StrEnum):
    """Whether partitions bind or are only preferred; on nodes and Device objects."""

    HONOR = "Honor"
    PREFER = "Prefer"


class GPUVendor(StrEnum):
    """The makers of accelerators."""

    NVIDIA = "nvidia"
    HUAWEI = "huawei"
    CAMBRICON = "cambricon"
    METAX = "metax"
    BAIDU = "baidu"


GPU_PARTITION_POLICY = label(names.LABEL_GPU_PARTITION_POLICY, texts.one_of(GPUPartitionPolicy))
GPU_VENDOR = label(names.LABEL_GPU_VENDOR, texts.one_of(GPUVendor))
GPU_MODEL = label(names.LABEL_GPU_MODEL, texts.TEXT)
GPU_DRIVER_VERSION = label(names.LABEL_GPU_DRIVER_VERSION, texts.TEXT)
GPU_ISOLATION_PROVIDER = label(names.LABEL_GPU_ISOLATION_PROVIDER, texts.TEXT)
SECONDARY_DEVICE_WELL_PLANNED = label(names.LABEL_SECONDARY_DEVICE_WELL_PLANNED, texts.BOOLEAN)
"""A missing label is undecided."""

HAMI_VGPU_NODE = label(names.LABEL_HAMI_VGPU_NODE, texts.TEXT)
BIND_TIMESTAMP = annotation(names.ANNOTATION_BIND_TIMESTAMP, texts.integer())
PREDICATE_TIME = annotation(names.ANNOTATION_PREDICATE_TIME, texts.integer())
GPU_MINORS = annotation(names.ANNOTATION_GPU_MINORS, texts.COMMA_LIST)
HUAWEI_NPU_CORE = annotation(names.ANNOTATION_HUAWEI_NPU_CORE, texts.TEXT)
HUAWEI_ASCEND_310P = annotation(names.ANNOTATION_HUAWEI_ASCEND_310P, texts.TEXT)
CAMBRICON_DSMLU_ASSIGNED = annotation(names.ANNOTATION_CAMBRICON_DSMLU_ASSIGNED, texts.TEXT)
CAMBRICON_DSMLU_PROFILE = annotation(names.ANNOTATION_CAMBRICON_DSMLU_PROFILE, texts.TEXT)
METAX_DEVICES_ALLOCATED = annotation(names.ANNOTATION_METAX_DEVICES_ALLOCATED, texts.TEXT)
HAMI_NODE_LOCK = annotation(names.ANNOTATION_HAMI_NODE_LOCK, texts.TEXT)
CAMBRICON_NODE_LOCK = annotation(names.ANNOTATION_CAMBRICON_NODE_LOCK, texts.TEXT)
