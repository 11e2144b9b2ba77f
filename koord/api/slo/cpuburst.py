"""CPUBurstStrategy: how far containers may go beyond their CPU limit for a while."""

from typing import Annotated

from koord.api.base import Int64, Record, Schema


class CPUBurstConfig(Record, kw_only=True):
    """Burst settings of a node or a pod; policy `none`, `cpuBurstOnly`, `cfsQuotaBurstOnly` or `auto`."""

    policy: str = ""
    cpu_burst_percent: Annotated[Int64, Schema(minimum=0, maximum=10000)] | None = None
    cfs_quota_burst_percent: Int64 | None = None
    cfs_quota_burst_period_seconds: Int64 | None = None


class CPUBurstStrategy(CPUBurstConfig, kw_only=True):
    """Burst settings of a node with the use of the share pool above which bursting stops."""

    share_pool_threshold_percent: Int64 | None = None
