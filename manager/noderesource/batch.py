"""Batch resources: what high-priority pods, the system and a safety margin leave over.

batch-cpu is counted in thousandths of a core as a plain integer, batch-memory in bytes.
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
from manager.noderesource.amounts import CPU, MEMORY, ZERO, maximum, scale, scale_milli, subtract
from manager.noderesource.highpriority import HighPriorityUse
from manager.noderesource.nodeload import capacity, reserved, system_use


@dataclass(frozen=True)
class Load:
    """The terms of the formula for a node or a NUMA zone."""

    capacity: ResourceList
    reserved: ResourceList
    system: ResourceList
    requested: ResourceList
    used: ResourceList
    peak: ResourceList


@dataclass(frozen=True)
class Batch:
    """Batch resources: `cpu` in thousandths of a core, `memory` in bytes."""

    cpu: Quantity
    memory: Quantity


def node_load(node: Node, metric: NodeMetricStatus, use: HighPriorityUse) -> Load:
    """The terms for the node as a whole."""
    kept = reserved(node)
    return Load(
        capacity=capacity(node),
        reserved=kept,
        system=maximum(system_use(metric, above=PriorityClass.BATCH), kept),
        requested=use.requested(),
        used=use.used(),
        peak=use.peak(),
    )


def batch(load: Load, strategy: ColocationStrategy) -> Batch:
    """The batch resources that a load leaves.

    By use: capacity - margin - system - used; by request: capacity - margin - reserved - requested; by the larger of
    both per pod: capacity - margin - system - peak; each not below 0. The margin is the share of the capacity above
    the reclaim threshold, and is negative for thresholds above 100.
    """
    policy = merged(COLOCATION, strategy)
    below_margin = subtract(load.capacity, _margin(load.capacity, policy))
    by_use = _left(below_margin, load.system, load.used)
    by_request = _left(below_margin, load.reserved, load.requested)
    by_peak = _left(below_margin, load.system, load.peak)
    cpu_by = {"maxUsageRequest": by_peak}.get(policy.cpu_calculate_policy or "", by_use)
    memory_by = {"maxUsageRequest": by_peak, "request": by_request}.get(policy.memory_calculate_policy or "", by_use)
    cpu, memory = cpu_by[CPU], memory_by[MEMORY]
    if policy.batch_cpu_threshold_percent is not None:
        cpu = min(cpu, scale_milli(_of(load.capacity, CPU), policy.batch_cpu_threshold_percent / 100))
    if policy.batch_memory_threshold_percent is not None:
        memory = min(memory, scale(_of(load.capacity, MEMORY), policy.batch_memory_threshold_percent / 100))
    return Batch(Quantity(cpu.milli_value()), memory)


def _margin(amounts: ResourceList, policy: ColocationStrategy) -> ResourceList:
    return {
        CPU: scale_milli(_of(amounts, CPU), (100 - (policy.cpu_reclaim_threshold_percent or 0)) / 100),
        MEMORY: scale(_of(amounts, MEMORY), (100 - (policy.memory_reclaim_threshold_percent or 0)) / 100),
    }


def _left(amounts: ResourceList, *taken: ResourceList) -> ResourceList:
    for part in taken:
        amounts = subtract(amounts, part)
    return maximum(amounts, ZERO)


def _of(amounts: ResourceList, name: str) -> Quantity:
    return amounts.get(name, ZERO[name])
