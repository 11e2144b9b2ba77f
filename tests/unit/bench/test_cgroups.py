"""Cgroups made for a measurement: found hierarchies, made in each, removed again whatever happens."""

import os

import pytest

from bench.harness.cgroups import Hierarchy, Tree, hierarchies, machine_hierarchies
from bench.harness.filevalues import V1_UNLIMITED, Values, read_group
from bench.harness.load import Job, running

MOUNTINFO = """\
25 1 0:24 / /sys/fs/cgroup ro,nosuid - tmpfs tmpfs ro,mode=755
26 25 0:25 / /nowhere/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
27 25 0:26 / /nowhere/systemd rw - cgroup none rw,name=systemd
28 25 0:27 / /nowhere/unified rw shared:4 master:1 - cgroup2 cgroup2 rw,nsdelegate
"""


def test_finds_v1_controllers_named_hierarchies_and_the_v2_tree():
    assert [(str(found.mount), found.version, found.controllers) for found in hierarchies(MOUNTINFO)] == [
        ("/nowhere/unified", 2, frozenset()),
        ("/nowhere/cpu,cpuacct", 1, {"cpu", "cpuacct"}),
        ("/nowhere/systemd", 1, {"name=systemd"}),
    ]


@pytest.fixture
def tree():
    mounts = machine_hierarchies()
    if os.geteuid() != 0 or not mounts:
        pytest.skip("making cgroups needs root and a mounted hierarchy")
    with Tree(mounts, f"koord-test-bench-{os.getpid()}") as made:
        yield made


def test_makes_each_cgroup_in_every_hierarchy_and_removes_all_of_them(tree):
    tree.make(["a", "a/b"])
    folders = [folder for name in ("", "a", "a/b") for folder in tree.folders(name)]
    assert all(folder.is_dir() for folder in folders)
    tree.remove()
    assert not any(folder.exists() for folder in folders)


def test_load_processes_are_in_their_cgroups_until_the_context_ends(tree):
    tree.make(["idle", "busy"])
    with running([Job(0, tree.folders("idle")), Job(0.5, tree.folders("busy"))]) as (idle, busy):
        for pid, name in ((idle, "idle"), (busy, "busy")):
            for folder in tree.folders(name):
                assert (folder / "cgroup.procs").read_text().split() == [str(pid)]
    assert not os.path.exists(f"/proc/{idle}")
    assert not os.path.exists(f"/proc/{busy}")


def test_load_that_cannot_join_its_cgroup_is_an_error(tmp_path):
    with pytest.raises(RuntimeError, match="did not start"), running([Job(0, [tmp_path / "absent"])]):
        pass


def test_reads_the_values_of_v2_files(tmp_path):
    (tmp_path / "cpu.stat").write_text(
        "usage_usec 5\nuser_usec 3\nsystem_usec 2\nnr_periods 7\nnr_throttled 1\nthrottled_usec 9\n"
    )
    (tmp_path / "cpu.pressure").write_text("some avg10=0.00 avg60=0.00 avg300=0.00 total=11\n")
    (tmp_path / "cpu.max").write_text("max 100000\n")
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.events").write_text("low 0\noom 2\noom_kill 1\n")
    values = read_group(Hierarchy(tmp_path, 2, frozenset({"cpu", "memory"})), tmp_path)
    expected: Values = {
        "usage_ns": 5000,
        "user_ns": 3000,
        "system_ns": 2000,
        "nr_periods": 7,
        "nr_throttled": 1,
        "throttled_ns": 9000,
        "psi_cpu_some_ns": 11000,
        "quota_us": -1,
        "period_us": 100000,
        "memory_limit_bytes": -1,
        "oom_kills": 1,
    }
    assert values == expected


def test_reads_the_values_of_v1_files(tmp_path):
    (tmp_path / "cpuacct.usage").write_text("123\n")
    (tmp_path / "cpuacct.stat").write_text("user 2\nsystem 1\n")
    (tmp_path / "cpu.stat").write_text("nr_periods 7\nnr_throttled 1\nthrottled_time 9\nnr_bursts 2\nburst_time 4\n")
    (tmp_path / "cpu.cfs_quota_us").write_text("-1\n")
    values = read_group(Hierarchy(tmp_path, 1, frozenset({"cpu", "cpuacct"})), tmp_path)
    expected: Values = {
        "usage_ns": 123,
        "user_ns": 82,
        "system_ns": 41,
        "nr_periods": 7,
        "nr_throttled": 1,
        "throttled_ns": 9,
        "nr_bursts": 2,
        "burst_ns": 4,
        "quota_us": -1,
    }
    assert values == expected
    (tmp_path / "memory.limit_in_bytes").write_text(f"{V1_UNLIMITED}\n")
    assert read_group(Hierarchy(tmp_path, 1, frozenset({"memory"})), tmp_path) == {"memory_limit_bytes": -1}
