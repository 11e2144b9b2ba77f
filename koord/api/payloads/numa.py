"""CPU and NUMA: what pods ask for and get, what nodes prescribe."""

from enum import StrEnum

import msgspec

from koord.api.base import Int32, Record, ResourceList
from koord.api.cpulist import CPUListError, parse_cpus
from koord.api.names import numa as names
from koord.api.payloads import texts
from koord.api.payloads.payload import Findings, json_annotation, label, odd, unless_one_of


class CPUBindPolicy(StrEnum):
    """How a pod's CPUs lie on the physical cores."""

    DEFAULT = "Default"
    FULL_PCPUS = "FullPCPUs"
    SPREAD_BY_PCPUS = "SpreadByPCPUs"
    CONSTRAINED_BURST = "ConstrainedBurst"


class CPUExclusivePolicy(StrEnum):
    """What pods of the same policy do not share."""

    NONE = "None"
    PCPU_LEVEL = "PCPULevel"
    NUMA_NODE_LEVEL = "NUMANodeLevel"


class NUMATopologyPolicy(StrEnum):
    """How strictly a pod's resources come from few NUMA nodes."""

    NONE = ""
    BEST_EFFORT = "BestEffort"
    RESTRICTED = "Restricted"
    SINGLE_NUMA_NODE = "SingleNUMANode"


class NUMANodeExclusive(StrEnum):
    """Whether a NUMA node is kept for pods on a single one."""

    PREFERRED = "Preferred"
    REQUIRED = "Required"


class NodeCPUBindPolicy(StrEnum):
    """What a node prescribes to all pods with bound CPUs."""

    NONE = "None"
    FULL_PCPUS_ONLY = "FullPCPUsOnly"
    SPREAD_BY_PCPUS = "SpreadByPCPUs"


class NUMAAllocateStrategy(StrEnum):
    """Which NUMA nodes are taken first."""

    MOST_ALLOCATED = "MostAllocated"
    LEAST_ALLOCATED = "LeastAllocated"
    DISTRIBUTE_EVENLY = "DistributeEvenly"


class ResourceSpec(Record, kw_only=True):
    """How a pod wants its CPUs bound; a required policy replaces the preferred one."""

    required_cpu_bind_policy: str = msgspec.field(default="", name="requiredCPUBindPolicy")
    preferred_cpu_bind_policy: str = msgspec.field(default="", name="preferredCPUBindPolicy")
    preferred_cpu_exclusive_policy: str = msgspec.field(default="", name="preferredCPUExclusivePolicy")


def _review_resource_spec(spec: ResourceSpec) -> Findings:
    yield from unless_one_of(spec.required_cpu_bind_policy, CPUBindPolicy, "requiredCPUBindPolicy")
    yield from unless_one_of(spec.preferred_cpu_bind_policy, CPUBindPolicy, "preferredCPUBindPolicy")
    yield from unless_one_of(spec.preferred_cpu_exclusive_policy, CPUExclusivePolicy, "preferredCPUExclusivePolicy")


RESOURCE_SPEC = json_annotation(names.ANNOTATION_RESOURCE_SPEC, ResourceSpec, review=_review_resource_spec)


class NUMATopologySpec(Record, kw_only=True):
    """The NUMA policy of a pod."""

    numa_topology_policy: str = ""
    single_numa_node_exclusive: str = msgspec.field(default="", name="singleNUMANodeExclusive")


def _review_numa_spec(spec: NUMATopologySpec) -> Findings:
    yield from unless_one_of(spec.numa_topology_policy, filter(None, NUMATopologyPolicy), "numaTopologyPolicy")
    yield from unless_one_of(spec.single_numa_node_exclusive, NUMANodeExclusive, "singleNUMANodeExclusive")


NUMA_TOPOLOGY_SPEC = json_annotation(names.ANNOTATION_NUMA_TOPOLOGY_SPEC, NUMATopologySpec, review=_review_numa_spec)


class NUMANodeResource(Record, kw_only=True):
    """What a pod has of one NUMA node."""

    node: Int32
    resources: ResourceList = {}


class ResourceStatus(Record, kw_only=True):
    """What the scheduler gave to a pod: a CPU list, and amounts by NUMA node."""

    cpuset: str = ""
    numa_node_resources: list[NUMANodeResource] = []

    @property
    def cpus(self) -> frozenset[int]:
        """The CPUs of the list."""
        return parse_cpus(self.cpuset)


def check_cpus(text: str, *steps: str | int) -> None:
    """Refuse a text that is no CPU list; raises Mismatch below the given keys."""
    try:
        parse_cpus(text)
    except CPUListError:
        raise odd(text, 'a CPU list such as "0-3,8"', *steps) from None


RESOURCE_STATUS = json_annotation(
    names.ANNOTATION_RESOURCE_STATUS, ResourceStatus, check=lambda status: check_cpus(status.cpuset, "cpuset")
)

NODE_CPU_BIND_POLICY = label(names.LABEL_CPU_BIND_POLICY, texts.one_of(NodeCPUBindPolicy))
NUMA_ALLOCATE_STRATEGY = label(names.LABEL_NUMA_ALLOCATE_STRATEGY, texts.one_of(NUMAAllocateStrategy))
NUMA_TOPOLOGY_POLICY = label(names.LABEL_NUMA_TOPOLOGY_POLICY, texts.one_of(NUMATopologyPolicy, empty=True))
ENABLE_NUMA_RESERVATION = label(names.LABEL_ENABLE_NUMA_RESERVATION, texts.FLAG)
