"""The batch resources of a best-effort pod, container by container."""

from collections.abc import Mapping
from dataclasses import dataclass

from koord.api.names.resources import RESOURCE_BATCH_CPU, RESOURCE_BATCH_MEMORY
from koord.api.payloads.resources import EXTENDED_RESOURCE_SPEC, ExtendedResourceSpec
from koord.api.qos import QoSClass
from koord.api.quantity import Quantity
from koordlet.states.pods import Phase, PodFacts


@dataclass(frozen=True)
class BatchResources:
    """What one container has of batch resources, in milli-cores and bytes; None or 0 is no limit."""

    request_milli: int | None
    limit_milli: int | None
    limit_bytes: int | None
    phase: Phase = Phase.APP

    @classmethod
    def of(
        cls, requests: Mapping[str, Quantity], limits: Mapping[str, Quantity], phase: Phase = Phase.APP
    ) -> "BatchResources | None":
        """Read a container's resources; None when they name no batch resource."""
        names = (RESOURCE_BATCH_CPU, RESOURCE_BATCH_MEMORY)
        if not any(name in resources for name in names for resources in (requests, limits)):
            return None
        request, limit, memory = requests.get(names[0]), limits.get(names[0]), limits.get(names[1])
        return cls(
            request_milli=None if request is None else request.value(),
            limit_milli=None if limit is None else limit.value(),
            limit_bytes=None if memory is None else memory.value(),
            phase=phase,
        )


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
