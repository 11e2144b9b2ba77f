"""mid_resource.jsonl: mid resources of a node, and how they are written."""

from datetime import datetime
from typing import Any

from koord.api.codec import from_json
from koord.api.core.node import Node
from koord.api.core.pod import Pod
from koord.api.slo.nodemetric import NodeMetric
from koord.api.sloconfig.colocation import ColocationStrategy
from manager.noderesource.mid import mid
from manager.noderesource.nodeload import is_degraded
from manager.noderesource.pods import live_demands
from manager.noderesource.publish import with_mid

NAMES = ("kubernetes.io/mid-cpu", "kubernetes.io/mid-memory")


def check(line: dict[str, Any]) -> str | None:
    """None when the line passes, else what differs."""
    given, expected = line["input"], line["expected"]
    node = from_json(Node, given["node"])
    metric = from_json(NodeMetric, given["nodeMetric"]).status
    strategy = from_json(ColocationStrategy, given["strategy"])
    degraded = is_degraded(metric, strategy, datetime.fromisoformat(given["now"]))
    demands = live_demands(from_json(Pod, pod) for pod in given["pods"])
    found = None if degraded else mid(node, metric, demands, strategy)
    status = with_mid(node, found).status
    amounts = (None, None) if found is None else (found.cpu, found.memory)
    got = {
        "degraded": degraded,
        "calculated": {
            name: None if amount is None else {"quantity": str(amount), "value": amount.value()}
            for name, amount in zip(NAMES, amounts, strict=True)
        },
        "node": {
            "capacity": {name: str(status.capacity[name]) for name in NAMES if name in status.capacity},
            "allocatable": {name: str(status.allocatable[name]) for name in NAMES if name in status.allocatable},
            "error": False,
        },
    }
    return None if got == expected else f"expected {expected}, got {got}"
