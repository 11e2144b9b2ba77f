"""The Kubernetes QoS class of a pod."""

from collections.abc import Iterator

from koord.api.core.podspec import PodSpec
from koord.api.qos import KubernetesQoS, Resources, kubernetes_qos


def pod_kubernetes_qos(spec: PodSpec, status_class: str = "") -> KubernetesQoS:
    """The class in the pod's status if there is a known one, else computed from its spec."""
    try:
        return KubernetesQoS(status_class)
    except ValueError:
        return kubernetes_qos(_requests_and_limits(spec))


def _requests_and_limits(spec: PodSpec) -> Iterator[tuple[Resources, Resources]]:
    if spec.resources is not None and (spec.resources.requests or spec.resources.limits):
        yield spec.resources.requests, spec.resources.limits
        return
    for container in (*spec.init_containers, *spec.containers):
        yield container.resources.requests, container.resources.limits
