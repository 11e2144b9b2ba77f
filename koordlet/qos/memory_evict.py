"""Memory eviction: when the node runs out of memory, or too much of it is requested."""

from collections.abc import Iterable, Mapping
from typing import Final

from koord.api.names.resources import RESOURCE_MEMORY
from koord.api.quantity import Quantity
from koord.api.slo.threshold import ResourceThresholdStrategy
from koordlet.qos.allocatable_evict import allocatable_task
from koordlet.qos.cpu_evict import lower_percent
from koordlet.qos.eviction import Status, Target, Task, Victim
from koordlet.qos.eviction_victims import best_effort, by_priority, in_best_effort_order, in_priority_order
from koordlet.states.pods import PodFacts

BE_MEMORY_EVICT: Final = "BEMemoryEvict"
MEMORY_EVICT: Final = "MemoryEvict"
MEMORY_ALLOCATABLE_EVICT: Final = "MemoryAllocatableEvict"


def usage_task(
    gate: str,
    pods: Iterable[PodFacts],
    node_bytes: float | None,
    capacity_bytes: int,
    threshold: ResourceThresholdStrategy,
    used_bytes: Mapping[str, float],
) -> Task:
    """Evict while the node uses too much of its memory: BE pods, or with `MemoryEvict` any up to a priority."""
    trigger, highest = threshold.memory_evict_threshold_percent, threshold.evict_enabled_priority_threshold
    lower = lower_percent(trigger, threshold.memory_evict_lower_percent)
    if trigger is None or lower is None or (gate == MEMORY_EVICT and highest is None):
        return Task(gate, Status.INVALID)
    usage_percent = int(node_bytes) * 100 // capacity_bytes if node_bytes is not None else -1
    if usage_percent < trigger:
        return Task(gate, Status.IDLE)

    def used(facts: PodFacts) -> float:
        return used_bytes.get(facts.uid, 0)

    if gate == MEMORY_EVICT and highest is not None:
        victims = in_priority_order(by_priority(pods, gate, highest, used_bytes), used)
    else:
        victims = in_best_effort_order(best_effort(pods, gate), used, last_name_first=True)
    return Task(
        gate,
        Status.TRIGGERED,
        Target.USED,
        {RESOURCE_MEMORY: capacity_bytes * (usage_percent - lower) // 100},
        [Victim(facts.uid, {RESOURCE_MEMORY: int(used(facts))}) for facts in victims],
        f"node memory usage {usage_percent} % >= {trigger} %",
    )


def request_task(
    pods: Iterable[PodFacts],
    allocatable: Mapping[str, Quantity],
    threshold: ResourceThresholdStrategy,
    used_bytes: Mapping[str, float],
) -> Task:
    """Evict pods that request more memory than the node allots to their class."""
    thresholds = (
        threshold.memory_allocatable_evict_threshold_percent,
        threshold.memory_allocatable_evict_lower_percent,
        threshold.allocatable_evict_priority_threshold,
    )
    return allocatable_task(MEMORY_ALLOCATABLE_EVICT, RESOURCE_MEMORY, pods, allocatable, thresholds, used_bytes)
