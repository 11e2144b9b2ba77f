"""What the formulas need to know of the pods on a node."""

from collections.abc import Iterable
from dataclasses import dataclass

from koord.api.base import ResourceList
from koord.api.core.pod import Pod
from koord.api.payloads.numa import RESOURCE_STATUS, ResourceStatus
from koord.api.podqos import pod_kubernetes_qos
from koord.api.podrequests import pod_requests
from koord.api.qos import PriorityClass, QoSClass, default_priority_class, default_qos
from manager.noderesource.amounts import cpu_and_memory


@dataclass(frozen=True)
class PodDemand:
    """A live pod: its request of cpu and memory, its classes with defaults, the NUMA nodes it was given."""

    key: str
    request: ResourceList
    priority: PriorityClass
    qos: QoSClass
    numa_nodes: tuple[int, ...]


def live_demands(pods: Iterable[Pod]) -> list[PodDemand]:
    """The demands of the pods that are pending or running; others hold nothing any more."""
    return [_demand(pod) for pod in pods if pod.status.phase in ("Pending", "Running")]


def _demand(pod: Pod) -> PodDemand:
    labels, annotations = pod.metadata.labels, pod.metadata.annotations
    kubernetes = pod_kubernetes_qos(pod.spec, pod.status.qos_class)
    status, _ = RESOURCE_STATUS.read_or(annotations, pod.subject, ResourceStatus())
    return PodDemand(
        key=f"{pod.metadata.namespace}/{pod.metadata.name}",
        request=cpu_and_memory(pod_requests(pod.spec)),
        priority=default_priority_class(labels, pod.spec.priority, kubernetes),
        qos=default_qos(labels, kubernetes),
        numa_nodes=tuple(one.node for one in status.numa_node_resources),
    )
