"""QoS class, priority, and the pod-level knobs of CPU, memory, disk, network, cache and the OOM killer."""

from enum import StrEnum
from typing import Final

from koord.api.base import Int32, Int64, Record
from koord.api.errors import QuantityError
from koord.api.names import qos as names
from koord.api.payloads import texts
from koord.api.payloads.payload import Findings, annotation, json_annotation, label, odd, unless_one_of, unless_within
from koord.api.qos import PriorityClass, QoSClass
from koord.api.quantity import Quantity
from koord.api.slo.blkio import BlockConfig
from koord.api.slo.cpuburst import CPUBurstConfig
from koord.api.slo.resourceqos import CPUQOS, MemoryQOS


class PreemptionPolicy(StrEnum):
    """Whether a pod may preempt others."""

    NEVER = "Never"
    PREEMPT_LOWER_PRIORITY = "PreemptLowerPriority"


class CoreSchedPolicy(StrEnum):
    """How a pod shares physical cores: with its group, without a cookie, or with nobody."""

    DEFAULT = ""
    NONE = "none"
    EXCLUSIVE = "exclusive"


QOS_CLASS = label(names.LABEL_QOS_CLASS, texts.one_of(QoSClass))
PRIORITY_CLASS = label(names.LABEL_PRIORITY_CLASS, texts.one_of(PriorityClass))
PRIORITY = label(names.LABEL_PRIORITY, texts.integer())
PREEMPTION_POLICY = label(names.LABEL_PREEMPTION_POLICY, texts.one_of(PreemptionPolicy))
DISABLE_PREEMPTIBLE = label(names.LABEL_DISABLE_PREEMPTIBLE, texts.FLAG)
CORE_SCHED_GROUP_ID = label(names.LABEL_CORE_SCHED_GROUP_ID, texts.TEXT)
CORE_SCHED_POLICY = label(names.LABEL_CORE_SCHED_POLICY, texts.one_of(CoreSchedPolicy, empty=True))

OOM_SCORE_ADJ = annotation(names.ANNOTATION_OOM_SCORE_ADJ, texts.integer(low=-1000, high=1000))


def _check_oom_scores(scores: dict[str, int]) -> None:
    for container, score in scores.items():
        if not -1000 <= score <= 1000:
            raise odd(score, "an integer from -1000 to 1000", container)


OOM_SCORE_ADJ_SPEC = json_annotation(names.ANNOTATION_OOM_SCORE_ADJ_SPEC, dict[str, Int64], check=_check_oom_scores)

BURST_POLICIES: Final = ("none", "cpuBurstOnly", "cfsQuotaBurstOnly", "auto")


def _review_burst(burst: CPUBurstConfig) -> Findings:
    yield from unless_one_of(burst.policy, BURST_POLICIES, "policy")
    yield from unless_within(burst.cpu_burst_percent, 0, 10000, "cpuBurstPercent")
    quota = burst.cfs_quota_burst_percent
    if quota is not None and quota < 100:
        yield odd(quota, "100 or more", "cfsQuotaBurstPercent")
    period = burst.cfs_quota_burst_period_seconds
    if period is not None and period < -1:
        yield odd(period, "-1 (unlimited) or more", "cfsQuotaBurstPeriodSeconds")


CPU_BURST = json_annotation(names.ANNOTATION_CPU_BURST, CPUBurstConfig, review=_review_burst)


def _check_cpu_qos(cpu: CPUQOS) -> None:
    if cpu.group_identity is not None and not -1 <= cpu.group_identity <= 2:
        raise odd(cpu.group_identity, "-1 to 2", "groupIdentity")


def _review_cpu_qos(cpu: CPUQOS) -> Findings:
    yield from unless_within(cpu.sched_idle, 0, 1, "schedIdle")
    if cpu.enable is not True and cpu.group_identity not in (None, 0):
        yield odd(cpu.enable, "true: without it the pod's identity becomes 0", "enable")


CPU_QOS = json_annotation(names.ANNOTATION_CPU_QOS, CPUQOS, check=_check_cpu_qos, review=_review_cpu_qos)


class PodMemoryQOS(MemoryQOS, kw_only=True):
    """A pod's memory QoS: its fields over the template that the policy names."""

    policy: str = ""


MEMORY_POLICIES: Final = ("default", "none", "auto")


def _review_memory_qos(memory: PodMemoryQOS) -> Findings:
    yield from unless_one_of(memory.policy, MEMORY_POLICIES, "policy")
    for name, value in (
        ("minLimitPercent", memory.min_limit_percent),
        ("lowLimitPercent", memory.low_limit_percent),
        ("throttlingPercent", memory.throttling_percent),
        ("wmarkRatio", memory.wmark_ratio),
        ("pageCacheLimitPercent", memory.page_cache_limit_percent),
    ):
        yield from unless_within(value, 0, 100, name)
    yield from unless_within(memory.wmark_scale_permill, 1, 1000, "wmarkScalePermill")
    yield from unless_within(memory.wmark_min_adj, -25, 50, "wmarkMinAdj")
    yield from unless_within(memory.priority_enable, 0, 1, "priorityEnable")
    yield from unless_within(memory.priority, 0, 12, "priority")
    yield from unless_within(memory.oom_kill_group, 0, 1, "oomKillGroup")


MEMORY_QOS = json_annotation(names.ANNOTATION_MEMORY_QOS, PodMemoryQOS, review=_review_memory_qos)

POD_BLOCK_TYPE: Final = "podvolume"


class PodBlkIOQOS(Record, kw_only=True):
    """Limits for the volumes of a pod."""

    blocks: list[BlockConfig] = []


def _review_blkio(blkio: PodBlkIOQOS) -> Findings:
    for index, block in enumerate(blkio.blocks):
        if block.type != POD_BLOCK_TYPE:
            yield odd(block.type, f"{POD_BLOCK_TYPE}; other types belong to nodes", "blocks", index, "type")
        yield from unless_within(block.io_cfg.io_weight_percent, 1, 100, "blocks", index, "ioCfg", "ioWeightPercent")


BLKIO_QOS = json_annotation(names.ANNOTATION_BLKIO_QOS, PodBlkIOQOS, review=_review_blkio)


class PodNetworkQOS(Record, kw_only=True):
    """A pod's bandwidth limits: quantities of bits per second as texts."""

    ingress_limit: str | None = None
    egress_limit: str | None = None

    @property
    def ingress(self) -> Quantity | None:
        """The ingress limit in bits per second."""
        return None if self.ingress_limit is None else Quantity.parse(self.ingress_limit)

    @property
    def egress(self) -> Quantity | None:
        """The egress limit in bits per second."""
        return None if self.egress_limit is None else Quantity.parse(self.egress_limit)


def _check_network(network: PodNetworkQOS) -> None:
    for name, text in (("ingressLimit", network.ingress_limit), ("egressLimit", network.egress_limit)):
        try:
            amount = None if text is None else Quantity.parse(text)
        except QuantityError:
            raise odd(text, 'a quantity of bits per second such as "10M"', name) from None
        if amount is not None and amount.sign < 0:
            raise odd(text, "0 or more", name)


NETWORK_QOS = json_annotation(names.ANNOTATION_NETWORK_QOS, PodNetworkQOS, check=_check_network)


class CacheRange(Record, kw_only=True):
    """A range of last-level cache ways, in percent: exactly two numbers."""

    cache_id: Int32 = 0
    range: list[Int64] = []


class CachePercent(Record, kw_only=True):
    """Memory bandwidth in percent."""

    cache_id: Int32 = 0
    percent: Int64 = 0


class LLCSchemata(Record, kw_only=True):
    """Cache ways: `schemata` for all caches, `schemata_per_cache` over it for single ones."""

    schemata: CacheRange | None = None
    schemata_per_cache: list[CacheRange] = []


class MBSchemata(Record, kw_only=True):
    """Memory bandwidth: `schemata` for all caches, `schemata_per_cache` over it for single ones."""

    schemata: CachePercent | None = None
    schemata_per_cache: list[CachePercent] = []


class PodResctrl(Record, kw_only=True):
    """A pod's own resctrl group."""

    llc: LLCSchemata | None = None
    mb: MBSchemata | None = None


def _review_range(schemata: CacheRange, *steps: str | int) -> Findings:
    pair = schemata.range
    if pair and not (len(pair) == 2 and 0 <= pair[0] < pair[1] <= 100):
        yield odd(pair, "two percentages, the first the smaller", *steps, "range")


def _review_resctrl(resctrl: PodResctrl) -> Findings:
    if resctrl.llc:
        if resctrl.llc.schemata:
            yield from _review_range(resctrl.llc.schemata, "llc", "schemata")
        for index, one in enumerate(resctrl.llc.schemata_per_cache):
            yield from _review_range(one, "llc", "schemataPerCache", index)
    if resctrl.mb:
        if resctrl.mb.schemata:
            yield from unless_within(resctrl.mb.schemata.percent, 0, 100, "mb", "schemata", "percent")
        for index, one in enumerate(resctrl.mb.schemata_per_cache):
            yield from unless_within(one.percent, 0, 100, "mb", "schemataPerCache", index, "percent")


RESCTRL = json_annotation(names.ANNOTATION_RESCTRL, PodResctrl, review=_review_resctrl)
