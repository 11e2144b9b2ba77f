"""One round of CPU burst."""

from typing import Any

from koord.api.codec import from_json
from koord.api.core.pod import Pod
from koord.api.slo.cpuburst import CPUBurstStrategy
from koordlet.qos.cpu_burst import Readings, TokenBucket, decide, node_state, pod_config
from koordlet.states.pods import PodFacts

NOW_S = 1e6


def check(line: dict[str, Any]) -> str | None:
    given, expected = line["input"], line["expected"]
    strategy = from_json(CPUBurstStrategy, given["strategy"])
    pods = [PodFacts(from_json(Pod, pod)) for pod in given["pods"]]
    before = {key: value for key, value in given["current"].items() if value is not None}
    readings = Readings(
        logical_cpus=given["logicalCPUs"],
        node_cores=given["nodeMeanUsedCores"],
        pod_cores=given["podMeanUsedCores"],
        throttled_ratio=given["containerThrottledRatio"],
        container_cores=given["containerUsedCores"],
        quota_us={key: value["quotaUs"] for key, value in before.items()},
    )
    configs = [(facts, pod_config(facts, strategy)) for facts in pods]
    periods = {
        key: own.cfs_quota_burst_period_seconds or 0 for facts, own in configs for key in facts.container_ids().values()
    }
    buckets = {
        key: TokenBucket(each["capacity"], each["tokens"], periods[key], NOW_S - each["secondsSinceUpdate"])
        for key, each in given["limiters"].items()
    }
    state = node_state(pods, readings, strategy.share_pool_threshold_percent or 0)
    decision = decide(configs, readings, state, buckets, NOW_S)
    after = {
        key: value
        and {
            "quotaUs": decision.quota_us.get(key, value["quotaUs"]),
            "burstUs": decision.burst_us.get(key, value["burstUs"]),
        }
        for key, value in given["current"].items()
    }
    got = {
        "after": after,
        "limiterTokensAfter": {
            key: decision.buckets[key].tokens if key in decision.buckets else None for key in buckets
        },
        "nodeState": state.name.lower(),
    }
    return None if got == expected else f"expected {expected}, got {got}"
