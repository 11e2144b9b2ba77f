"""Which pods a gate may evict, and in which order."""

from collections.abc import Callable, Iterable, Mapping
from functools import cmp_to_key

from koord.api.names.eviction import LABEL_EVICTION_ENABLED
from koord.api.names.resources import RESOURCE_CPU
from koord.api.payloads.eviction import EVICTION_POLICY, EVICTION_PRIORITY
from koord.api.qos import QoSClass, resource_name, sub_priority
from koordlet.states.pods import PodFacts, amount


def best_effort(pods: Iterable[PodFacts], gate: str) -> list[PodFacts]:
    """Pods labelled BE that do not forbid this gate."""
    return [facts for facts in pods if facts.raw_qos is QoSClass.BE and _gate_allowed(facts, gate)]


def by_priority(pods: Iterable[PodFacts], gate: str, highest: int, measured: Mapping[str, float]) -> list[PodFacts]:
    """Active pods that agreed to be evicted, up to a priority, of those that a sample exists for."""
    return [
        facts
        for facts in pods
        if facts.active
        and _gate_allowed(facts, gate)
        and facts.priority <= highest
        and facts.label(LABEL_EVICTION_ENABLED) == "true"
        and facts.uid in measured
    ]


def in_priority_order(pods: Iterable[PodFacts], size: Callable[[PodFacts], float]) -> list[PodFacts]:
    """Lowest eviction priority first, then priority, then priority inside the class, then the largest."""
    return sorted(
        pods, key=lambda facts: (_eviction_priority(facts), facts.priority, _sub_priority(facts), -size(facts))
    )


def in_best_effort_order(
    pods: Iterable[PodFacts], size: Callable[[PodFacts], float], *, last_name_first: bool = False
) -> list[PodFacts]:
    """Lowest `spec.priority` first where both pods have one, else the largest.

    Of two pods of size 0 the one earlier in the list comes first, or the one with the later name.
    """

    def compare(one: PodFacts, other: PodFacts) -> int:
        first, second = one.pod.spec.priority, other.pod.spec.priority
        if first is not None and second is not None and first != second:
            return first - second
        if last_name_first and size(one) == size(other) == 0:
            return 1 if one.pod.metadata.name < other.pod.metadata.name else -1
        return (size(other) > size(one)) - (size(one) > size(other))

    return sorted(pods, key=cmp_to_key(compare))


def requested_name(facts: PodFacts, resource: str) -> str:
    """The name under which the pod requests cpu or memory: its own for mid and batch pods, the native one else."""
    return resource_name(resource, facts.priority_class) or resource


def requested(facts: PodFacts, resource: str) -> int:
    """What the pod's lasting containers request of cpu or memory, under the name of its class.

    Milli-cores or bytes; batch and mid CPU are plain numbers of milli-cores.
    """
    name = requested_name(facts, resource)
    milli = name == RESOURCE_CPU
    requests = (amount(container.resources.requests, name) for container in facts.lasting_containers())
    return sum(each.milli_value() if milli else each.value() for each in requests)


def _gate_allowed(facts: PodFacts, gate: str) -> bool:
    """The pod names the gates that may evict it, or none; with an unreadable list nobody may."""
    allowed, error = EVICTION_POLICY.read_or(facts.pod.metadata.annotations, facts.subject, [gate])
    return error is None and gate in allowed


def _eviction_priority(facts: PodFacts) -> int:
    priority, _ = EVICTION_PRIORITY.read_or(facts.pod.metadata.annotations, facts.subject, 0)
    return priority


def _sub_priority(facts: PodFacts) -> int:
    own = sub_priority(facts.pod.metadata.labels)
    return facts.priority if own is None else own
