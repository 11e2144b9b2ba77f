"""CPU use of a group that exists only in v1's cpu hierarchy."""

import pytest


@pytest.fixture
def hierarchies_apart(cgroups):
    mounts = cgroups.mounts
    if "cpu" not in mounts or mounts["cpu"] == mounts.get("cpuacct"):
        pytest.skip("needs v1's cpu and cpuacct hierarchies mounted apart")


def test_it_is_what_cpuacct_says_of_the_same_process(
    snapshotter, cgroups, row, counters, eventually, hierarchies_apart
):
    twin = cgroups.make(only=("cpuacct",))
    parent = cgroups.make(only=("cpu",))
    group = cgroups.make("inner", parent=parent, only=("cpu",))
    spinner = twin.spin()
    (group.dirs["cpu"] / "cgroup.procs").write_text(str(spinner.pid))
    first = snapshotter.collect()
    start = row(first, twin.path)["usage_ns"]
    # However long a busy machine takes for it.
    eventually(lambda: counters(twin)["usage_ns"] > start + 200e6, 30)
    second = snapshotter.collect()
    used = row(second, group.path)["usage_ns"] - row(first, group.path)["usage_ns"]
    expected = row(second, twin.path)["usage_ns"] - row(first, twin.path)["usage_ns"]
    assert expected > 100e6
    # A scheduling entity is folded each tick, of 10 ms at most, at either end, and a pass may be interrupted between.
    slack_ns = 25e6 + first.duration_ns + second.duration_ns
    assert used == pytest.approx(expected, abs=slack_ns)
    slack = 0.05 + slack_ns / (second.monotonic_ns - first.monotonic_ns)
    cores, expected_cores = row(second, group.path)["cpu_cores"], row(second, twin.path)["cpu_cores"]
    assert cores == pytest.approx(expected_cores, abs=slack)
    above = row(second, parent.path)["cpu_cores"]
    assert above == pytest.approx(expected_cores, abs=slack)
    key = next(key for key, path, _ in second.rows() if path == group.path)
    source = second.sources(key)["cpu_usage"]
    assert source.hierarchy == str(cgroups.mounts["cpu"])
    assert source.source in {"/proc/TID/schedstat", "task_group.se.sum_exec_runtime"}
