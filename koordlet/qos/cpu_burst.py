"""CPU burst: containers may go beyond their limit for a while, as long as the node's share pool has room.

Two means: the kernel's burst (unused quota carried over, `cpu.max.burst`) and a quota scaled up after throttling and
down again when the pool fills. Formulas as in Koordinator's CPU burst strategy.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from koord.api.names.resources import RESOURCE_CPU
from koord.api.payloads.qos import CPU_BURST
from koord.api.qos import QoSClass
from koord.api.slo.cpuburst import CPUBurstConfig
from koord.api.sloconfig.merge import merged
from koordlet.qos.cfs import PERIOD_US, quota_of
from koordlet.states.pods import PodFacts, amount

SCALE_UP: Final = 1.2
SCALE_DOWN: Final = 0.8
COOLING_SHARE: Final = 0.9
"""Share of the overload threshold from which quotas no longer grow."""
SAVING_BELOW_PERCENT: Final = 60
"""Use of its limit, in percent, below which a container saves tokens; above 100 it spends them."""

_BOUND_CPUS: Final = (QoSClass.LSE, QoSClass.LSR)
_NEVER_BURST: Final = (*_BOUND_CPUS, QoSClass.BE)


class NodeState(Enum):
    """How full the share pool is."""

    UNKNOWN = auto()
    IDLE = auto()
    COOLING = auto()
    OVERLOAD = auto()


class Wish(Enum):
    """Where a container's quota should go."""

    RESET = auto()
    DOWN = auto()
    REMAIN = auto()
    UP = auto()


@dataclass(frozen=True)
class TokenBucket:
    """Limits how long a container may stay above its limit: percent-seconds, between `-capacity` and `capacity`."""

    capacity: int
    tokens: int
    period_s: int
    updated_s: float

    def after(self, usage_percent: int, now_s: float) -> "TokenBucket":
        """The bucket after using so much of the limit since the last update.

        Whole seconds count; the rest of a second counts the next time.
        """
        elapsed_s = int(now_s - self.updated_s)
        change = 0
        if usage_percent >= 100:
            change = -(usage_percent - 100) * elapsed_s
        elif usage_percent < SAVING_BELOW_PERCENT:
            change = (100 - usage_percent) * elapsed_s
        tokens = max(-self.capacity, min(self.capacity, self.tokens + change))
        return replace(self, tokens=tokens, updated_s=self.updated_s + elapsed_s)

    def idle(self, now_s: float) -> bool:
        """Nothing asked for two periods: the container is gone or no longer limited."""
        return self.period_s <= 0 or now_s - self.updated_s > 2 * self.period_s


@dataclass(frozen=True)
class Readings:
    """What was measured; a missing key is no sample.

    `node_cores` and `pod_cores` (by UID) are means over the node-state window, `throttled_ratio` and
    `container_cores` (by container id) the newest samples, `quota_us` (by UID or container id) what the cgroups hold.
    """

    logical_cpus: int
    node_cores: float | None
    pod_cores: Mapping[str, float]
    throttled_ratio: Mapping[str, float]
    container_cores: Mapping[str, float]
    quota_us: Mapping[str, int]


@dataclass(frozen=True)
class Decision:
    """Values by pod UID or container id, and the token buckets to go on with."""

    quota_us: dict[str, int]
    burst_us: dict[str, int]
    buckets: dict[str, TokenBucket]


def pod_config(facts: PodFacts, strategy: CPUBurstConfig) -> CPUBurstConfig:
    """The node's settings, those of the pod's annotation laid over them; an unreadable annotation changes nothing."""
    node = CPUBurstConfig(**{name: getattr(strategy, name) for name in CPUBurstConfig.__struct_fields__})
    own, _ = CPU_BURST.read_or(facts.pod.metadata.annotations, facts.subject, CPUBurstConfig())
    return merged(node, own)


def node_state(pods: Iterable[PodFacts], readings: Readings, threshold_percent: int) -> NodeState:
    """Judge the use of the CPUs that no pod has for itself, by everything but bound and best-effort pods."""
    if readings.node_cores is None:
        return NodeState.UNKNOWN
    total = float(readings.logical_cpus)
    used = readings.node_cores
    for facts in pods:
        qos = facts.raw_qos
        if qos in _BOUND_CPUS:
            total -= _requested_milli(facts) / 1000
        if qos in _NEVER_BURST:
            used -= readings.pod_cores.get(facts.uid, 0.0)
    ratio = used / total if total > 0 else 1.0
    threshold = threshold_percent / 100
    if ratio >= threshold:
        return NodeState.OVERLOAD
    return NodeState.COOLING if ratio >= COOLING_SHARE * threshold else NodeState.IDLE


def decide(
    pods: Iterable[tuple[PodFacts, CPUBurstConfig]],
    readings: Readings,
    state: NodeState,
    buckets: Mapping[str, TokenBucket],
    now_s: float,
) -> Decision:
    """Decide quota and burst of every pod that may burst.

    `pods` come with their settings (`pod_config`). `buckets` holds a bucket for every container that
    `bucket_capacity` limits, a fresh one for a new container; idle ones are left out of the result.
    """
    decision = Decision({}, {}, dict(buckets))
    for facts, config in pods:
        if not facts.active or facts.raw_qos in _NEVER_BURST:
            continue
        _burst(facts, config, decision)
        _scale(facts, config, readings, state, decision, now_s)
    kept = {key: bucket for key, bucket in decision.buckets.items() if not bucket.idle(now_s)}
    return replace(decision, buckets=kept)


def bucket_capacity(config: CPUBurstConfig) -> int | None:
    """Capacity of the bucket that limits a container; None when nothing limits it."""
    period_s = config.cfs_quota_burst_period_seconds
    if period_s is None or period_s < 0:
        return None
    return period_s * ((config.cfs_quota_burst_percent or 0) - 100)


def _burst(facts: PodFacts, config: CPUBurstConfig, decision: Decision) -> None:
    pod_burst_us = 0
    for container_id, limit_milli in _limits(facts):
        burst_us = 0
        if config.policy in ("auto", "cpuBurstOnly") and limit_milli > 0:
            burst_us = int(limit_milli / 1000 * ((config.cpu_burst_percent or 0) / 100) * PERIOD_US)
        decision.burst_us[container_id] = burst_us
        pod_burst_us += burst_us
    decision.burst_us[facts.uid] = pod_burst_us


def _scale(
    facts: PodFacts,
    config: CPUBurstConfig,
    readings: Readings,
    state: NodeState,
    decision: Decision,
    now_s: float,
) -> None:
    pod_quota_us = readings.quota_us.get(facts.uid)
    running = facts.running()
    names = {container_id: name for name, container_id in facts.container_ids().items()}
    for container_id, limit_milli in _limits(facts):
        current_us = readings.quota_us.get(container_id)
        if names[container_id] not in running or limit_milli <= 0 or current_us is None:
            continue
        wish = _wish(container_id, config, limit_milli, readings, decision, now_s)
        target_us = _target(_under(state, wish), current_us, quota_of(limit_milli), config)
        if target_us == current_us:
            continue
        if pod_quota_us is not None and pod_quota_us > 0:
            pod_quota_us += target_us - current_us
            decision.quota_us[facts.uid] = pod_quota_us
        decision.quota_us[container_id] = target_us


def _wish(
    container_id: str,
    config: CPUBurstConfig,
    limit_milli: int,
    readings: Readings,
    decision: Decision,
    now_s: float,
) -> Wish:
    # The bucket goes on while the policy does not scale, so that switching policies earns nobody tokens.
    allowed = _allowed(container_id, config, limit_milli, readings, decision, now_s)
    if config.policy not in ("auto", "cfsQuotaBurstOnly"):
        return Wish.RESET
    if not allowed:
        return Wish.DOWN
    return Wish.UP if readings.throttled_ratio.get(container_id, 0) > 0 else Wish.REMAIN


def _allowed(
    container_id: str,
    config: CPUBurstConfig,
    limit_milli: int,
    readings: Readings,
    decision: Decision,
    now_s: float,
) -> bool:
    capacity = bucket_capacity(config)
    if capacity is None:
        return True
    if capacity <= 0 or container_id not in decision.buckets:
        return False
    used_cores = readings.container_cores.get(container_id)
    usage_percent = 100 if used_cores is None else int(used_cores / (limit_milli / 1000) * 100)
    bucket = decision.buckets[container_id].after(usage_percent, now_s)
    decision.buckets[container_id] = bucket
    return bucket.tokens > 0


def _under(state: NodeState, wish: Wish) -> Wish:
    """What the node's state makes of a wish."""
    if state is NodeState.OVERLOAD and wish in (Wish.UP, Wish.REMAIN):
        return Wish.DOWN
    if state in (NodeState.COOLING, NodeState.UNKNOWN) and wish is Wish.UP:
        return Wish.REMAIN
    return wish


def _target(wish: Wish, current_us: int, base_us: int, config: CPUBurstConfig) -> int:
    percent = config.cfs_quota_burst_percent or 0
    ceiling_us = base_us * percent // 100 if percent > 100 else base_us
    match wish:
        case Wish.UP:
            wanted_us = int(current_us * SCALE_UP)
        case Wish.DOWN:
            wanted_us = int(current_us * SCALE_DOWN)
        case Wish.RESET:
            wanted_us = base_us
        case Wish.REMAIN:
            wanted_us = current_us
    return max(base_us, min(ceiling_us, wanted_us))


def _limits(facts: PodFacts) -> Iterator[tuple[str, int]]:
    """Container id and CPU limit in milli-cores (0: none) of the app containers that have an id."""
    ids = facts.container_ids()
    for container in facts.pod.spec.containers:
        if container.name in ids:
            yield ids[container.name], amount(container.resources.limits, RESOURCE_CPU).milli_value()


def _requested_milli(facts: PodFacts) -> int:
    requests = (container.resources.requests for container in facts.pod.spec.containers)
    return sum(amount(each, RESOURCE_CPU).milli_value() for each in requests)
