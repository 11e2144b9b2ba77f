"""ResourceQOSStrategy: CPU, memory, cache, disk and network QoS of each class of pods."""

from typing import Annotated

from koord.api.base import Int64, IntOrString, Record, Schema
from koord.api.slo.blkio import BlkIOQOS

Share = Annotated[Int64, Schema(minimum=0, maximum=100)]
Limit = Annotated[Int64, Schema(minimum=0)]


class CPUQOS(Record, kw_only=True):
    """CPU QoS: the group identity (bvt) or the idle class of a QoS class."""

    enable: bool | None = None
    group_identity: Int64 | None = None
    sched_idle: Int64 | None = None
    core_expeller: bool | None = None


class MemoryQOS(Record, kw_only=True):
    """Memory QoS: protection and throttling in percent of request or limit, watermarks, page cache."""

    enable: bool | None = None
    min_limit_percent: Limit | None = None
    low_limit_percent: Limit | None = None
    throttling_percent: Limit | None = None
    wmark_ratio: Share | None = None
    wmark_scale_permill: Annotated[Int64, Schema(minimum=1, maximum=1000)] | None = None
    wmark_min_adj: Annotated[Int64, Schema(minimum=-25, maximum=50)] | None = None
    priority_enable: Int64 | None = None
    priority: Int64 | None = None
    oom_kill_group: Int64 | None = None
    page_cache_enable: bool | None = None
    page_cache_limit_percent: Share | None = None
    page_cache_limit_size: Int64 | None = None
    page_cache_reclaim_sync: bool | None = None


class ResctrlQOS(Record, kw_only=True):
    """Last-level cache range and memory bandwidth, in percent."""

    enable: bool | None = None
    cat_range_start_percent: Share | None = None
    cat_range_end_percent: Share | None = None
    mba_percent: Share | None = None


class NetworkQOS(Record, kw_only=True):
    """Network bandwidth: an integer is a percentage of the node's total, a text a quantity of bits per second."""

    enable: bool | None = None
    ingress_request: Annotated[IntOrString, Schema(default=0)] | None = None
    ingress_limit: Annotated[IntOrString, Schema(default=100)] | None = None
    egress_request: Annotated[IntOrString, Schema(default=0)] | None = None
    egress_limit: Annotated[IntOrString, Schema(default=100)] | None = None


class ResourceQOS(Record, kw_only=True):
    """The QoS settings of one class."""

    cpu_qos: CPUQOS | None = None
    memory_qos: MemoryQOS | None = None
    blkio_qos: BlkIOQOS | None = None
    resctrl_qos: ResctrlQOS | None = None
    network_qos: NetworkQOS | None = None


class ResourceQOSPolicies(Record, kw_only=True):
    """Which mechanism the node uses: cpuPolicy `groupIdentity` or `coreSched`, netQOSPolicy `tc` or `terway-qos`."""

    cpu_policy: str | None = None
    net_qos_policy: str | None = None


class ResourceQOSStrategy(Record, kw_only=True):
    """The QoS settings of all classes."""

    policies: ResourceQOSPolicies | None = None
    lsr_class: ResourceQOS | None = None
    ls_class: ResourceQOS | None = None
    be_class: ResourceQOS | None = None
    system_class: ResourceQOS | None = None
    cgroup_root: ResourceQOS | None = None
