"""Limits of best-effort pods."""

from typing import Any

import orjson

from koord.api.codec import from_json
from koord.api.core.pod import Pod
from koord.api.qos import QoSClass
from koord.api.quantity import Quantity
from koordlet.qos.batch_limits import BatchResources, Limits, container_limits, pod_limits
from koordlet.states.pods import PodFacts

EXTENDED_RESOURCE_SPEC = "node.koordinator.sh/extended-resource-spec"


def check(line: dict[str, Any]) -> str | None:
    given, expected = line["input"], line["expected"]
    facts = PodFacts(from_json(Pod, given["pod"]))
    best_effort = facts.raw_qos is QoSClass.BE
    batch = of_spec(facts) if given["source"] == "podSpec" else {}
    batch = batch or of_annotation(facts)
    threshold = given["threshold"] or {}
    policy = {
        "suppressed_by_quota": bool(threshold.get("enable")) and threshold.get("cpuSuppressPolicy") == "cfsQuota",
        "normalization_ratio": ratio(given.get("cpuNormalizationRatioAnnotation")),
    }
    names = [container.name for _, container in facts.containers()]
    got = {
        "pod": shown(pod_limits(batch.values(), **policy) if batch and best_effort else None),
        "containers": {
            name: shown(container_limits(batch[name], **policy) if name in batch and best_effort else None)
            for name in names
        },
    }
    return None if got == expected else f"expected {expected}, got {got}"


def of_spec(facts: PodFacts) -> dict[str, BatchResources]:
    batch = {
        container.name: BatchResources.of(container.resources.requests, container.resources.limits, phase)
        for phase, container in facts.containers()
    }
    return {name: each for name, each in batch.items() if each is not None}


def of_annotation(facts: PodFacts) -> dict[str, BatchResources]:
    text = facts.annotation(EXTENDED_RESOURCE_SPEC)
    if text is None:
        return {}
    try:
        containers = orjson.loads(text).get("containers") or {}
    except orjson.JSONDecodeError:
        return {}
    batch = {
        name: BatchResources.of(quantities(each.get("requests")), quantities(each.get("limits")))
        for name, each in containers.items()
    }
    return {name: each for name, each in batch.items() if each is not None}


def quantities(resources: dict[str, Any] | None) -> dict[str, Quantity]:
    return {name: Quantity.from_json(value) for name, value in (resources or {}).items()}


def ratio(text: str | None) -> float:
    try:
        return float(text) if text is not None else -1.0
    except ValueError:
        return -1.0


def shown(limits: Limits | None) -> dict[str, int | None]:
    if limits is None:
        return {"cpuShares": None, "cfsQuotaUs": None, "memoryLimitBytes": None}
    return {
        "cpuShares": limits.cpu_shares,
        "cfsQuotaUs": limits.cfs_quota_us,
        "memoryLimitBytes": limits.memory_limit_bytes,
    }
