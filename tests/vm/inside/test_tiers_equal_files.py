"""Every tier reads from the same loaded cgroups what their files say, column by column.

Times mean nothing under emulation, so nothing here is about how long or how much: a value is compared with its file
read just before and just after it, and with the file alone once nothing runs any more.
"""

import math
import os
import time
from collections.abc import Mapping

import pytest

from bench.harness.cgroups import Tree, machine_hierarchies, set_memory_limit, set_quota
from bench.harness.filevalues import Values, read_group
from bench.harness.load import Job, running
from koord._core import Frame, Snapshotter
from tools.capability_table import CAPABILITY, row

TIERS = ("bpf-css", "bpf-iter", "files")
GROUPS = ("pod", "pod/container", "throttled", "limited", "idle", "empty")

RESOURCES = ("cpu", "memory", "io")
STATISTICS = ("inactive_anon", "active_anon", "inactive_file", "active_file", "unevictable")

US = 1_000
TICKS = 20_000_000 * (os.cpu_count() or 1)
BATCHED = 64 * 4096 * (os.cpu_count() or 1)
"""Memory statistics reach a group's total in batches of up to 64 pages a CPU."""

TOLERANCE = {
    # Files count in µs, rounded down; PSI is weighted by whole jiffies there and by ns here.
    "usage_ns": US,
    "user_ns": TICKS,
    "system_ns": TICKS,
    "throttled_ns": US,
    "burst_ns": US,
    **{f"psi_{resource}_{kind}_ns": 2_000 * US for resource in RESOURCES for kind in ("some", "full")},
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
        Job(1, tree.folders("pod/container")),
        Job(0.5, tree.folders("pod/container")),
        Job(1, tree.folders("throttled")),
        Job(0.2, tree.folders("limited")),
        Job(0, tree.folders("idle")),
    ]


@pytest.fixture(params=TIERS)
def snapshotter(request, record_property) -> Snapshotter:
    """The snapshotter of one tier; a tier that this kernel has not is a skip with the reason that the reader gives."""
    reader = Snapshotter(tier=request.param)
    reader.collect()
    served = {source.tier for source in reader.sources()}
    reasons = sorted({source.reason for source in reader.sources() if source.tier != request.param and source.reason})
    record_property(CAPABILITY, row("all", request.param if request.param in served else "-", "; ".join(reasons)))
    if request.param not in served:
        pytest.skip(f"{request.param} serves nothing here: {'; '.join(reasons)}")
    return reader


def from_files(tree: Tree, name: str) -> Values:
    values: Values = {}
    for hierarchy in tree.over:
        values |= read_group(hierarchy, tree.folder(hierarchy, name))
    return values


def from_frame(frame: Frame, tree: Tree, name: str) -> dict[str, float]:
    path = f"/{tree.top}/{name}"
    keys = {known: key for key, known, _ in frame.rows()}
    index = frame.index(keys[path])
    return {column: getattr(frame, column)[index] for column in COLUMNS}


COLUMNS = [
    *("usage_ns", "user_ns", "system_ns", "nr_periods", "nr_throttled", "throttled_ns", "nr_bursts", "burst_ns"),
    *(f"psi_{resource}_{kind}_ns" for resource in RESOURCES for kind in ("some", "full")),
    *("quota_us", "period_us", "memory_bytes", "memory_limit_bytes", "tasks", "oom_kills"),
    *(f"{kind}_bytes" for kind in STATISTICS),
]


def differences(got: Mapping[str, float], before: Values, after: Values) -> list[str]:
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


def test_while_loads_run_every_column_lies_between_two_readings_of_its_file(snapshotter, tree):
    with running(jobs(tree)):
        time.sleep(2)
        before = {name: from_files(tree, name) for name in GROUPS}
        frame = snapshotter.collect()
        after = {name: from_files(tree, name) for name in GROUPS}
    assert {name: differences(from_frame(frame, tree, name), before[name], after[name]) for name in GROUPS} == {
        name: [] for name in GROUPS
    }


def test_once_the_loads_have_ended_every_column_equals_its_file(snapshotter, tree):
    with running(jobs(tree)):
        time.sleep(2)
    # The snapshot comes first: reading a PSI file brings the kernel's totals up to date for every reader.
    frame = snapshotter.collect()
    after = {name: from_files(tree, name) for name in GROUPS}
    assert {name: differences(from_frame(frame, tree, name), after[name], after[name]) for name in GROUPS} == {
        name: [] for name in GROUPS
    }


def test_a_throttled_group_shows_throttled_periods_and_its_neighbours_none(snapshotter, tree):
    with running(jobs(tree)):
        time.sleep(2)
        frame = snapshotter.collect()
    assert from_frame(frame, tree, "throttled")["nr_throttled"] > 0
    assert from_frame(frame, tree, "throttled")["throttled_ns"] > 0
    for name in ("pod/container", "limited", "idle"):
        assert from_frame(frame, tree, name)["nr_throttled"] == 0


def test_a_pod_has_used_what_its_containers_used(snapshotter, tree):
    with running(jobs(tree)):
        time.sleep(1)
    frame = snapshotter.collect()
    pod, container = (from_frame(frame, tree, name)["usage_ns"] for name in ("pod", "pod/container"))
    assert container > 0
    assert pod == pytest.approx(container, abs=US)


def test_only_a_v2_tree_has_pressure(snapshotter, tree):
    frame = snapshotter.collect()
    has_v2 = any(hierarchy.version == 2 for hierarchy in tree.over)
    for column in COLUMNS:
        if column.startswith("psi_"):
            assert math.isnan(from_frame(frame, tree, "pod")[column]) is not has_v2
