"""Mid resources: what prod pods requested and are predicted not to use, and a share of what nobody requested.

mid-cpu is counted in thousandths of a core as a plain integer, mid-memory in bytes.
"""

from dataclasses import dataclass

from koord.api.base import ResourceList
from koord.api.core.node import Node
from koord.api.qos import PriorityClass
from koord.api.quantity import Quantity
from koord.api.slo.nodemetric import NodeMetricStatus
from koord.api.sloconfig.colocation import ColocationStrategy
from koord.api.sloconfig.defaults import COLOCATION
from koord.api.sloconfig.merge import merged
from manager.noderesource.amounts import (
    CPU,
    MEMORY,
    ZERO,
    add,
    cpu_and_memory,
    maximum,
    scale,
    scale_milli,
    subtract,
)
from manager.noderesource.nodeload import capacity, reserved, system_use
from manager.noderesource.pods import PodDemand

STATIC = "static"
_LOWER_CLASSES = (PriorityClass.MID, PriorityClass.BATCH, PriorityClass.FREE)


@dataclass(frozen=True)
class Mid:
    """Mid resources: `cpu` in thousandths of a core, `memory` in bytes."""

    cpu: Quantity
    memory: Quantity


def mid(node: Node, metric: NodeMetricStatus, demands: list[PodDemand], strategy: ColocationStrategy) -> Mid:
    """The mid resources of a node.

    Static mode: a share of the capacity. Otherwise: the smaller of reclaimable and unused, plus a share of unallocated.
    Both at most the threshold's share of the capacity.
    """
    policy = merged(COLOCATION, strategy)
    whole = {**ZERO, **capacity(node)}
    if policy.mid_reclaim_mode == STATIC:
        shares = (policy.mid_static_cpu_reserved_percent, policy.mid_static_memory_reserved_percent)
        amounts = _shares(whole, *shares)
    else:
        percent = policy.mid_unallocated_percent
        amounts = add(_reclaimable(whole, metric), _shares(_unallocated(node, metric, demands), percent, percent))
    most = _shares(whole, policy.mid_cpu_threshold_percent, policy.mid_memory_threshold_percent)
    cpu, memory = min(amounts[CPU], most[CPU]), min(amounts[MEMORY], most[MEMORY])
    return Mid(Quantity(cpu.milli_value()), memory)


def _shares(amounts: ResourceList, cpu_percent: int | None, memory_percent: int | None) -> ResourceList:
    return {
        CPU: scale_milli(amounts[CPU], (cpu_percent or 0) / 100),
        MEMORY: scale(amounts[MEMORY], (memory_percent or 0) / 100),
    }


def _reclaimable(whole: ResourceList, metric: NodeMetricStatus) -> ResourceList:
    """The smaller of what is predicted to be reclaimable and of what is unused now, not below 0."""
    reported = metric.prod_reclaimable_metric
    reclaimable = cpu_and_memory(reported.resource.resources) if reported else {}
    used = cpu_and_memory(metric.node_metric.node_usage.resources) if metric.node_metric else {}
    unused = subtract(whole, used) if CPU in used and MEMORY in used else ZERO
    smaller = {name: min(reclaimable.get(name, ZERO[name]), unused[name]) for name in (CPU, MEMORY)}
    return maximum(smaller, ZERO)


def _unallocated(node: Node, metric: NodeMetricStatus, demands: list[PodDemand]) -> ResourceList:
    """What neither the system nor pods of class prod or none lay claim to, not below 0."""
    left = subtract({**ZERO, **capacity(node)}, maximum(system_use(metric, above=PriorityClass.MID), reserved(node)))
    for demand in demands:
        if demand.priority not in _LOWER_CLASSES:
            left = subtract(left, demand.request)
    return maximum(left, ZERO)
