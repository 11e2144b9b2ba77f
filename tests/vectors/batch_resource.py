"""batch_resource.jsonl: batch resources of a node and of its NUMA zones, and how they are written."""

from datetime import datetime
from typing import Any

from koord.api.codec import from_json
from koord.api.core.node import Node
from koord.api.core.pod import Pod
from koord.api.quantity import Quantity
from koord.api.slo.nodemetric import NodeMetric
from koord.api.sloconfig.colocation import ColocationStrategy
from koord.api.topology.noderesourcetopology import NodeResourceTopologyV1alpha1
from manager.noderesource.batch import Batch, batch, node_load
from manager.noderesource.batchzones import updated_zones, zone_batches
from manager.noderesource.highpriority import high_priority_use
from manager.noderesource.nodeload import is_degraded
from manager.noderesource.normalization import parse_ratio
from manager.noderesource.pods import live_demands
from manager.noderesource.publish import with_batch

CPU, MEMORY = "kubernetes.io/batch-cpu", "kubernetes.io/batch-memory"
ORIGIN = "node.koordinator.sh/originExtendedAllocatable"


def check(line: dict[str, Any]) -> str | None:
    """None when the line passes, else what differs."""
    given, expected = line["input"], line["expected"]
    node = from_json(Node, given["node"])
    metric = from_json(NodeMetric, given["nodeMetric"]).status
    strategy = from_json(ColocationStrategy, given["strategy"])
    ratio = parse_ratio(given.get("cpuNormalizationRatio"))
    use = high_priority_use(live_demands(from_json(Pod, pod) for pod in given["pods"]), metric)
    found: Batch | None = None
    zones: dict[str, Batch] = {}
    topology = given.get("nodeResourceTopology")
    before = from_json(NodeResourceTopologyV1alpha1, topology).zones if topology else []
    degraded = is_degraded(metric, strategy, datetime.fromisoformat(given["now"]))
    if not degraded:
        found = batch(node_load(node, metric, use), strategy)
        zones = zone_batches(node, before, metric, use, strategy)
    published = with_batch(node, found, ratio)
    got = {
        "degraded": degraded,
        "calculated": _amounts(found),
        "calculatedZones": {name: _amounts(one) for name, one in zones.items()},
        "node": {
            "capacity": _extended(published.node.status.capacity),
            "allocatable": _extended(published.node.status.allocatable),
            "originExtendedAllocatable": published.node.metadata.annotations.get(ORIGIN, ""),
            "error": published.error is not None,
        },
    }
    if before:
        after = updated_zones(before, zones, ratio, strategy.resource_diff_threshold or 0)
        got["topologyZonesAfter"] = {zone.name: [_resource(one) for one in zone.resources] for zone in after}
    return None if got == expected else f"expected {expected}, got {got}"


def _amounts(one: Batch | None) -> dict[str, Any]:
    if one is None:
        return {CPU: None, MEMORY: None}
    return {name: {"quantity": str(q), "value": q.value()} for name, q in ((CPU, one.cpu), (MEMORY, one.memory))}


def _extended(resources: dict[str, Quantity]) -> dict[str, str]:
    return {name: str(resources[name]) for name in (CPU, MEMORY) if name in resources}


def _resource(one: Any) -> dict[str, str]:
    return {"name": one.name} | {key: str(getattr(one, key)) for key in ("capacity", "allocatable", "available")}
