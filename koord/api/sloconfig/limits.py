"""What admission demands of strategies as they are written: ranges, and pairs of bounds.

Nothing here is checked when a node's strategy is computed, except what `colocationconfig` repeats for its own key.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from koord.api.base import Record
from koord.api.errors import QuantityError
from koord.api.quantity import Quantity
from koord.api.slo.cpuburst import CPUBurstStrategy
from koord.api.slo.resourceqos import CPUQOS, MemoryQOS, NetworkQOS, ResctrlQOS, ResourceQOS, ResourceQOSStrategy
from koord.api.slo.system import SystemStrategy
from koord.api.slo.threshold import ResourceThresholdStrategy
from koord.api.sloconfig.colocation import ColocationStrategy
from koord.api.typeinfo import Shape, fields_of


class Range(NamedTuple):
    """Bounds, inclusive; None is unbounded."""

    low: float | None
    high: float | None = None

    def __contains__(self, value: object) -> bool:
        return isinstance(value, (int, float)) and not (
            (self.low is not None and value < self.low) or (self.high is not None and value > self.high)
        )

    def __str__(self) -> str:
        return f"{self.low} or more" if self.high is None else f"{self.low} to {self.high}"


class Pair(NamedTuple):
    """Two bounds of which both must be given or none, the lower below the upper."""

    lower: str
    upper: str


class Violation(NamedTuple):
    """A path below the strategy, what was found there, what is allowed."""

    path: str
    found: object
    allowed: str


SHARE: Final = Range(0, 100)
SWITCH: Final = Range(0, 1)
POSITIVE: Final = Range(1)
NOT_NEGATIVE: Final = Range(0)

RANGES: Final[Mapping[type[Record], Mapping[str, Range]]] = {
    ColocationStrategy: {
        "metricAggregateDurationSeconds": POSITIVE,
        "metricReportIntervalSeconds": POSITIVE,
        "cpuReclaimThresholdPercent": NOT_NEGATIVE,
        "memoryReclaimThresholdPercent": NOT_NEGATIVE,
        "degradeTimeMinutes": POSITIVE,
        "updateTimeThresholdSeconds": POSITIVE,
        "midCPUThresholdPercent": SHARE,
        "midMemoryThresholdPercent": SHARE,
        "midUnallocatedPercent": SHARE,
        "midStaticCPUReservedPercent": SHARE,
        "midStaticMemoryReservedPercent": SHARE,
        "batchCPUThresholdPercent": NOT_NEGATIVE,
        "batchMemoryThresholdPercent": NOT_NEGATIVE,
    },
    ResourceThresholdStrategy: {
        "cpuSuppressThresholdPercent": SHARE,
        "cpuSuppressMinPercent": SHARE,
        "memoryEvictThresholdPercent": SHARE,
        "memoryEvictLowerPercent": SHARE,
        "memoryAllocatableEvictThresholdPercent": NOT_NEGATIVE,
        "memoryAllocatableEvictLowerPercent": NOT_NEGATIVE,
        "cpuEvictBESatisfactionUpperPercent": SHARE,
        "cpuEvictBESatisfactionLowerPercent": SHARE,
        "cpuEvictBEUsageThresholdPercent": SHARE,
        "cpuEvictTimeWindowSeconds": POSITIVE,
        "cpuEvictThresholdPercent": SHARE,
        "cpuEvictLowerPercent": SHARE,
        "cpuAllocatableEvictThresholdPercent": NOT_NEGATIVE,
        "cpuAllocatableEvictLowerPercent": NOT_NEGATIVE,
        "allocatableEvictPriorityThreshold": Range(0, 7999),
    },
    CPUQOS: {"groupIdentity": Range(-1, 2), "schedIdle": SWITCH},
    MemoryQOS: {
        "minLimitPercent": SHARE,
        "lowLimitPercent": SHARE,
        "throttlingPercent": SHARE,
        "wmarkRatio": SHARE,
        "wmarkScalePermill": Range(1, 1000),
        "wmarkMinAdj": Range(-25, 50),
        "priorityEnable": SWITCH,
        "priority": Range(0, 12),
        "oomKillGroup": SWITCH,
        "pageCacheLimitPercent": SHARE,
    },
    ResctrlQOS: {"catRangeStartPercent": SHARE, "catRangeEndPercent": SHARE, "mbaPercent": SHARE},
    CPUBurstStrategy: {
        "cpuBurstPercent": Range(1, 10000),
        "cfsQuotaBurstPercent": Range(100),
        "cfsQuotaBurstPeriodSeconds": Range(-1),
        "sharePoolThresholdPercent": SHARE,
    },
    SystemStrategy: {
        "minFreeKbytesFactor": POSITIVE,
        "watermarkScaleFactor": Range(1, 400),
        "memcgReapBackGround": SWITCH,
        "pageCacheLimitEnabled": SWITCH,
    },
}
"""Bounds by type and JSON key."""

PAIRS: Final[Mapping[type[Record], tuple[Pair, ...]]] = {
    ResourceThresholdStrategy: (
        Pair("memoryEvictLowerPercent", "memoryEvictThresholdPercent"),
        Pair("memoryAllocatableEvictLowerPercent", "memoryAllocatableEvictThresholdPercent"),
        Pair("cpuEvictBESatisfactionLowerPercent", "cpuEvictBESatisfactionUpperPercent"),
        Pair("cpuEvictLowerPercent", "cpuEvictThresholdPercent"),
        Pair("cpuAllocatableEvictLowerPercent", "cpuAllocatableEvictThresholdPercent"),
    ),
    ResctrlQOS: (Pair("catRangeStartPercent", "catRangeEndPercent"),),
}
"""Bounds that belong together. Both must stand in the document: defaults are not looked at."""

_NETWORK: Final = ("ingressRequest", "ingressLimit", "egressRequest", "egressLimit")
_CLASSES_WITHOUT_LIMITS: Final = ("cgroupRoot",)


def violations(strategy: Record, path: str = "") -> Iterator[Violation]:
    """What admission refuses in a strategy as it is written, at every depth; paths start with the given one."""
    prefix = f"{path}." if path else ""
    kind = type(strategy)
    values: dict[str, Any] = {field.key: getattr(strategy, field.name) for field in fields_of(kind)}
    for key, allowed in RANGES.get(kind, {}).items():
        if values[key] is not None and values[key] not in allowed:
            yield Violation(f"{prefix}{key}", values[key], str(allowed))
    for pair in PAIRS.get(kind, ()):
        yield from _pair_violations(pair, values, prefix)
    if isinstance(strategy, ColocationStrategy):
        yield from _threshold_violations(strategy, prefix)
    if isinstance(strategy, NetworkQOS):
        for key in _NETWORK:
            yield from _network_violations(values[key], f"{prefix}{key}")
    if isinstance(strategy, ResourceQOSStrategy | ResourceQOS):
        for field in fields_of(kind):
            if field.type.shape is Shape.STRUCT and values[field.key] and field.key not in _CLASSES_WITHOUT_LIMITS:
                yield from violations(values[field.key], f"{prefix}{field.key}")


def _pair_violations(pair: Pair, values: Mapping[str, Any], prefix: str) -> Iterator[Violation]:
    lower, upper = values[pair.lower], values[pair.upper]
    if (lower is None) != (upper is None):
        missing = pair.lower if lower is None else pair.upper
        given = pair.upper if lower is None else pair.lower
        yield Violation(f"{prefix}{missing}", None, f"a value, since {given} is given")
    elif lower is not None and lower >= upper:
        yield Violation(f"{prefix}{pair.lower}", lower, f"less than {pair.upper} ({upper})")


def _threshold_violations(strategy: ColocationStrategy, prefix: str) -> Iterator[Violation]:
    threshold = strategy.resource_diff_threshold
    if threshold is not None and not 0 < threshold <= 1:
        yield Violation(f"{prefix}resourceDiffThreshold", threshold, "more than 0, at most 1")
    if strategy.metric_memory_collect_policy == "":
        yield Violation(f"{prefix}metricMemoryCollectPolicy", "", "a policy's name")


def _network_violations(value: object, path: str) -> Iterator[Violation]:
    if isinstance(value, int):
        if value not in SHARE:
            yield Violation(path, value, "0 to 100 percent, or a quantity of bits per second as text")
    elif isinstance(value, str):
        try:
            Quantity.parse(value)
        except QuantityError:
            yield Violation(path, value, 'a quantity of bits per second such as "10M", or an integer of percent')
