"""The node's CPUs as CPU suppression sees them: how many, which are closed, which are bound to pods."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from koord.api.core.node import Node
from koord.api.cpulist import parse_cpus
from koord.api.names.resources import RESOURCE_CPU
from koord.api.payloads.node import NODE_RESERVATION, SYSTEM_QOS_RESOURCE, NodeReservation, SystemQOSResource
from koord.api.payloads.numa import RESOURCE_STATUS, ResourceStatus
from koord.api.payloads.topology import KUBELET_CPU_MANAGER_POLICY, KubeletCPUManagerPolicy
from koord.api.qos import QoSClass
from koord.api.quantity import Quantity
from koord.api.slo.hostapplication import HostApplicationSpec
from koordlet.states.pods import PodFacts, amount

STATIC = "static"


@dataclass(frozen=True)
class Cpu:
    """A logical CPU with the ids of the core, socket and NUMA node it belongs to."""

    cpu: int
    core: int
    socket: int
    node: int


@dataclass(frozen=True)
class NodeCpus:
    """What the node has.

    `annotated_milli` is set aside by the node's reservation; `closed` CPUs are for no pod: reserved, or the system's
    own; `static_manager`: kubelet hands out CPUs itself and owns the cpusets above containers.
    """

    capacity_milli: int
    allocatable_milli: int
    annotated_milli: int
    cpus: Sequence[Cpu]
    closed: frozenset[int]
    static_manager: bool


@dataclass(frozen=True)
class Bound:
    """A pod that CPUs are bound to, in the order of the pod list."""

    qos: QoSClass
    cpus: frozenset[int]


def node_cpus(node: Node, topology_annotations: Mapping[str, str], cpus: Sequence[Cpu]) -> NodeCpus:
    """Combine the Node with the annotations of its NodeResourceTopology; an unreadable annotation is as none."""
    subject = f"Node {node.metadata.name}"
    of_node, _ = NODE_RESERVATION.read_or(node.metadata.annotations, subject, NodeReservation())
    of_topology, _ = NODE_RESERVATION.read_or(topology_annotations, subject, NodeReservation())
    system, _ = SYSTEM_QOS_RESOURCE.read_or(topology_annotations, subject, SystemQOSResource())
    manager, _ = KUBELET_CPU_MANAGER_POLICY.read_or(topology_annotations, subject, KubeletCPUManagerPolicy())
    exclusive = system.cpuset_exclusive is not False
    return NodeCpus(
        capacity_milli=amount(node.status.capacity, RESOURCE_CPU).milli_value(),
        allocatable_milli=amount(node.status.allocatable, RESOURCE_CPU).milli_value(),
        annotated_milli=_annotated_milli(of_node),
        cpus=cpus,
        closed=parse_cpus(of_topology.reserved_cpus) | parse_cpus(system.cpuset if exclusive else ""),
        static_manager=manager.policy == STATIC,
    )


def bound_pods(pods: Iterable[PodFacts]) -> list[Bound]:
    """Pods that CPUs are bound to, in list order."""
    bound: list[Bound] = []
    for facts in pods:
        status, _ = RESOURCE_STATUS.read_or(facts.pod.metadata.annotations, facts.subject, ResourceStatus())
        if status.cpuset:
            bound.append(Bound(facts.raw_qos, parse_cpus(status.cpuset)))
    return bound


def best_effort_host(application: HostApplicationSpec) -> bool:
    """A host application that runs among the best-effort pods."""
    below = application.cgroup_path is not None and application.cgroup_path.base == "KubepodsBesteffort"
    return application.qos == QoSClass.BE and below


def _annotated_milli(reservation: NodeReservation) -> int:
    """CPUs that the reservation names count one by one and win over the amount it names."""
    if reservation.reserved_cpus:
        return len(parse_cpus(reservation.reserved_cpus)) * 1000
    quantity: Quantity = amount(reservation.resources, RESOURCE_CPU)
    return quantity.milli_value()
