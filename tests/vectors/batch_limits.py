"""Limits of best-effort pods."""

from typing import Any

from koord.api.codec import from_json
from koord.api.core.pod import Pod
from koordlet.qos.batch_limits import Limits, container_limits, pod_limits
from koordlet.states.batch import batch_resources
from koordlet.states.pods import PodFacts


def check(line: dict[str, Any]) -> str | None:
    given, expected = line["input"], line["expected"]
    facts = PodFacts(from_json(Pod, given["pod"]))
    batch = batch_resources(facts, from_spec=given["source"] == "podSpec")
    threshold = given["threshold"] or {}
    policy = {
        "suppressed_by_quota": bool(threshold.get("enable")) and threshold.get("cpuSuppressPolicy") == "cfsQuota",
        "normalization_ratio": ratio(given.get("cpuNormalizationRatioAnnotation")),
    }
    names = [container.name for _, container in facts.containers()]
    got = {
        "pod": shown(pod_limits(batch.values(), **policy) if batch else None),
        "containers": {
            name: shown(container_limits(batch[name], **policy) if name in batch else None) for name in names
        },
    }
    return None if got == expected else f"expected {expected}, got {got}"


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
