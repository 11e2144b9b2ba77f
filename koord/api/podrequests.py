"""The effective request of a pod, as kube-scheduler counts it (k8s.io/component-helpers v0.35)."""

from koord.api.base import ResourceList
from koord.api.core.container import Container
from koord.api.core.podspec import PodSpec
from koord.api.quantity import Quantity


def pod_requests(spec: PodSpec) -> ResourceList:
    """What the pod needs at its peak: the sum of containers and sidecars, or an init container with its sidecars.

    Requests at pod level replace the sum for cpu, memory and hugepages; the overhead comes on top.
    """
    requests = _containers_requests(spec)
    if spec.resources is not None:
        requests |= {name: amount for name, amount in spec.resources.requests.items() if _is_pod_level(name)}
    _add(requests, spec.overhead)
    return requests


def _containers_requests(spec: PodSpec) -> ResourceList:
    requests: ResourceList = {}
    for container in spec.containers:
        _add(requests, container.resources.requests)
    sidecars: ResourceList = {}
    peak: ResourceList = {}
    for container in spec.init_containers:
        if is_sidecar(container):
            _add(requests, container.resources.requests)
            _add(sidecars, container.resources.requests)
            running = sidecars
        else:
            running = dict(container.resources.requests)
            _add(running, sidecars)
        _raise_to(peak, running)
    _raise_to(requests, peak)
    return requests


def is_sidecar(container: Container) -> bool:
    """Whether an init container runs on beside the containers."""
    return container.restart_policy == "Always"


def _is_pod_level(name: str) -> bool:
    return name in ("cpu", "memory") or name.startswith("hugepages-")


def _add(total: dict[str, Quantity], amounts: ResourceList) -> None:
    for name, amount in amounts.items():
        total[name] = total[name] + amount if name in total else amount


def _raise_to(total: dict[str, Quantity], amounts: ResourceList) -> None:
    for name, amount in amounts.items():
        if name not in total or amount > total[name]:
            total[name] = amount
