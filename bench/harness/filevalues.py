"""The baseline: cgroup values read the plain way, in Python, one open, read and parse per file.

Field names and units are those of `koord._core.Frame`, so that a value can be compared with the column of its name.
"""

from collections.abc import Callable
from pathlib import Path

from bench.harness.cgroups import Hierarchy

V1_UNLIMITED = 2**63 - 4096
"""What memory.limit_in_bytes says of a group that was never limited: the page counter's maximum, in bytes."""

Values = dict[str, float]


Reader = Callable[[Values, str], None]
"""Adds what one file's text says."""


def read_group(hierarchy: Hierarchy, folder: Path) -> Values:
    """Every value that one hierarchy's files have for one cgroup; what a file lacks is absent."""
    return read_files(files_of(hierarchy, folder))


def files_of(hierarchy: Hierarchy, folder: Path) -> list[tuple[str, Reader]]:
    """The files of one cgroup in one hierarchy, and what to make of each."""
    base, table = (V2_BASE, V2) if hierarchy.version == 2 else ([], V1)
    named = base + [entry for controller in sorted(hierarchy.controllers) for entry in table.get(controller, [])]
    return [(str(folder / name), reader) for name, reader in named]


def read_files(files: list[tuple[str, Reader]]) -> Values:
    """The values of the files that are there: the root lacks some, a kernel lacks others, PSI may be off."""
    values: Values = {}
    for path, reader in files:
        try:
            with open(path) as file:
                text = file.read()
        except OSError:
            continue
        reader(values, text)
    return values


def keyed(text: str) -> dict[str, int]:
    """A flat keyed file: one `key value` per line."""
    return {key: int(value) for key, _, value in (line.partition(" ") for line in text.splitlines())}


def v2_cpu_stat(values: Values, text: str) -> None:
    """Usage, in µs, on every v2 cgroup; throttling where the cpu controller is on."""
    stat = keyed(text)
    for field, key in (("usage_ns", "usage_usec"), ("user_ns", "user_usec"), ("system_ns", "system_usec")):
        values[field] = stat[key] * 1000
    if "nr_periods" in stat:
        values |= {name: stat[name] for name in ("nr_periods", "nr_throttled")}
        values["throttled_ns"] = stat["throttled_usec"] * 1000
    if "nr_bursts" in stat:
        values |= {"nr_bursts": stat["nr_bursts"], "burst_ns": stat["burst_usec"] * 1000}


def v1_cpu_stat(values: Values, text: str) -> None:
    """Throttling, in ns."""
    stat = keyed(text)
    values |= {name: stat[name] for name in ("nr_periods", "nr_throttled")}
    values["throttled_ns"] = stat["throttled_time"]
    if "nr_bursts" in stat:
        values |= {"nr_bursts": stat["nr_bursts"], "burst_ns": stat["burst_time"]}


def pressure(resource: str) -> Callable[[Values, str], None]:
    """The totals, in µs, of a PSI file; `full` is absent for cpu before 5.13."""

    def read(values: Values, text: str) -> None:
        for line in text.splitlines():
            kind, _, rest = line.partition(" ")
            values[f"psi_{resource}_{kind}_ns"] = int(rest.rpartition("total=")[2]) * 1000

    return read


def v2_cpu_max(values: Values, text: str) -> None:
    """Quota (`max`: none) and period, in µs."""
    quota, period = text.split()
    values |= {"quota_us": -1 if quota == "max" else int(quota), "period_us": int(period)}


def memory_stat(prefix: str) -> Callable[[Values, str], None]:
    """The items that usage with and without page cache are made of; `prefix` is v1's for hierarchical sums."""

    def read(values: Values, text: str) -> None:
        stat = keyed(text)
        for name in ("inactive_anon", "active_anon", "inactive_file", "active_file", "unevictable"):
            values[f"{name}_bytes"] = stat[prefix + name]

    return read


def number(field: str) -> Callable[[Values, str], None]:
    """A file with one number; `max` is no limit, -1."""

    def read(values: Values, text: str) -> None:
        values[field] = -1 if text.strip() == "max" else int(text)

    return read


def event(field: str, key: str) -> Callable[[Values, str], None]:
    """One line of a flat keyed file, absent where the kernel has none."""

    def read(values: Values, text: str) -> None:
        count = keyed(text).get(key)
        if count is not None:
            values[field] = count

    return read


def v1_limit(values: Values, text: str) -> None:
    """The memory limit; a group never limited has the page counter's maximum."""
    limit = int(text)
    values["memory_limit_bytes"] = -1 if limit >= V1_UNLIMITED else limit


def v1_cpuacct_stat(values: Values, text: str) -> None:
    """The exact usage, read before, in the proportion of the ticks; since 5.17 the kernel shows it so itself."""
    stat = keyed(text)
    usage = values["usage_ns"]
    values["system_ns"] = usage * stat["system"] // max(1, stat["user"] + stat["system"])
    values["user_ns"] = usage - values["system_ns"]


V2_BASE = [
    ("cpu.stat", v2_cpu_stat),
    *((f"{resource}.pressure", pressure(resource)) for resource in ("cpu", "memory", "io")),
]
V2 = {
    "cpu": [("cpu.max", v2_cpu_max)],
    "memory": [
        ("memory.current", number("memory_bytes")),
        ("memory.max", number("memory_limit_bytes")),
        ("memory.stat", memory_stat("")),
        ("memory.events", event("oom_kills", "oom_kill")),
    ],
    "pids": [("pids.current", number("tasks"))],
}
V1 = {
    "cpu": [
        ("cpu.stat", v1_cpu_stat),
        ("cpu.cfs_quota_us", number("quota_us")),
        ("cpu.cfs_period_us", number("period_us")),
    ],
    "cpuacct": [
        ("cpuacct.usage", number("usage_ns")),
        ("cpuacct.stat", v1_cpuacct_stat),
    ],
    "memory": [
        ("memory.usage_in_bytes", number("memory_bytes")),
        ("memory.limit_in_bytes", v1_limit),
        ("memory.stat", memory_stat("total_")),
        ("memory.oom_control", event("oom_kills", "oom_kill")),
    ],
    "pids": [("pids.current", number("tasks"))],
}
