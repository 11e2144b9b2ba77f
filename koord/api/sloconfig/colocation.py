"""ColocationStrategy: how batch and mid resources are computed, and how often nodes report."""

from typing import Any

import msgspec

from koord.api.base import Int64, Record
from koord.api.slo.nodemetric import AggregatePolicy


class ColocationStrategy(Record, kw_only=True):
    """The settings of one node or of the cluster; percents are whole numbers, absent fields keep what is below."""

    enable: bool | None = None
    metric_aggregate_duration_seconds: Int64 | None = None
    metric_report_interval_seconds: Int64 | None = None
    metric_aggregate_policy: AggregatePolicy | None = None
    metric_memory_collect_policy: str | None = None
    cpu_reclaim_threshold_percent: Int64 | None = None
    cpu_calculate_policy: str | None = None
    memory_reclaim_threshold_percent: Int64 | None = None
    memory_calculate_policy: str | None = None
    degrade_time_minutes: Int64 | None = None
    update_time_threshold_seconds: Int64 | None = None
    resource_diff_threshold: float | None = None
    mid_reclaim_mode: str | None = None
    mid_cpu_threshold_percent: Int64 | None = msgspec.field(default=None, name="midCPUThresholdPercent")
    mid_memory_threshold_percent: Int64 | None = None
    mid_unallocated_percent: Int64 | None = None
    mid_static_cpu_reserved_percent: Int64 | None = msgspec.field(default=None, name="midStaticCPUReservedPercent")
    mid_static_memory_reserved_percent: Int64 | None = None
    batch_cpu_threshold_percent: Int64 | None = msgspec.field(default=None, name="batchCPUThresholdPercent")
    batch_memory_threshold_percent: Int64 | None = None
    extensions: dict[str, Any] = {}
