"""A process that somebody throttles turns up in `koord top` with the right numbers."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent
FIELDS = {
    "cgroup", "kind", "name", "qos", "cpu_cores", "throttled_ratio", "psi_cpu_some", "psi_memory_full", "psi_io_full",
    "memory_bytes", "source",
}  # fmt: skip
UID = "7712555c-ce62-454a-9e18-9ff0217b8941"


def koord(*arguments):
    return subprocess.run([f"{BIN}/koord", *arguments], capture_output=True, text=True, timeout=60, check=False)


def top(*arguments):
    done = koord("top", "--once", "--output", "json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def row_of(table, path):
    return next(row for row in table["rows"] if row["cgroup"] == path)


def counters(group):
    """Periods, throttled periods and CPU time in ns, from the files."""
    fields = dict(line.split() for line in group.read("cpu.stat").splitlines())
    usage_ns = int(fields["usage_usec"]) * 1000 if "usage_usec" in fields else int(group.read("cpuacct.usage"))
    return int(fields["nr_periods"]), int(fields["nr_throttled"]), usage_ns, time.monotonic_ns()


@pytest.mark.parametrize("who", ["local", "agent"])
def test_throttled_group_shows_its_use_and_how_often_it_was_throttled(who, throttled, make_agent):
    agent = make_agent().wait_ready() if who == "agent" else None
    options = ["--source", who] + (["--socket", str(agent.socket_path)] if agent else [])
    for attempt in range(4):
        before = counters(throttled)
        row = row_of(top("--interval", "3", *options), throttled.path)
        periods, times, usage_ns, elapsed_ns = (b - a for a, b in zip(before, counters(throttled), strict=True))
        is_close = row["throttled_ratio"] == pytest.approx(times / periods, abs=0.15)
        if is_close or attempt == 3:  # on a machine that is busy otherwise the two windows may see different times
            break
    assert row["throttled_ratio"] == pytest.approx(times / periods, abs=0.15)
    assert row["throttled_ratio"] > 0.05
    assert row["cpu_cores"] == pytest.approx(usage_ns / elapsed_ns, abs=0.07)
    assert row["cpu_limit_cores"] == pytest.approx(0.2)
    assert row.keys() >= FIELDS
    assert row["source"]


def test_group_without_a_quota_is_not_throttled_and_its_neighbour_does_not_matter(throttled, cgroups):
    free = cgroups.make()
    free.run("sleep", "600")
    row = row_of(top("--interval", "0.5"), free.path)
    assert row["throttled_ratio"] == 0
    assert row["cpu_limit_cores"] is None
    assert row["cpu_cores"] < 0.05


def test_same_path_in_several_hierarchies_is_one_row_and_the_root_is_shown(cgroups):
    group = cgroups.make()
    paths = [row["cgroup"] for row in top("--interval", "0.1")["rows"]]
    assert paths.count(group.path) == 1
    assert paths.count("/") == 1


def test_value_without_a_source_is_null(cgroups):
    if "cpu" not in cgroups.mounts or "unified" not in cgroups.mounts:
        pytest.skip("needs a hybrid host: a v1 cpu hierarchy beside a v2 tree")
    group = cgroups.make(only=("unified",))
    row = row_of(top("--interval", "0.1"), group.path)
    assert row["throttled_ratio"] is None
    assert row["memory_bytes"] is None
    assert row["cpu_cores"] == pytest.approx(0, abs=0.01)
    assert row["psi_cpu_some"] is not None


def test_pod_and_container_are_known_by_their_directories(cgroups):
    root = cgroups.make()
    kube = cgroups.make("kubepods", parent=root)
    qos = cgroups.make("burstable", parent=kube)
    pod = cgroups.make(f"pod{UID}", parent=qos)
    container = cgroups.make("ab" * 32, parent=pod)
    table = top("--interval", "0.1", "--filter", root.path, "--qos", "LS")
    kinds = {row["cgroup"]: (row["kind"], row["name"], row["qos"]) for row in table["rows"]}
    assert kinds[pod.path] == ("pod", UID, "Burstable")
    assert kinds[container.path] == ("container", "abababababab", "Burstable")
    assert root.path not in kinds


def test_table_names_node_units_and_the_group(throttled):
    done = koord("top", "--once", "--interval", "0.5", "--filter", throttled.path)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("node ")
    assert "THROTTLED" in lines[2]
    assert throttled.path in lines[3]
    assert "%" in lines[3]


def test_messages_go_to_stderr_and_absent_agent_means_not_available_here(tmp_path):
    done = koord("top", "--once", "--source", "agent", "--socket", str(tmp_path / "none"))
    assert (done.returncode, done.stdout) == (3, "")
    assert "does not answer" in done.stderr
    assert koord("top", "--once", "--sort", "nope").returncode == 2
    assert koord("top").returncode == 2
