"""How far a snapshot is from the files read right after it, on one busy and throttled cgroup."""

import time
from statistics import median

from bench.harness.cgroups import Tree
from bench.harness.filevalues import Values, read_group
from bench.harness.result import Result, judged
from koord._core import Snapshotter

SAMPLES, GAP_SECONDS = 9, 0.41
"""A quiet gap comes before each: reading a PSI file brings the kernel's own totals up to date."""

PRESSURE = [f"psi_{resource}_{kind}_ns" for resource in ("cpu", "memory", "io") for kind in ("some", "full")]


def skew_results(tree: Tree, name: str) -> list[Result]:
    """Medians of |file - snapshot| for CPU usage, throttled periods and pressure totals."""
    snapshotter = Snapshotter()
    differences: list[dict[str, float]] = []
    for _ in range(SAMPLES):
        time.sleep(GAP_SECONDS)
        frame = snapshotter.collect()
        files: Values = {}
        for hierarchy in tree.over:
            files |= read_group(hierarchy, tree.folder(hierarchy, name))
        index = next(row for row, (_, path, _) in enumerate(frame.rows()) if path == f"/{tree.top}/{name}")
        differences.append({column: abs(files[column] - getattr(frame, column)[index]) for column in files})
    psi = max((middle(differences, column) for column in PRESSURE if column in differences[0]), default=0)
    why = f"median of {SAMPLES}"
    return [
        judged("usage_skew_us", middle(differences, "usage_ns") / 1e3, "µs", "<=", 50, why),
        judged("throttled_skew", middle(differences, "nr_throttled"), "periods", "<=", 0, why),
        judged("psi_skew_us", psi / 1e3, "µs", "<=", 2000, f"{why}; the worst of the six totals"),
    ]


def middle(differences: list[dict[str, float]], column: str) -> float:
    """The median difference of one column, in its own unit."""
    return median(values[column] for values in differences)
