"""Batch resources of the NUMA zones of a node, and how they are written into its NodeResourceTopology."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from koord.api.base import ResourceList
from koord.api.core.node import Node
from koord.api.names.resources import RESOURCE_BATCH_CPU, RESOURCE_BATCH_MEMORY
from koord.api.qos import PriorityClass
from koord.api.quantity import Quantity
from koord.api.slo.nodemetric import NodeMetricStatus
from koord.api.sloconfig.colocation import ColocationStrategy
from koord.api.topology.zones import ResourceInfo, Zone
from manager.noderesource.amounts import CPU, MEMORY, is_different, maximum, split, total
from manager.noderesource.batch import Batch, Load, batch
from manager.noderesource.highpriority import HighPriorityUse, PodUse
from manager.noderesource.nodeload import reserved, system_use
from manager.noderesource.normalization import normalized


def zone_batches(
    node: Node,
    zones: Sequence[Zone],
    metric: NodeMetricStatus,
    use: HighPriorityUse,
    strategy: ColocationStrategy,
) -> dict[str, Batch]:
    """The batch resources by zone name; empty when no zone has cpu or memory.

    What cannot be assigned to a zone (system use, reservations, pods that are gone) is split evenly, pods by the NUMA
    nodes they were given, or evenly without any. NUMA node i is the i-th zone of the list.
    """
    capacities = [_allocatable(zone) for zone in zones]
    if not any(capacities):
        return {}
    count = len(zones)
    kept = split(reserved(node), count)
    system = maximum(split(system_use(metric, above=PriorityClass.BATCH), count), kept)
    gone = [split(amounts, count) for amounts in use.gone]
    shares = [_share(pod, count) for pod in use.pods]
    result: dict[str, Batch] = {}
    for index, zone in enumerate(zones):
        here = [share for nodes, share in shares if index in nodes]
        load = Load(
            capacity=capacities[index],
            reserved=kept,
            system=system,
            requested=total(pod.request for pod in here),
            used=total([*(pod.charged for pod in here), *gone]),
            peak=total([*(maximum(pod.request, pod.used or {}) for pod in here), *gone]),
        )
        result[zone.name] = batch(load, strategy)
    return result


def _allocatable(zone: Zone) -> ResourceList:
    return {one.name: one.allocatable for one in zone.resources if one.name in (CPU, MEMORY)}


def _share(pod: PodUse, count: int) -> tuple[frozenset[int], PodUse]:
    """The zones of a pod, and what counts for it in each of them."""
    given = frozenset(node for node in pod.demand.numa_nodes if 0 <= node < count) or frozenset(range(count))
    request = split(pod.request, len(given))
    used = None if pod.used is None else split(pod.used, len(given))
    return given, PodUse(replace(pod.demand, request=request), used)


def updated_zones(
    zones: Sequence[Zone], batches: dict[str, Batch], ratio: float | None, threshold: float
) -> list[Zone]:
    """The zones with their batch resources; present values change only where they differ by more than the threshold.

    A zone without a result gets zero, so that nothing stale is left in it; without any result all zones stay.
    """
    if not batches:
        return list(zones)
    return [_updated(zone, batches.get(zone.name), ratio, threshold) for zone in zones]


def _updated(zone: Zone, found: Batch | None, ratio: float | None, threshold: float) -> Zone:
    cpu, memory = (Quantity(0), Quantity(0)) if found is None else (normalized(found.cpu, ratio), found.memory)
    resources = list(zone.resources)
    for name, amount in ((RESOURCE_BATCH_CPU, cpu), (RESOURCE_BATCH_MEMORY, memory)):
        index = next((index for index, one in enumerate(resources) if one.name == name), None)
        if index is None:
            resources.append(ResourceInfo(name=name, capacity=amount, allocatable=amount, available=amount))
            resources.sort(key=lambda one: one.name)
        else:
            resources[index] = _refreshed(resources[index], amount, threshold)
    return msgspec.structs.replace(zone, resources=resources)


def _refreshed(old: ResourceInfo, amount: Quantity, threshold: float) -> ResourceInfo:
    def value(before: Quantity) -> Quantity:
        return amount if is_different(before, amount, threshold) else before

    return msgspec.structs.replace(
        old, capacity=value(old.capacity), allocatable=value(old.allocatable), available=value(old.available)
    )
