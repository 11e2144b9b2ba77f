"""What the manager takes for cluster strategies where the ConfigMap is silent."""

from typing import Final

from koord.api.duration import Duration
from koord.api.quantity import Quantity
from koord.api.slo.cpuburst import CPUBurstStrategy
from koord.api.slo.nodemetric import AggregatePolicy
from koord.api.slo.resourceqos import ResourceQOSStrategy
from koord.api.slo.system import SystemStrategy
from koord.api.slo.threshold import ResourceThresholdStrategy
from koord.api.sloconfig.colocation import ColocationStrategy
from koord.api.sloconfig.nodefeatures import CPUNormalizationStrategy, ResourceAmplificationStrategy

COLOCATION: Final = ColocationStrategy(
    enable=False,
    metric_aggregate_duration_seconds=300,
    metric_report_interval_seconds=60,
    metric_aggregate_policy=AggregatePolicy(durations=[Duration.of(minutes=minutes) for minutes in (5, 10, 30)]),
    metric_memory_collect_policy="usageWithoutPageCache",
    cpu_reclaim_threshold_percent=60,
    cpu_calculate_policy="usage",
    memory_reclaim_threshold_percent=65,
    memory_calculate_policy="usage",
    degrade_time_minutes=15,
    update_time_threshold_seconds=300,
    resource_diff_threshold=0.1,
    mid_cpu_threshold_percent=100,
    mid_memory_threshold_percent=100,
    mid_unallocated_percent=0,
    mid_static_cpu_reserved_percent=0,
    mid_static_memory_reserved_percent=0,
)
RESOURCE_THRESHOLD: Final = ResourceThresholdStrategy(
    enable=False,
    cpu_suppress_threshold_percent=65,
    cpu_suppress_policy="cpuset",
    memory_evict_threshold_percent=70,
    cpu_evict_policy="evictByRealLimit",
)
# Empty on purpose: koordlet fills in what is absent, the manager does not.
RESOURCE_QOS: Final = ResourceQOSStrategy()
CPU_BURST: Final = CPUBurstStrategy(
    policy="none",
    cpu_burst_percent=1000,
    cfs_quota_burst_percent=300,
    cfs_quota_burst_period_seconds=-1,
    share_pool_threshold_percent=50,
)
SYSTEM: Final = SystemStrategy(total_network_bandwidth=Quantity())
CPU_NORMALIZATION: Final = CPUNormalizationStrategy(enable=False)
RESOURCE_AMPLIFICATION: Final = ResourceAmplificationStrategy(enable=False)
