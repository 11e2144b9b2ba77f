"""Every tier reads from the same loaded cgroups what their files say, column by column.

Times mean nothing under emulation, so nothing here is about how long or how much: a value is compared with its file
read just before and just after it, and with the file alone once nothing runs any more.
"""

import math
import os
import time
from dataclasses import dataclass

import pytest

from bench.harness.cgroups import Tree, machine_hierarchies, set_memory_limit, set_quota
from bench.harness.filevalues import Values, read_group
from bench.harness.load import Job, running
from koord._core import Snapshotter
from tools.capability_table import CAPABILITY, row

TIERS = ("bpf-css", "bpf-iter", "files")
GROUPS = ("pod", "pod/container", "throttled", "limited", "idle", "empty")

RESOURCES = ("cpu", "memory", "io")
STATISTICS = ("inactive_anon", "active_anon", "inactive_file", "active_file", "unevictable")

LOAD_SECONDS = 1.5

US = 1_000
TICKS = 20_000_000 * (os.cpu_count() or 1)
BATCHED = 64 * 4096 * (os.cpu_count() or 1)
"""Memory statistics reach a group's total in batches of up to 64 pages a CPU."""

TOLERANCE = {
    # Files count in µs, rounded down; PSI is weighted by whole jiffies there and by ns here, and an emulated CPU may be
    # off its host for several jiffies between the two readings.
    "usage_ns": US,
    "user_ns": TICKS,
    "system_ns": TICKS,
    "throttled_ns": US,
    "burst_ns": US,
    **{f"psi_{resource}_{kind}_ns": 50_000 * US for resource in RESOURCES for kind in ("some", "full")},
    **{f"{kind}_bytes": BATCHED for kind in STATISTICS},
    "memory_bytes": BATCHED,
}
"""How far a column may be from its file; the others equal it."""


@pytest.fixture(scope="module")
def tree():
    with Tree(machine_hierarchies(), f"koord-test-tiers-{os.getpid()}") as made:
        enable_v2_controllers(made, "")
        made.make(GROUPS[:1])
        enable_v2_controllers(made, GROUPS[0])
        made.make(GROUPS[1:])
        set_quota(made, "throttled", quota_us=20_000, period_us=100_000)
        set_memory_limit(made, "limited", 64 << 20)
        yield made


def enable_v2_controllers(tree: Tree, name: str) -> None:
    for hierarchy in tree.over:
        if hierarchy.version == 2:
            text = " ".join(f"+{controller}" for controller in hierarchy.controllers)
            (tree.folder(hierarchy, name) / "cgroup.subtree_control").write_text(text)


def jobs(tree: Tree) -> list[Job]:
    return [
        Job(0.4, tree.folders("pod/container")),
        Job(0.2, tree.folders("pod/container")),
        Job(1, tree.folders("throttled")),
        Job(0.2, tree.folders("limited")),
        Job(0, tree.folders("idle")),
    ]


@dataclass(frozen=True)
class Observed:
    """What one tier and the files said of each group: while loads ran, and once they had ended."""

    tree: Tree
    snapshotter: Snapshotter
    before: dict[str, Values]
    running: dict[str, Values]
    after: dict[str, Values]
    quiet: dict[str, Values]
    quiet_files: dict[str, Values]


@pytest.fixture(scope="module", params=TIERS)
def observed(request, tree) -> Observed:
    """Load the groups and read them by one tier; a tier that this kernel has not is a skip with the reader's reason."""
    snapshotter = Snapshotter(tier=request.param)
    with running(jobs(tree)):
        time.sleep(LOAD_SECONDS)
        before = from_files(tree)
        during = from_snapshot(snapshotter, tree)
        after = from_files(tree)
    # A quota's timer counts one more period after the last use.
    time.sleep(0.3)
    # The snapshot comes first: reading a PSI file brings the kernel's totals up to date for every reader.
    quiet = from_snapshot(snapshotter, tree)
    return Observed(tree, snapshotter, before, during, after, quiet, from_files(tree))


@pytest.fixture
def tier(request, observed, record_property) -> Observed:
    """The observation of a tier that serves something here; recorded for the table of tiers."""
    asked = request.node.callspec.params["observed"]
    sources = observed.snapshotter.sources()
    reasons = "; ".join(sorted({source.reason for source in sources if source.tier != asked and source.reason}))
    serves = any(source.tier == asked for source in sources)
    record_property(CAPABILITY, row("all", asked if serves else "-", reasons))
    if not serves:
        pytest.skip(f"{asked} serves nothing here: {reasons}")
    return observed


def from_files(tree: Tree) -> dict[str, Values]:
    values: dict[str, Values] = {name: {} for name in GROUPS}
    for name in GROUPS:
        for hierarchy in tree.over:
            values[name] |= read_group(hierarchy, tree.folder(hierarchy, name))
    return values


def from_snapshot(snapshotter: Snapshotter, tree: Tree) -> dict[str, Values]:
    frame = snapshotter.collect()
    rows = {path: number for number, (_, path, _) in enumerate(frame.rows())}
    places = {name: rows[f"/{tree.top}/{name}"] for name in GROUPS}
    return {name: {column: getattr(frame, column)[place] for column in COLUMNS} for name, place in places.items()}


COLUMNS = [
    *("usage_ns", "user_ns", "system_ns", "nr_periods", "nr_throttled", "throttled_ns", "nr_bursts", "burst_ns"),
    *(f"psi_{resource}_{kind}_ns" for resource in RESOURCES for kind in ("some", "full")),
    *("quota_us", "period_us", "memory_bytes", "memory_limit_bytes", "tasks", "oom_kills"),
    *(f"{kind}_bytes" for kind in STATISTICS),
]


def differences(got: Values, before: Values, after: Values) -> list[str]:
    """The columns that are outside what the files said before and after, or that have a value only on one side."""
    wrong: list[str] = []
    for column, value in got.items():
        if column not in after:
            if not math.isnan(value):
                wrong.append(f"{column}: {value:.0f}, no file has it")
            continue
        slack = TOLERANCE.get(column, 0)
        low, high = sorted((before[column], after[column]))
        if not low - slack <= value <= high + slack:
            wrong.append(f"{column}: {value:.0f}, files {before[column]:.0f} to {after[column]:.0f}")
    return wrong


def all_differences(
    got: dict[str, Values], before: dict[str, Values], after: dict[str, Values]
) -> dict[str, list[str]]:
    found = {name: differences(got[name], before[name], after[name]) for name in GROUPS}
    return {name: columns for name, columns in found.items() if columns}


def test_while_loads_run_every_column_lies_between_two_readings_of_its_file(tier):
    assert all_differences(tier.running, tier.before, tier.after) == {}


def test_once_the_loads_have_ended_every_column_equals_its_file(tier):
    assert all_differences(tier.quiet, tier.quiet_files, tier.quiet_files) == {}


def test_a_throttled_group_shows_throttled_periods_and_its_neighbours_none(tier):
    assert tier.quiet["throttled"]["nr_throttled"] > 0
    assert tier.quiet["throttled"]["throttled_ns"] > 0
    for name in ("pod/container", "limited", "idle"):
        assert tier.quiet[name]["nr_throttled"] == 0


def test_a_pod_has_used_what_its_containers_used(tier):
    assert tier.quiet["pod/container"]["usage_ns"] > 0
    assert tier.quiet["pod"]["usage_ns"] == pytest.approx(tier.quiet["pod/container"]["usage_ns"], abs=US)


def test_only_a_v2_tree_has_pressure(tier):
    has_v2 = any(hierarchy.version == 2 for hierarchy in tier.tree.over)
    for column in COLUMNS:
        if column.startswith("psi_") and column != "psi_cpu_full_ns":  # 5.13 and later
            assert math.isnan(tier.quiet["pod"][column]) is not has_v2
