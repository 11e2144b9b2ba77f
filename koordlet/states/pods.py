"""What the strategies need to know of a pod, derived once from its object."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

from koord.api.core.container import Container
from koord.api.core.pod import Pod
from koord.api.podqos import pod_kubernetes_qos
from koord.api.podrequests import is_sidecar
from koord.api.qos import (
    KubernetesQoS,
    PriorityClass,
    QoSClass,
    default_priority_class,
    default_priority_value,
    default_qos,
    raw_qos,
)
from koord.api.quantity import Quantity


class Phase(Enum):
    """When in a pod's life a container runs."""

    APP = auto()
    SIDECAR = auto()  # an init container that goes on
    INIT = auto()


@dataclass(frozen=True)
class PodFacts:
    """A pod with what follows from its object."""

    pod: Pod

    @property
    def uid(self) -> str:
        """The pod's UID."""
        return self.pod.metadata.uid

    @property
    def subject(self) -> str:
        """The pod as messages name it."""
        return f"Pod {self.pod.metadata.key}"

    @property
    def active(self) -> bool:
        """The pod has not ended; a pod without a phase is taken for ended, as the reference does."""
        return self.pod.status.phase in ("Pending", "Running")

    @property
    def ending(self) -> bool:
        """The pod is being deleted or has ended."""
        return self.pod.metadata.deletion_timestamp is not None or self.pod.status.phase in ("Succeeded", "Failed")

    @property
    def raw_qos(self) -> QoSClass:
        """The QoS class by label, none without it."""
        return raw_qos(self.pod.metadata.labels)

    @cached_property
    def kubernetes_qos(self) -> KubernetesQoS:
        """The class in the status, else the one that Kubernetes computes from requests and limits."""
        return pod_kubernetes_qos(self.pod.spec, self.pod.status.qos_class)

    @property
    def qos(self) -> QoSClass:
        """The class by label, else by the Kubernetes QoS class."""
        return default_qos(self.pod.metadata.labels, self.kubernetes_qos)

    @property
    def best_effort(self) -> bool:
        """Its CPU use is what suppression holds down: labelled BE, or BestEffort for Kubernetes."""
        return self.raw_qos is QoSClass.BE or self.kubernetes_qos is KubernetesQoS.BEST_EFFORT

    @property
    def priority_class(self) -> PriorityClass:
        """The priority class, and without one the class that the QoS class implies."""
        return default_priority_class(self.pod.metadata.labels, self.pod.spec.priority, self.kubernetes_qos)

    @property
    def priority(self) -> int:
        """`spec.priority`, and without one the value that stands for the priority class."""
        return default_priority_value(self.pod.metadata.labels, self.pod.spec.priority, self.kubernetes_qos)

    def annotation(self, name: str) -> str | None:
        """An annotation's text."""
        return self.pod.metadata.annotations.get(name)

    def label(self, name: str) -> str | None:
        """A label's value."""
        return self.pod.metadata.labels.get(name)

    def containers(self) -> Iterator[tuple[Phase, Container]]:
        """All containers in the order in which kubelet starts them."""
        for container in self.pod.spec.init_containers:
            yield Phase.SIDECAR if is_sidecar(container) else Phase.INIT, container
        for container in self.pod.spec.containers:
            yield Phase.APP, container

    def lasting_containers(self) -> Iterator[Container]:
        """Containers that run for as long as the pod does: sidecars and app containers."""
        return (container for phase, container in self.containers() if phase is not Phase.INIT)

    def container_ids(self) -> dict[str, str]:
        """Container name to `runtime://id`, of those app containers that have one."""
        statuses = self.pod.status.container_statuses
        return {status.name: status.container_id for status in statuses if status.container_id}

    def running(self) -> frozenset[str]:
        """Names of the app containers that run."""
        statuses = self.pod.status.container_statuses
        return frozenset(status.name for status in statuses if status.state.running is not None)


def amount(resources: dict[str, Quantity], name: str) -> Quantity:
    """The amount of a resource, zero when it is not named."""
    return resources.get(name) or Quantity.bytes(0)


def peak(amounts: Iterable[tuple[int, Phase]]) -> int:
    """The most that containers started in this order use at the same time."""
    lasting = sidecars = highest_init = 0
    for amount, phase in amounts:
        if phase is Phase.INIT:
            highest_init = max(highest_init, sidecars + amount)
            continue
        lasting += amount
        if phase is Phase.SIDECAR:
            sidecars += amount
    return max(highest_init, lasting)
