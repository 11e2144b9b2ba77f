"""What the node agent reports in annotations of the NodeResourceTopology."""

import msgspec

from koord.api.base import Int32, Record
from koord.api.gojson import parse, render
from koord.api.names import numa as names
from koord.api.names.node import ANNOTATION_CPU_BASIC_INFO
from koord.api.payloads.numa import check_cpus
from koord.api.payloads.payload import Payload, Place, json_annotation


class CPUBasicInfo(Record, kw_only=True):
    """The CPU model and what of it is switched on."""

    cpu_model: str = ""
    hyper_thread_enabled: bool = False
    turbo_enabled: bool = False
    cat_l3_cbm_mask: str = ""
    vendor_id: str = ""


CPU_BASIC_INFO = json_annotation(ANNOTATION_CPU_BASIC_INFO, CPUBasicInfo)


class CPUInfo(Record, kw_only=True):
    """One logical CPU with its physical core, socket and NUMA node."""

    id: Int32
    core: Int32
    socket: Int32
    node: Int32


class CPUTopology(Record, kw_only=True):
    """All logical CPUs."""

    detail: list[CPUInfo]


CPU_TOPOLOGY = json_annotation(names.ANNOTATION_CPU_TOPOLOGY, CPUTopology)


class CPUSharedPool(Record, kw_only=True):
    """The CPUs of one NUMA node that unbound pods share."""

    socket: Int32
    node: Int32
    cpuset: str = ""


def _check_pools(pools: list[CPUSharedPool]) -> None:
    for index, pool in enumerate(pools):
        check_cpus(pool.cpuset, index, "cpuset")


CPU_SHARED_POOLS = json_annotation(names.ANNOTATION_CPU_SHARED_POOLS, list[CPUSharedPool], check=_check_pools)
BE_CPU_SHARED_POOLS = json_annotation(names.ANNOTATION_BE_CPU_SHARED_POOLS, list[CPUSharedPool], check=_check_pools)


class KubeletCPUManagerPolicy(Record, kw_only=True):
    """Kubelet's CPU manager: policy `static` or `none`, its options, the CPUs it keeps."""

    policy: str = ""
    options: dict[str, str] = {}
    reserved_cpus: str = msgspec.field(default="", name="reservedCPUs")


KUBELET_CPU_MANAGER_POLICY = json_annotation(
    names.ANNOTATION_KUBELET_CPU_MANAGER_POLICY,
    KubeletCPUManagerPolicy,
    check=lambda policy: check_cpus(policy.reserved_cpus, "reservedCPUs"),
)


class PodCPUAllocation(Record, kw_only=True):
    """CPUs that kubelet, or the scheduler, bound to a pod."""

    namespace: str = ""
    name: str = ""
    uid: str = ""
    cpuset: str = ""
    managed_by_kubelet: bool = False


def _parse_allocations(text: str) -> list[PodCPUAllocation]:
    allocations = parse(text, list[PodCPUAllocation])
    for index, allocation in enumerate(allocations):
        check_cpus(allocation.cpuset, index, "cpuset")
    return allocations


POD_CPU_ALLOCS = Payload(
    Place.ANNOTATION, names.ANNOTATION_POD_CPU_ALLOCS, _parse_allocations, lambda value: render(value or None)
)
"""No allocations are written as `null`."""
