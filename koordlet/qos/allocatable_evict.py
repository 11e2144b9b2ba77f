"""Eviction when the requests of low-priority pods exceed what the node allots to their class by too much."""

from collections.abc import Iterable, Mapping
from typing import Final

from koord.api.names.resources import RESOURCE_CPU
from koord.api.qos import PriorityClass
from koord.api.quantity import Quantity
from koordlet.qos.eviction import Status, Target, Task, Victim
from koordlet.qos.eviction_victims import by_priority, in_priority_order, requested, requested_name
from koordlet.states.pods import PodFacts

HIGHEST_PRIORITY: Final = 7999
"""Prod pods are never evicted for their requests."""


def allocatable_task(
    gate: str,
    resource: str,
    pods: Iterable[PodFacts],
    allocatable: Mapping[str, Quantity],
    thresholds: tuple[int | None, int | None, int | None],
    measured: Mapping[str, float],
) -> Task:
    """Compare requests of `resource` (cpu or memory) with the node's allocatable, for each name it goes under.

    Ended pods count too, as in the reference, as long as they are in the pod list.

    `thresholds`: percent of allocatable that triggers, percent to come down to, priority up to which pods count.
    """
    pods = list(pods)
    trigger, lower, highest = thresholds
    if trigger is None or lower is None or highest is None or highest > HIGHEST_PRIORITY or lower >= trigger:
        return Task(gate, Status.INVALID, Target.REQUEST)
    sums: dict[str, int] = {}
    for facts in pods:
        if facts.priority <= highest:
            name = requested_name(facts, resource)
            sums[name] = sums.get(name, 0) + requested(facts, resource)
    to_release = {
        name: excess
        for name, total in sums.items()
        if (excess := _excess(total, _allocatable(name, allocatable), trigger, lower)) > 0
    }
    if not to_release:
        return Task(gate, Status.IDLE, Target.REQUEST)
    victims = in_priority_order(by_priority(pods, gate, highest, measured), lambda facts: requested(facts, resource))
    return Task(
        gate,
        Status.TRIGGERED,
        Target.REQUEST,
        to_release,
        [Victim(facts.uid, _frees(facts, resource, to_release)) for facts in victims],
        f"requests exceed {trigger} % of allocatable",
    )


def _excess(total: int, allocatable: int, trigger: int, lower: int) -> int:
    if allocatable <= 0:
        return total
    return int(total - lower / 100 * allocatable) if total / allocatable > trigger / 100 else 0


def _allocatable(name: str, allocatable: Mapping[str, Quantity]) -> int:
    quantity = allocatable.get(name)
    if quantity is None:
        return 0
    return quantity.milli_value() if name == RESOURCE_CPU else quantity.value()


def _frees(facts: PodFacts, resource: str, to_release: Mapping[str, int]) -> dict[str, int]:
    """Only mid and batch pods free what is over-requested; others may be evicted but are credited with nothing."""
    if facts.priority_class not in (PriorityClass.MID, PriorityClass.BATCH):
        return {}
    name = requested_name(facts, resource)
    return {name: requested(facts, resource)} if name in to_release else {}
