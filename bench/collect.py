"""Snapshots of every cgroup: BPF tiers, Rust files and Python files side by side, at 100, 1,000 and 5,000 cgroups."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.harness.cgroups import Hierarchy, Tree, machine_hierarchies, set_quota
from bench.harness.core import load_cost
from bench.harness.filevalues import files_of, read_files
from bench.harness.load import Job, running
from bench.harness.mkdirs import mkdir_p95_us
from bench.harness.result import Result, judged, not_measurable, printed
from bench.harness.skew import skew_results
from bench.harness.timing import Timing, interleaved
from bench.harness.wheel import wheel_results
from koord._core import Frame, Snapshotter

SIZES, JUDGED_SIZE = (100, 1_000, 5_000), 1_000
ACTIVE, DUTY = 40, 0.01
BUDGET_SECONDS = {100: 0.5, 1_000: 3.0, 5_000: 1.5}
"""Time for each variant at each size; the slow ones then run less often than the fast ones."""

RUN_SECONDS, QUICK_SECONDS = 35, 0.5
"""A slow pass that would end after RUN_SECONDS is left out: the whole ends within 50 s on a busy machine, too."""

NOT_TIMED = "no v2 tree, or no time left on this busy machine"

FIELD_CONTROLLERS = {"cpu", "cpuacct", "memory", "pids"}
"""The v1 hierarchies that supply fields of a row."""


def measure(machine: dict[str, str | float]) -> list[Result]:
    """Every row, in the order of the table of targets. Needs root."""
    deadline = time.monotonic() + RUN_SECONDS
    hierarchies = field_hierarchies()
    names = [f"group{number}" for number in range(SIZES[-1])]
    with Tree(hierarchies, f"koord-bench-{os.getpid()}") as tree:
        tree.make(names[: SIZES[0]])
        with running(activity(tree, names)):
            skews = skew_results(tree, names[0])
            timings = time_each_size(tree, names, deadline)
        everything = Snapshotter()
        machine["cgroups"] = len(everything.collect())
        machine["tier"] = best_tier(everything)
        contention = contention_result(tree.folder(hierarchies[0], ""), everything)
    results = [*targeted(timings, hierarchies), contention, *skews, *load_cost(), *wheel_results(Path("dist"))]
    return [*results, *side_by_side(timings)]


def time_each_size(tree: Tree, names: Sequence[str], deadline: float) -> dict[int, dict[str, Timing]]:
    """Grow the tree from size to size; time every variant at each, but slow ones that would run past the deadline."""
    timings: dict[int, dict[str, Timing]] = {}
    before = SIZES[0]
    for size in SIZES:
        tree.make(names[before:size])
        operations = variants(tree, names[:size])
        for name, smaller in timings.get(before, {}).items():
            expected_seconds = smaller.wall_ms / 1e3 * size / before
            late = time.monotonic() + expected_seconds > deadline
            if late and size != JUDGED_SIZE and expected_seconds > QUICK_SECONDS:
                del operations[name]
        timings[size] = interleaved(operations, budget_seconds=BUDGET_SECONDS[size])
        before = size
    return timings


def field_hierarchies() -> list[Hierarchy]:
    """The hierarchies that supply fields of a row, the v2 tree first."""
    return [
        hierarchy
        for hierarchy in machine_hierarchies()
        if hierarchy.version == 2 or hierarchy.controllers & FIELD_CONTROLLERS
    ]


def activity(tree: Tree, names: Sequence[str]) -> list[Job]:
    """One throttled busy process, and some that are busy now and then, in the first cgroups."""
    set_quota(tree, names[0], quota_us=10_000, period_us=100_000)
    return [Job(1, tree.folders(names[0])), *(Job(DUTY, tree.folders(name)) for name in names[1 : 1 + ACTIVE])]


def variants(tree: Tree, names: Sequence[str]) -> dict[str, Callable[[], object]]:
    """Every way to read the cgroups: of the v2 tree alone, and of all hierarchies with every field."""
    v2 = [hierarchy for hierarchy in tree.over if hierarchy.version == 2]
    found: dict[str, Callable[[], object]] = {}
    if v2:
        root = str(v2[0].mount)
        found["v2_css_plain"] = Snapshotter(root=root, tier="bpf-css", exact_psi=False).collect
        found["v2_css_exact"] = Snapshotter(root=root, tier="bpf-css").collect
        found["v2_iter_exact"] = Snapshotter(root=root, tier="bpf-iter").collect
        found["v2_files"] = Snapshotter(root=root, tier="files").collect
    everything = Snapshotter()
    found["all_bpf"] = everything.collect
    found["all_files"] = Snapshotter(tier="files").collect
    for operation in found.values():
        operation()  # what is found on first sight is no part of a pass
    if v2:
        found["v2_python"] = python_files(tree, v2, names)
    found["all_python"] = python_files(tree, tree.over, names)
    frame = everything.collect()
    columns = [name for name in vars(Frame) if isinstance(getattr(frame, name), memoryview)]
    found["columns"] = lambda: [getattr(frame, column) for column in columns]
    return found


def python_files(tree: Tree, over: Sequence[Hierarchy], names: Sequence[str]) -> Callable[[], object]:
    """The baseline: known paths, one open, read and parse per file."""
    groups = [
        [file for hierarchy in over for file in files_of(hierarchy, tree.folder(hierarchy, name))] for name in names
    ]
    return lambda: [read_files(files) for files in groups]


def best_tier(snapshotter: Snapshotter) -> str:
    """The best tier that serves any field here."""
    served = {source.tier for source in snapshotter.sources()}
    return next((tier for tier in ("bpf-css", "bpf-iter", "files") if tier in served), "none")


def targeted(timings: dict[int, dict[str, Timing]], hierarchies: Sequence[Hierarchy]) -> list[Result]:
    """The passes that have a target."""
    at_1000, at_5000 = timings[1_000], timings[5_000]
    files = sum(len(files_of(hierarchy, Path())) for hierarchy in hierarchies)
    one_v2_tree = all(hierarchy.version == 2 for hierarchy in hierarchies)
    full, mixed = ("snapshot_1000_full_ms", 0.6), ("snapshot_1000_v1v2_ms", 3.5)
    return [
        in_time("snapshot_1000_plain_ms", at_1000, "v2_css_plain", 0.15),
        in_time("snapshot_1000_exact_ms", at_1000, "v2_css_exact", 0.40),
        in_time(full[0], at_1000, "all_bpf", full[1])
        if one_v2_tree
        else not_measurable(full[0], "ms", "<=", full[1], "controllers on v1"),
        not_measurable(mixed[0], "ms", "<=", mixed[1], "no controllers on v1")
        if one_v2_tree
        else in_time(mixed[0], at_1000, "all_bpf", mixed[1]),
        in_time("snapshot_1000_iter_ms", at_1000, "v2_iter_exact", 0.6),
        in_time("snapshot_5000_plain_ms", at_5000, "v2_css_plain", 1.0),
        in_time("files_1000_ms", at_1000, "all_files", 0.003 * 1_000 * files, f"{files} files a cgroup, 3 µs each"),
        baseline("python_files_1000_ms", at_1000, "all_python"),
        faster("speedup_vs_python_1000", at_1000, "all_python", "all_bpf", 150 if one_v2_tree else 40),
        faster("speedup_vs_rust_files_1000", at_1000, "all_files", "all_bpf", 18 if one_v2_tree else 5),
        in_time("columns_to_python_1000_ms", at_1000, "columns", 0.03, "every column of a frame"),
    ]


def in_time(name: str, timings: dict[str, Timing], variant: str, target_ms: float, why: str = "") -> Result:
    """A pass with a time limit; its wall time counts."""
    if variant not in timings:
        return not_measurable(name, "ms", "<=", target_ms, NOT_TIMED)
    timing = timings[variant]
    return judged(name, timing.wall_ms, "ms", "<=", target_ms, f"{why}; {timing}" if why else str(timing))


def baseline(name: str, timings: dict[str, Timing], variant: str) -> Result:
    """A pass that others are compared with."""
    if variant not in timings:
        return Result(name, None, "ms", None, None, f"not measurable: {NOT_TIMED}")
    return printed(name, timings[variant].wall_ms, "ms", f"baseline; {timings[variant]}")


def faster(name: str, timings: dict[str, Timing], slow: str, fast: str, target: float) -> Result:
    """How many times faster one pass over the same fields is than another."""
    if slow not in timings or fast not in timings:
        return not_measurable(name, "x", ">=", target, NOT_TIMED)
    return judged(name, timings[slow].wall_ms / timings[fast].wall_ms, "x", ">=", target, "same fields on both sides")


def contention_result(parent: Path, snapshotter: Snapshotter) -> Result:
    """How much longer making a cgroup takes while passes over all cgroups follow one another."""
    name, limit = "mkdir_p95_during_walk_us", 2
    idle = mkdir_p95_us(parent)
    walking = mkdir_p95_us(parent, snapshotter.collect)
    return judged(name, walking, "µs", "<=", limit * idle, f"{limit} x the {idle:.0f} µs without a walk")


def side_by_side(timings: dict[int, dict[str, Timing]]) -> list[Result]:
    """Every variant at every size."""
    return [
        printed(f"{variant}_{size}_ms", timing.wall_ms, "ms", str(timing))
        for size, variants_timed in timings.items()
        for variant, timing in variants_timed.items()
    ]
