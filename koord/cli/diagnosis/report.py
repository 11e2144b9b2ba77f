"""The report: from what was found to what is fine, what is missing, and how to get it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

CgroupMode = Literal["v1", "v2", "hybrid", "none"]
SIGNALS = ("cpu_usage", "throttling", "psi", "memory", "memory_stat", "tasks", "oom")

ESSENTIAL = ("cpu_usage", "memory")
"""Without these the agent is of no use."""

_REMEDY = {
    "cpu_usage": "mount a cgroup v2 tree, or the cpuacct controller of v1",
    "throttling": "enable the cpu controller (CONFIG_CFS_BANDWIDTH)",
    "psi": "boot with psi=1 (CONFIG_PSI) and mount a cgroup v2 tree",
    "memory": "enable the memory controller (cgroup_enable=memory on some systems)",
    "memory_stat": "enable the memory controller (cgroup_enable=memory on some systems)",
    "tasks": "enable the pids controller, or run where BPF is allowed",
    "oom": "enable the memory controller (cgroup_enable=memory on some systems)",
}


@dataclass(frozen=True, slots=True)
class Signal:
    """One group of values in one hierarchy: what reads it, and why nothing better does (empty: the best is in use)."""

    name: str
    hierarchy: str
    tier: str
    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that is not there, why, and what would bring it."""

    what: str
    why: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Cost:
    """Run time of one BPF program over the window that was watched."""

    program: str
    id: int
    runs: int
    ns_per_run: float | None
    """None when it did not run in the window."""
    cpu_share: float
    """Share of one CPU, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything the doctor says; `ok` when every essential signal has a source."""

    ok: bool
    kernel: str
    cgroup: CgroupMode
    signals: list[Signal]
    missing: list[Missing]
    costs: list[Cost] | None = None
    """None when costs were not asked for."""


def cgroup_mode(filesystems: Sequence[str]) -> CgroupMode:
    """From the filesystem types of the mounts: v1, v2, or both."""
    has_v1, has_v2 = "cgroup" in filesystems, "cgroup2" in filesystems
    if has_v1 and has_v2:
        return "hybrid"
    return "v2" if has_v2 else "v1" if has_v1 else "none"


def make_report(kernel: str, cgroup: CgroupMode, signals: Sequence[Signal], pieces: Sequence[Missing]) -> Report:
    """Put it together; `pieces` are those of BPF that are missing."""
    served = {signal.name for signal in signals if signal.tier != "none"}
    absent = [Missing(name, _why(name, signals), _REMEDY[name]) for name in SIGNALS if name not in served]
    ok = all(name in served for name in ESSENTIAL)
    return Report(ok, kernel, cgroup, list(signals), [*absent, *pieces])


def cost(program: str, number: int, runs: int, run_time_ns: int, window_s: float) -> Cost:
    """What one program cost."""
    return Cost(program, number, runs, run_time_ns / runs if runs else None, run_time_ns / (window_s * 1e9))


def _why(name: str, signals: Sequence[Signal]) -> str:
    reasons = [signal.reason for signal in signals if signal.name == name and signal.reason]
    return "; ".join(reasons) or "no hierarchy here has it"
