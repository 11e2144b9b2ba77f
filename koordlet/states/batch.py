"""The batch resources of a best-effort pod, container by container."""

from koord.api.payloads.resources import EXTENDED_RESOURCE_SPEC, ExtendedResourceSpec
from koord.api.qos import QoSClass
from koordlet.qos.batch_limits import BatchResources
from koordlet.states.pods import PodFacts


def batch_resources(facts: PodFacts, *, from_spec: bool) -> dict[str, BatchResources]:
    """Batch resources by container name; empty for pods that have none or are not labelled BE.

    `from_spec` reads the pod's spec and falls back on the annotation, which is all that a runtime request carries; an
    annotation without containers is as none.
    """
    if facts.raw_qos is not QoSClass.BE:
        return {}
    return (from_spec and _of_spec(facts)) or _of_annotation(facts)


def _of_spec(facts: PodFacts) -> dict[str, BatchResources]:
    batch = {
        container.name: BatchResources.of(container.resources.requests, container.resources.limits, phase)
        for phase, container in facts.containers()
    }
    return {name: each for name, each in batch.items() if each is not None}


def _of_annotation(facts: PodFacts) -> dict[str, BatchResources]:
    spec, _ = EXTENDED_RESOURCE_SPEC.read_or(facts.pod.metadata.annotations, facts.subject, ExtendedResourceSpec())
    batch = {name: BatchResources.of(each.requests, each.limits) for name, each in spec.containers.items()}
    return {name: each for name, each in batch.items() if each is not None}
