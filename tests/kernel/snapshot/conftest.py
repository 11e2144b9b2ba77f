"""What the kernel's files say of a cgroup, read here independently of the code under test."""

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from koord._core import Frame, Snapshotter

TIERS = ("files", "bpf-iter", "bpf-css")
PSI = [("cpu", "cpu.pressure"), ("memory", "memory.pressure"), ("io", "io.pressure")]
LRU = ("inactive_anon", "active_anon", "inactive_file", "active_file", "unevictable")


@cache
def why_missing(tier: str) -> str | None:
    """The cause for which this kernel or user does not have the tier; None when it has."""
    reader = Snapshotter(tier=tier)  # pyright: ignore[reportArgumentType]
    reader.collect()
    sources = reader.sources()
    if any(source.tier == tier for source in sources):
        return None
    return "; ".join(sorted({source.reason for source in sources if source.reason}))


@pytest.fixture(params=TIERS)
def snapshotter(request) -> Snapshotter:
    """One reader per tier; a tier that is not available here is a skip with its cause."""
    if cause := why_missing(request.param):
        pytest.skip(f"tier {request.param}: {cause}")
    return Snapshotter(tier=request.param)


def pairs(path: Path) -> dict[str, int]:
    return {key: int(value) for key, value in (line.split()[:2] for line in path.read_text().splitlines())}


def number(path: Path) -> float:
    text = path.read_text().strip()
    return -1.0 if text in {"max", "-1"} or int(text) >= 2**63 - 2**16 else float(text)


def counters_of(group) -> dict[str, float]:
    """Totals of the group, by column."""
    totals: dict[str, float] = {}
    v2 = group.dirs.get("unified")
    if v2:
        stat = pairs(v2 / "cpu.stat")
        totals |= {f"{kind}_ns": stat[f"{kind}_usec"] * 1e3 for kind in ("usage", "user", "system")}
        for resource, file in PSI if (v2 / "cpu.pressure").exists() else ():
            for line in (v2 / file).read_text().splitlines():
                kind, *_, total = line.split()
                totals[f"psi_{resource}_{kind}_ns"] = int(total.removeprefix("total=")) * 1e3
    elif "cpuacct" in group.dirs:
        for kind, file in (("usage", "usage"), ("user", "usage_user"), ("system", "usage_sys")):
            totals[f"{kind}_ns"] = number(group.dirs["cpuacct"] / f"cpuacct.{file}")
    if (cpu := group.dirs.get("cpu", v2)) and "nr_periods" in (stat := pairs(cpu / "cpu.stat")):
        totals |= {"nr_periods": stat["nr_periods"], "nr_throttled": stat["nr_throttled"]}
        totals["throttled_ns"] = stat["throttled_time"] if "throttled_time" in stat else stat["throttled_usec"] * 1e3
        if "nr_bursts" in stat:
            totals["nr_bursts"] = stat["nr_bursts"]
            totals["burst_ns"] = stat["burst_time"] if "burst_time" in stat else stat["burst_usec"] * 1e3
    for directory, file in (("memory", "memory.oom_control"), ("unified", "memory.events")):
        if directory in group.dirs and (group.dirs[directory] / file).exists():
            totals["oom_kills"] = pairs(group.dirs[directory] / file)["oom_kill"]
    return totals


def gauges_of(group) -> dict[str, float]:
    """What the group holds now, by column."""
    gauges: dict[str, float] = {}
    v2 = group.dirs.get("unified")
    if cpu := group.dirs.get("cpu"):
        gauges["quota_us"] = number(cpu / "cpu.cfs_quota_us")
        gauges["period_us"] = number(cpu / "cpu.cfs_period_us")
    elif v2 and (v2 / "cpu.max").exists():
        quota, period = (v2 / "cpu.max").read_text().split()
        gauges |= {"quota_us": -1.0 if quota == "max" else float(quota), "period_us": float(period)}
    lists: dict[str, int] = {}
    if memory := group.dirs.get("memory"):
        gauges["memory_bytes"] = number(memory / "memory.usage_in_bytes")
        gauges["memory_limit_bytes"] = number(memory / "memory.limit_in_bytes")
        stat = pairs(memory / "memory.stat")
        lists = {name: stat[f"total_{name}"] for name in LRU}
    elif v2 and (v2 / "memory.current").exists():
        gauges |= {"memory_bytes": number(v2 / "memory.current"), "memory_limit_bytes": number(v2 / "memory.max")}
        stat = pairs(v2 / "memory.stat")
        lists = {name: stat[name] for name in LRU}
    if lists:
        gauges |= {f"{name}_bytes": float(value) for name, value in lists.items()}
        without = lists["inactive_anon"] + lists["active_anon"] + lists["unevictable"]
        gauges["memory_without_page_cache_bytes"] = without
        gauges["memory_with_page_cache_bytes"] = without + lists["inactive_file"] + lists["active_file"]
    if (pids := group.dirs.get("pids", v2)) and (pids / "pids.current").exists():
        gauges["tasks"] = number(pids / "pids.current")
    return gauges


@pytest.fixture
def counters() -> Callable[[object], dict[str, float]]:
    return counters_of


@pytest.fixture
def gauges() -> Callable[[object], dict[str, float]]:
    return gauges_of


def row_of(frame: Frame, path: str) -> dict[str, float]:
    key = next(key for key, at, _ in frame.rows() if at == path and key not in frame.gone)
    index = frame.index(key)
    names = [name for name in dir(frame) if isinstance(getattr(frame, name), memoryview)]
    return {name: getattr(frame, name)[index] for name in names}


@pytest.fixture
def row() -> Callable[[Frame, str], dict[str, float]]:
    """All columns of one path's row."""
    return row_of


@pytest.fixture
def assert_plausible() -> Callable[[Frame], None]:
    """No rate is negative or more than the machine has, in any row."""

    def check(frame: Frame) -> None:
        for name in (name for name in dir(frame) if name.endswith(("_cores", "_ratio"))):
            # Throttled time is summed over CPUs and may be credited late, in one piece.
            most = math.inf if name == "throttled_cores" else 1.0 if name.endswith("_ratio") else 66_000.0
            for value in getattr(frame, name):
                assert math.isnan(value) or 0 <= value <= most, f"{name} {value}"

    return check
