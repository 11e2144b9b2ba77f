"""CPU eviction: when best-effort pods starve, when the node is too busy, when too much is requested."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from koord.api.names.resources import RESOURCE_BATCH_CPU, RESOURCE_CPU
from koord.api.quantity import Quantity
from koord.api.slo.threshold import ResourceThresholdStrategy
from koordlet.qos.allocatable_evict import allocatable_task
from koordlet.qos.eviction import Status, Target, Task, Victim
from koordlet.qos.eviction_victims import best_effort, by_priority, in_best_effort_order, in_priority_order
from koordlet.states.pods import PodFacts, amount

BE_CPU_EVICT: Final = "BECPUEvict"
CPU_EVICT: Final = "CPUEvict"
CPU_ALLOCATABLE_EVICT: Final = "CPUAllocatableEvict"

DEFAULT_BE_USAGE_PERCENT: Final = 90
DEFAULT_HYSTERESIS: Final = 2
"""How far below its threshold, in percent of the node, usage is brought when no lower threshold is set."""


@dataclass(frozen=True)
class Series:
    """A value of the best-effort pods over the window, in milli-cores."""

    mean: float
    last: float
    count: int


@dataclass(frozen=True)
class BestEffortCpu:
    """What best-effort pods use, request and may use."""

    usage: Series
    request: Series
    real_limit: Series


def best_effort_task(
    pods: Iterable[PodFacts],
    cpu: BestEffortCpu | None,
    allocatable: Mapping[str, Quantity],
    threshold: ResourceThresholdStrategy,
    collect_interval_s: float,
    used_cores: Mapping[str, float],
) -> Task:
    """Evict best-effort pods that use up a limit which is too small a part of what they request."""
    lower = threshold.cpu_evict_be_satisfaction_lower_percent
    upper = threshold.cpu_evict_be_satisfaction_upper_percent
    if lower is None or upper is None or not (0 < lower <= 60 and 0 < upper < 100 and upper >= lower):
        return Task(BE_CPU_EVICT, Status.INVALID, Target.REQUEST)
    window_s = max(collect_interval_s, threshold.cpu_evict_time_window_seconds or 0)
    need = 0
    if cpu is not None and _enough(cpu, collect_interval_s, window_s):
        needs = [
            _need(usage, request, _limit(limit, allocatable, threshold), lower, upper, threshold)
            for usage, request, limit in (
                (cpu.usage.mean, cpu.request.mean, cpu.real_limit.mean),
                (cpu.usage.last, cpu.request.last, cpu.real_limit.last),
            )
        ]
        need = min(needs)
    if need <= 0:
        return Task(BE_CPU_EVICT, Status.IDLE, Target.REQUEST)
    victims = in_best_effort_order(best_effort(pods, BE_CPU_EVICT), lambda facts: _use_of_request(facts, used_cores))
    return Task(
        BE_CPU_EVICT,
        Status.TRIGGERED,
        Target.REQUEST,
        {RESOURCE_BATCH_CPU: need},
        [Victim(facts.uid, {RESOURCE_BATCH_CPU: _batch_request(facts)}) for facts in victims],
        f"best-effort pods get less than {lower} % of the CPU they request",
    )


def usage_task(
    pods: Iterable[PodFacts],
    node_cores: float | None,
    capacity_milli: int,
    threshold: ResourceThresholdStrategy,
    used_cores: Mapping[str, float],
) -> Task:
    """Evict pods up to a priority while the node uses more than a share of its CPUs."""
    trigger, highest = threshold.cpu_evict_threshold_percent, threshold.evict_enabled_priority_threshold
    lower = lower_percent(trigger, threshold.cpu_evict_lower_percent)
    if trigger is None or lower is None or highest is None:
        return Task(CPU_EVICT, Status.INVALID)
    usage_percent = int(node_cores * 1000) * 100 // capacity_milli if node_cores is not None else -1
    if usage_percent < trigger:
        return Task(CPU_EVICT, Status.IDLE)
    victims = in_priority_order(by_priority(pods, CPU_EVICT, highest, used_cores), lambda facts: used_cores[facts.uid])
    return Task(
        CPU_EVICT,
        Status.TRIGGERED,
        Target.USED,
        {RESOURCE_CPU: capacity_milli * (usage_percent - lower) // 100},
        [Victim(facts.uid, {RESOURCE_CPU: int(used_cores[facts.uid] * 1000)}) for facts in victims],
        f"node CPU usage {usage_percent} % >= {trigger} %",
    )


def request_task(
    pods: Iterable[PodFacts],
    allocatable: Mapping[str, Quantity],
    threshold: ResourceThresholdStrategy,
    used_cores: Mapping[str, float],
) -> Task:
    """Evict pods that request more CPU than the node allots to their class."""
    thresholds = (
        threshold.cpu_allocatable_evict_threshold_percent,
        threshold.cpu_allocatable_evict_lower_percent,
        threshold.allocatable_evict_priority_threshold,
    )
    return allocatable_task(CPU_ALLOCATABLE_EVICT, RESOURCE_CPU, pods, allocatable, thresholds, used_cores)


def lower_percent(trigger: int | None, lower: int | None) -> int | None:
    """The percent to come down to; None when the two make no sense together."""
    if trigger is None or trigger < 0:
        return None
    lower = trigger - DEFAULT_HYSTERESIS if lower is None else lower
    return lower if lower < trigger else None


def _enough(cpu: BestEffortCpu, collect_interval_s: float, window_s: float) -> bool:
    """A third of the window is covered by samples of all three series."""
    fewest = min(cpu.usage.count, cpu.request.count, cpu.real_limit.count)
    return fewest * collect_interval_s >= window_s // 3


def _limit(real_limit: float, allocatable: Mapping[str, Quantity], threshold: ResourceThresholdStrategy) -> float:
    if threshold.cpu_evict_policy != "evictByAllocatable":
        return real_limit
    quantity = allocatable.get(RESOURCE_BATCH_CPU)
    return -1 if quantity is None else max(quantity.value(), 1)


def _need(
    usage: float, request: float, limit: float, lower: int, upper: int, threshold: ResourceThresholdStrategy
) -> int:
    """Milli-cores of requests to evict, 0 when there is enough CPU or it is not used."""
    share = threshold.cpu_evict_be_usage_threshold_percent
    busy = (DEFAULT_BE_USAGE_PERCENT if share is None else share) / 100
    if limit <= 0 or (limit >= 1000 and usage / limit < busy) or request <= 0:
        return 0
    satisfaction = limit / request
    return 0 if satisfaction > lower / 100 else int(request * (upper / 100 - satisfaction))


def _batch_request(facts: PodFacts) -> int:
    requests = (amount(container.resources.requests, RESOURCE_BATCH_CPU) for container in facts.lasting_containers())
    return sum(each.value() for each in requests)


def _use_of_request(facts: PodFacts, used_cores: Mapping[str, float]) -> float:
    request = _batch_request(facts)
    return used_cores.get(facts.uid, 0.0) * 1000 / request if request > 0 else 0.0
