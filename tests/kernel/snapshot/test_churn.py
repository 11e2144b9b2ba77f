"""Short-lived cgroups: series stay bounded, their CPU time is accounted (ebpf_exporter#460: unknown ids)."""

import os
import subprocess
import sys
import time

import pytest

SOAK = os.environ.get("KOORD_SOAK") == "1"
GROUPS, SECONDS = (2000, 60.0) if SOAK else (300, 9.0)

# Makes, uses for 5 ms and removes one group after the other; says how many.
CHURN = """
import os, sys, time
parents, count, seconds = sys.argv[1].split(":"), int(sys.argv[2]), float(sys.argv[3])
start = time.monotonic()
for number in range(count):
    directories = [f"{parent}/short-{number}" for parent in parents]
    for directory in directories:
        os.mkdir(directory)
    child = os.fork()
    if not child:
        for directory in directories:
            with open(directory + "/cgroup.procs", "w") as file:
                file.write("0")
        end = time.thread_time() + 0.005
        while time.thread_time() < end:
            pass
        os._exit(0)
    os.waitpid(child, 0)
    for directory in directories:
        while True:
            try:
                os.rmdir(directory)
                break
            except OSError:
                time.sleep(0.001)
    time.sleep(max(0.0, start + (number + 1) * seconds / count - time.monotonic()))
"""


def below(frame, path):
    return sum(at.startswith(path + "/") for _, at, _ in frame.rows())


@pytest.mark.timeout(180)
def test_series_stay_bounded_and_the_time_of_short_lived_groups_is_accounted(
    snapshotter, cgroups, row, assert_plausible
):
    usage = tuple(key for key in ("unified", "cpuacct") if key in cgroups.mounts)
    parent = cgroups.make(only=usage)
    steady = cgroups.make("steady", parent=parent, only=usage)
    steady.run("sleep", "600")
    snapshotter.collect()
    first = snapshotter.collect()
    used_before = row(first, parent.path)["usage_ns"]
    parents = ":".join(str(directory) for directory in parent.procs_dirs())
    churn = subprocess.Popen([sys.executable, "-S", "-c", CHURN, parents, str(GROUPS), str(SECONDS)])
    most, shown = 0, 0
    try:
        while churn.poll() is None:
            frame = snapshotter.collect()
            assert_plausible(frame)
            most = max(most, below(frame, parent.path))
            shown += sum(path.startswith(parent.path + "/short-") for _, path, _ in frame.appeared)
            time.sleep(0.2)
    finally:
        churn.kill()
        assert churn.wait() == 0
    snapshotter.collect()
    last = snapshotter.collect()
    assert below(last, parent.path) == 1
    assert most <= 8
    assert shown < GROUPS
    total = row(last, parent.path)
    used = total["usage_ns"] - used_before
    assert used >= GROUPS * 5e6
    living = row(last, steady.path)["usage_ns"]
    assert total["gone_ns"] == pytest.approx(used - living, rel=0.02)


def test_groups_made_and_removed_during_a_pass_harm_nothing(snapshotter, cgroups):
    parent = cgroups.make(only=("unified", "cpu", "cpuacct", "memory", "pids"))
    parents = ":".join(str(directory) for directory in parent.procs_dirs())
    churn = subprocess.Popen([sys.executable, "-S", "-c", CHURN, parents, "60", "0"])
    frames = 0
    while churn.poll() is None:
        for key, path, _ in snapshotter.collect().appeared:
            assert key
            assert path.startswith("/")
        frames += 1
    assert churn.wait() == 0
    assert frames > 2
