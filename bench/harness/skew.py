"""How far a snapshot is from the files read right after it, on one busy and throttled cgroup."""

import time
from collections.abc import Sequence
from statistics import median
from typing import Literal

from bench.harness.cgroups import Hierarchy, Tree
from bench.harness.filevalues import read_group
from bench.harness.result import Result, judged, not_measurable
from koord._core import Snapshotter

SAMPLES, GAP_SECONDS = 9, 0.15
"""A gap comes before each: reading a PSI file brings the kernel's own totals up to date."""

Group = Literal["cpu_usage", "throttling", "psi"]

PRESSURE = [f"psi_{resource}_{kind}_ns" for resource in ("cpu", "memory", "io") for kind in ("some", "full")]


def skew_results(tree: Tree, name: str) -> list[Result]:
    """Medians of |file - snapshot| for CPU usage, throttled periods and pressure totals.

    Each is compared with the hierarchy that the snapshot took it from, whose files are read first after it.
    """
    snapshotter = Snapshotter()
    frame = snapshotter.collect()
    key = next(key for key, path, _ in frame.rows() if path == f"/{tree.top}/{name}")
    supplier = {group: source.hierarchy for group, source in frame.sources(key).items()}
    hierarchy = {group: next(it for it in tree.over if str(it.mount) == mount) for group, mount in supplier.items()}
    why = f"median of {SAMPLES}"

    def of(group: Group, columns: Sequence[str]) -> float:
        return skew(snapshotter, tree, name, key, hierarchy[group], columns)

    return [
        judged("usage_skew_us", of("cpu_usage", ["usage_ns"]) / 1e3, "µs", "<=", 50, why),
        judged("throttled_skew", of("throttling", ["nr_throttled"]), "periods", "<=", 0, why),
        judged("psi_skew_us", of("psi", PRESSURE) / 1e3, "µs", "<=", 2000, f"{why}; the worst of six totals")
        if "psi" in hierarchy
        else not_measurable("psi_skew_us", "µs", "<=", 2000, "pressure per cgroup needs a v2 tree"),
    ]


def skew(
    snapshotter: Snapshotter, tree: Tree, name: str, key: int, hierarchy: Hierarchy, columns: Sequence[str]
) -> float:
    """The largest of the columns' median differences between a snapshot and the files read right after it."""
    differences: list[list[float]] = []
    for _ in range(SAMPLES):
        time.sleep(GAP_SECONDS)
        frame = snapshotter.collect()
        files = read_group(hierarchy, tree.folder(hierarchy, name))
        row = frame.index(key)
        differences.append([abs(files[column] - getattr(frame, column)[row]) for column in columns if column in files])
    return max((median(values) for values in zip(*differences, strict=True)), default=0)
