"""ResourceThresholdStrategy: when best-effort work is suppressed or evicted."""

from typing import Annotated

from koord.api.base import Int32, Int64, Record, Schema

Share = Annotated[Int64, Schema(minimum=0, maximum=100)]
Percent = Annotated[Int64, Schema(minimum=0)]


class ResourceThresholdStrategy(Record, kw_only=True):
    """Thresholds in percent of the node, except where a name says otherwise."""

    enable: bool | None = None
    cpu_suppress_threshold_percent: Share | None = None
    cpu_suppress_min_percent: Share | None = None
    cpu_suppress_policy: str = ""
    memory_evict_threshold_percent: Share | None = None
    memory_evict_lower_percent: Share | None = None
    memory_allocatable_evict_threshold_percent: Percent | None = None
    memory_allocatable_evict_lower_percent: Percent | None = None
    cpu_evict_threshold_percent: Share | None = None
    cpu_evict_lower_percent: Share | None = None
    cpu_allocatable_evict_threshold_percent: Percent | None = None
    cpu_allocatable_evict_lower_percent: Percent | None = None
    evict_enabled_priority_threshold: Int32 | None = None
    allocatable_evict_priority_threshold: Int32 | None = None
    cpu_evict_be_satisfaction_upper_percent: Int64 | None = None
    cpu_evict_be_satisfaction_lower_percent: Int64 | None = None
    cpu_evict_be_usage_threshold_percent: Int64 | None = None
    cpu_evict_time_window_seconds: Int64 | None = None
    cpu_evict_policy: str = ""
