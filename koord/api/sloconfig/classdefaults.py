"""QoS settings per class that the node agent takes where NodeSLO is silent, and those that switch everything off."""

from typing import Final

from koord.api.slo.blkio import BlkIOQOS
from koord.api.slo.resourceqos import (
    CPUQOS,
    MemoryQOS,
    NetworkQOS,
    ResctrlQOS,
    ResourceQOS,
    ResourceQOSPolicies,
    ResourceQOSStrategy,
)

_NO_NETWORK: Final = NetworkQOS(enable=False, ingress_request=0, ingress_limit=0, egress_request=0, egress_limit=0)

CPU_OFF: Final = CPUQOS(enable=False, group_identity=0, sched_idle=0, core_expeller=False)
RESCTRL_OFF: Final = ResctrlQOS(enable=False, cat_range_start_percent=0, cat_range_end_percent=100, mba_percent=100)


def _memory(wmark_ratio: int, wmark_scale_permill: int, wmark_min_adj: int) -> MemoryQOS:
    return MemoryQOS(
        enable=False,
        min_limit_percent=0,
        low_limit_percent=0,
        throttling_percent=0,
        wmark_ratio=wmark_ratio,
        wmark_scale_permill=wmark_scale_permill,
        wmark_min_adj=wmark_min_adj,
        priority_enable=0,
        priority=0,
        oom_kill_group=0,
    )


MEMORY_OFF: Final = _memory(0, 50, 0)


def _class(group_identity: int, cache_end_percent: int, memory: MemoryQOS) -> ResourceQOS:
    return ResourceQOS(
        cpu_qos=CPUQOS(enable=False, group_identity=group_identity, sched_idle=0, core_expeller=group_identity > 0),
        memory_qos=memory,
        blkio_qos=BlkIOQOS(enable=False),
        resctrl_qos=ResctrlQOS(
            enable=False, cat_range_start_percent=0, cat_range_end_percent=cache_end_percent, mba_percent=100
        ),
        network_qos=_NO_NETWORK,
    )


RECOMMENDED: Final = ResourceQOSStrategy(
    policies=ResourceQOSPolicies(cpu_policy="groupIdentity", net_qos_policy="tc"),
    lsr_class=_class(2, 100, _memory(95, 20, -25)),
    ls_class=_class(2, 100, _memory(95, 20, -25)),
    be_class=_class(-1, 30, _memory(95, 20, 50)),
    system_class=_class(0, 100, MEMORY_OFF),
    cgroup_root=ResourceQOS(blkio_qos=BlkIOQOS(enable=False)),
)
"""What each class gets once its settings are enabled and say no more."""
