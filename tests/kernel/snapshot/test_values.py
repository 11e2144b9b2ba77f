"""Every column is what the kernel's files say, whichever tier reads it."""

import math
import os
import time

import pytest

# A frame lies between the files read before and after it. PSI brought up to now weights by ns where the kernel weights
# by jiffies, with a clock that is up to one tick (10 ms at most) old; a scheduling entity is folded each tick.
SLACK_NS = {"psi": 10e6, "usage": 10e6, "user": 20e6, "system": 20e6}
# Memory is charged and its statistics are kept in per-CPU batches of up to 64 pages.
SLACK_BYTES = 64 * 4096 * (os.cpu_count() or 1) * 2

SOAK = os.environ.get("KOORD_SOAK") == "1"

MEMORY_HOG = "import time; block = bytearray(b'x' * (32 << 20)); time.sleep(600)"
WRITER = """
import os, sys
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
while True:
    os.pwrite(fd, b"x" * (4 << 20), 0)
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.pread(fd, 4 << 20, 0)
"""


@pytest.fixture
def loaded(cgroups, tmp_path, eventually, counters, gauges):
    """One group for each kind of load, each in all hierarchies."""
    throttled, memory, io, idle = (cgroups.make() for _ in range(4))
    # So little that it is throttled however busy the machine is.
    if "cpu" in throttled.dirs:
        throttled.write("cpu.cfs_quota_us", "4000")
    else:
        throttled.write("cpu.max", "4000 100000")
    throttled.spin()
    memory.python(MEMORY_HOG)
    io.python(WRITER, str(tmp_path / "data"))
    idle.run("sleep", "600")
    eventually(lambda: counters(throttled).get("nr_throttled", 1) > 0, 30)
    eventually(lambda: gauges(memory).get("memory_bytes", math.inf) > 32 << 20, 30)
    eventually((tmp_path / "data").exists, 30)
    eventually(lambda: gauges(idle).get("tasks", 1) == 1, 30)
    return {"throttled": throttled, "memory": memory, "io": io, "idle": idle}


def near(found: float, low: float, high: float, slack: float) -> bool:
    return low - slack <= found <= high + slack


@pytest.mark.parametrize("count", [1, 100, 1000] if SOAK else [1, 100])
def test_totals_lie_between_the_files_read_before_and_after(snapshotter, loaded, cgroups, counters, row, count):
    parent = cgroups.make()
    for index in range(count):
        cgroups.make(f"g{index}", parent=parent)
    watched = [*loaded.values(), *cgroups.made[-5:]]
    before = [counters(group) for group in watched]
    frame = snapshotter.collect()
    after = [counters(group) for group in watched]
    rows = [row(frame, group.path) for group in watched]
    assert len(frame) >= count
    for group, found, low, high in zip(watched, rows, before, after, strict=True):
        for column, least in low.items():
            slack = SLACK_NS.get(column.split("_")[0], 0.0)
            assert near(found[column], least, high[column], slack), (group.path, column, least, found[column], high)


def test_gauges_are_what_the_files_say(snapshotter, loaded, gauges, row):
    groups = [loaded["throttled"], loaded["memory"], loaded["idle"]]
    if (limited := groups[1]).file("memory.limit_in_bytes").exists():
        limited.write("memory.limit_in_bytes", str(256 << 20))
    else:
        limited.write("memory.max", str(256 << 20))
    time.sleep(2.5)  # statistics kept per CPU are folded every 2 s
    before = [gauges(group) for group in groups]
    frame = snapshotter.collect()
    for group, expected in zip(groups, before, strict=True):
        found = row(frame, group.path)
        for column, value in expected.items():
            slack = SLACK_BYTES if column.endswith("_bytes") and column != "memory_limit_bytes" else 0
            assert near(found[column], value, value, slack), (group.path, column, value, found[column])
    assert row(frame, groups[1].path)["memory_limit_bytes"] == 256 << 20
    assert row(frame, groups[1].path)["memory_without_page_cache_bytes"] > 32 << 20


def test_every_column_that_a_file_has_is_filled(snapshotter, loaded, counters, gauges, row):
    snapshotter.collect()
    time.sleep(0.2)
    frame = snapshotter.collect()
    group = loaded["throttled"]
    found = row(frame, group.path)
    for column in {**counters(group), **gauges(group)}:
        assert not math.isnan(found[column]), column
    for column in ("cpu_cores", "user_cores", "system_cores", "throttled_ratio", "throttled_cores"):
        assert not math.isnan(found[column]), column


def test_a_spinner_under_a_quota_shows_its_quota_as_use_and_its_throttling(
    snapshotter, loaded, row, assert_plausible, eventually
):
    def a_second() -> tuple[dict[str, float], dict[str, float]]:
        snapshotter.collect()
        time.sleep(1)
        frame = snapshotter.collect()
        assert_plausible(frame)
        return row(frame, loaded["throttled"].path), row(frame, loaded["idle"].path)

    def throttled() -> bool:
        # A machine that is busy otherwise may not let it run until its quota is used up.
        found, _ = a_second()
        return found["cpu_cores"] >= 0.01 and min(found["throttled_ratio"], found["throttled_cores"]) >= 0.3

    eventually(throttled, 30)
    found, idle = a_second()
    assert found["quota_us"] == 4_000
    assert found["period_us"] == 100_000
    assert found["cpu_cores"] <= 0.1
    assert found["user_cores"] + found["system_cores"] == pytest.approx(found["cpu_cores"], abs=0.02)
    if "unified" in loaded["throttled"].dirs and not math.isnan(found["psi_io_some_ratio"]):
        assert found["psi_cpu_some_ratio"] > 0.1
    assert idle["cpu_cores"] < 0.05
    assert idle["tasks"] == 1


def test_a_writer_that_syncs_waits_for_io(snapshotter, loaded, row, eventually):
    snapshotter.collect()

    def found() -> dict[str, float]:
        return row(snapshotter.collect(), loaded["io"].path)

    if math.isnan(found()["psi_io_some_ns"]):
        pytest.skip("this kernel accounts no pressure per cgroup")
    eventually(lambda: found()["psi_io_some_ratio"] > 0, 30)
    assert found()["psi_io_some_ns"] > 0


def test_pressure_that_a_file_was_just_read_of_does_not_jump(snapshotter, cgroups, row, counters):
    """Reading the file folds running states with a clock newer than a walk's: differences to it must not wrap."""
    group = cgroups.make()
    for _ in range(2 * (os.cpu_count() or 1)):
        group.spin()
    if "psi_cpu_some_ns" not in counters(group):
        pytest.skip("this kernel accounts no pressure per cgroup")
    for _ in range(50):
        low = counters(group)["psi_cpu_some_ns"]
        found = row(snapshotter.collect(), group.path)["psi_cpu_some_ns"]
        high = counters(group)["psi_cpu_some_ns"]
        assert near(found, low, high, SLACK_NS["psi"])


def test_an_oom_kill_is_counted(snapshotter, cgroups, row, eventually, counters):
    group = cgroups.make()
    name = "memory.limit_in_bytes" if group.file("memory.limit_in_bytes").exists() else "memory.max"
    if not group.file(name).exists():
        pytest.skip("no memory controller")
    group.write(name, str(8 << 20))
    assert row(snapshotter.collect(), group.path)["oom_kills"] == 0
    hog = group.python("import time; block = bytearray(b'x' * (64 << 20)); time.sleep(600)")
    eventually(lambda: hog.poll() is not None, 20)
    expected = counters(group)["oom_kills"]
    assert expected >= 1
    assert row(snapshotter.collect(), group.path)["oom_kills"] == expected


def test_values_do_not_need_kept_descriptors(cgroups, row):
    """Beyond RLIMIT_NOFILE's share each file is opened for its read."""
    import subprocess
    import sys

    group = cgroups.make()
    for index in range(40):
        cgroups.make(f"g{index}", parent=group)
    group.run("sleep", "600")
    code = (
        "import os, resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
        "from koord._core import Snapshotter\n"
        "reader = Snapshotter(tier='files')\n"
        "for _ in range(3): frame = reader.collect()\n"
        "key = next(key for key, path, _ in frame.rows() if path == sys.argv[1])\n"
        "print(len(os.listdir('/proc/self/fd')), frame.tasks[frame.index(key)])\n"
    )
    output = subprocess.run([sys.executable, "-c", code, group.path], check=True, capture_output=True, text=True).stdout
    descriptors, tasks = output.split()
    assert int(descriptors) < 64
    assert float(tasks) == 1
