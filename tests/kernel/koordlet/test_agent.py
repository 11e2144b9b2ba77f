"""The agent as a process: what it serves, and how it begins and ends."""

import contextlib
import gzip
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from koord._core import program_costs

BIN = Path(sys.executable).parent


def families(agent, path="/metrics"):
    status, body = agent.get(path)
    assert status == 200
    return {family.name: family for family in text_string_to_metric_families(body.decode())}


def samples_of(agent, group, name):
    return [sample for sample in families(agent)[name].samples if sample.labels["cgroup"] == group.path]


def lines_about(agent, group):
    return agent.get("/metrics")[1].decode().count(group.path)


def bpf_programs(pid):
    """Kernel ids of the BPF programs that the process holds."""
    found: set[int] = set()
    for entry in Path(f"/proc/{pid}/fdinfo").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            found |= {int(number) for number in re.findall(r"^prog_id:\s*(\d+)", entry.read_text(), re.M)}
    return found


def loaded_programs():
    """Kernel ids of this project's programs that are loaded now, whoever holds them."""
    try:
        return {program.id for program in program_costs(0.01)}
    except OSError:
        return set()  # this process may not ask


def test_metrics_are_prometheus_text_with_the_references_names(make_agent, throttled):
    agent = make_agent().wait_ready()
    got = families(agent)
    for name in ("koordlet_start_time", "koordlet_node_used_cpu_cores", "koordlet_node_used_memory_bytes"):
        (sample,) = got[name].samples
        assert sample.labels == {"node": "test-node"}
        assert sample.value > 0
    status = {sample.labels["status"]: sample.value for sample in got["koordlet_collect_node_cpu_info_status"].samples}
    assert status["succeeded"] >= 1
    for name in (
        "process_cpu_seconds",
        "process_resident_memory_bytes",
        "process_open_fds",
        "koordlet_ext_loop_lag_seconds",
    ):
        assert len(got[name].samples) == 1
    assert {sample.labels["cgroup"] for sample in got["koordlet_ext_cgroup_cpu_cores"].samples} >= {"/", throttled.path}


def test_internal_and_external_pages_make_up_the_whole(make_agent):
    agent = make_agent().wait_ready()
    internal, external = families(agent, "/internal-metrics"), families(agent, "/external-metrics")
    assert not internal.keys() & external.keys()
    assert families(agent).keys() == internal.keys() | external.keys()
    assert "process_open_fds" in internal


def test_metrics_are_compressed_for_those_who_ask(make_agent):
    agent = make_agent().wait_ready()
    request = urllib.request.Request(f"http://127.0.0.1:{agent.port}/metrics", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=5) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert b"koordlet_start_time" in gzip.decompress(answer.read())


def test_series_of_a_removed_group_go(make_agent, cgroups, eventually):
    agent = make_agent("-collect-res-used-interval=200ms").wait_ready()
    group = cgroups.make()
    group.run("sleep", "600")
    eventually(lambda: bool(samples_of(agent, group, "koordlet_ext_cgroup_cpu_seconds")))
    before = agent.json("/debug/state")["history"]["series"]
    group.remove()
    eventually(lambda: group.path not in agent.get("/metrics")[1].decode())
    eventually(lambda: agent.json("/debug/state")["history"]["series"] < before)


def test_short_lived_groups_leave_no_series_and_their_time_is_told_by_their_parent(make_agent, cgroups, eventually):
    parent = cgroups.make()
    agent = make_agent().wait_ready()
    eventually(lambda: bool(samples_of(agent, parent, "koordlet_ext_cgroup_cpu_seconds")))
    before = lines_about(agent, parent)
    for number in range(40):
        child = cgroups.make(f"short-{number}", parent=parent)
        child.python("sum(range(100_000))").wait()
        child.remove()
    eventually(lambda: lines_about(agent, parent) == before)
    (used,) = samples_of(agent, parent, "koordlet_ext_cgroup_cpu_seconds")
    (gone,) = samples_of(agent, parent, "koordlet_ext_cgroup_gone_cpu_seconds")
    assert gone.value == pytest.approx(used.value, rel=0.05)


def test_first_sample_of_a_group_is_no_zero(make_agent, cgroups):
    agent = make_agent("-collect-res-used-interval=2s").wait_ready()
    group = cgroups.make()
    deadline = time.monotonic() + 10
    while not (samples := samples_of(agent, group, "koordlet_ext_cgroup_cpu_seconds")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert len(samples) == 1
    assert samples_of(agent, group, "koordlet_ext_cgroup_cpu_cores") == []


def test_pressure_of_pods_and_containers_has_the_references_names_and_labels(make_agent, cgroups):
    if "unified" not in cgroups.mounts or not Path(cgroups.mounts["unified"], "cpu.pressure").exists():
        pytest.skip("no cgroup v2 tree with pressure files")
    only = ("unified",)
    kube = cgroups.make("kubepods", parent=cgroups.make(only=only), only=only)
    pod = cgroups.make("pod1234", parent=kube, only=only)
    cgroups.make("ab" * 32, parent=pod, only=only)
    agent = make_agent("-feature-gates=PSICollector=true", "-psi-collector-interval=200ms").wait_ready()
    got = families(agent, "/external-metrics")
    of_pod = [sample.labels for sample in got["koordlet_pod_psi"].samples if sample.labels["pod_uid"] == "1234"]
    assert {(it["psi_resource_type"], it["psi_degree"], it["psi_precision"]) for it in of_pod} >= {
        (resource, "some", precision) for resource in ("cpu", "mem", "io") for precision in ("avg10", "avg60", "avg300")
    }
    of_container = next(it.labels for it in got["koordlet_container_psi"].samples if it.labels["pod_uid"] == "1234")
    assert of_container["container_id"] == "containerd://" + "ab" * 32
    assert of_container.keys() == {
        "node", "pod_uid", "pod_name", "pod_namespace", "container_id", "container_name",
        "psi_resource_type", "psi_precision", "psi_degree", "cpu_full_supported",
    }  # fmt: skip


def test_health_readiness_and_state_are_json(make_agent):
    agent = make_agent().wait_ready()
    assert agent.json("/healthz")["ok"]
    assert agent.json("/readyz") == {"ok": True, "degraded": False, "not_ready": []}
    state = agent.json("/debug/state")
    assert state["node_name"] == "test-node"
    assert all(collector["ready"] for collector in state["collectors"].values())
    assert len(state["node_info"]["cpus"]) == len(os.sched_getaffinity(0))
    assert {source["group"] for source in state["sources"]} >= {"cpu_usage", "psi"}


def test_collector_that_fails_degrades_itself_only(make_agent, tmp_path):
    agent = make_agent(f"-sys-root-dir={tmp_path}").wait_rates()
    assert agent.json("/readyz") == {"ok": False, "degraded": False, "not_ready": ["node-cpu-info"]}
    assert agent.json("/healthz")["ok"]
    assert families(agent)["koordlet_node_used_cpu_cores"].samples
    assert "No such file" in agent.json("/debug/state")["collectors"]["node-cpu-info"]["last_error"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_it_cleanly_within_a_second_and_leaves_nothing(make_agent, number, tmp_path):
    agent = make_agent().wait_ready()
    assert stat.S_IMODE(agent.socket_path.stat().st_mode) == 0o600
    programs = bpf_programs(agent.process.pid)
    status, seconds = agent.end(number)
    assert status == 0
    assert seconds < 1
    assert not agent.socket_path.exists()
    assert not list(Path("/sys/fs/bpf").rglob("*koord*"))
    assert not programs & loaded_programs()


def test_second_agent_refuses_and_names_the_first(make_agent):
    first = make_agent().wait_ready()
    second = make_agent()
    assert second.process.wait(10) == 1
    assert f"held by process {first.process.pid}" in second.log_path.read_text()
    assert first.json("/healthz")["ok"]


def test_agent_that_was_killed_does_not_keep_the_next_one_away(make_agent):
    first = make_agent().wait_ready()
    first.kill()
    assert first.socket_path.exists()
    make_agent().wait_ready()


def test_address_that_is_taken_is_named(make_agent):
    first = make_agent().wait_ready()
    done = subprocess.run(
        [
            f"{BIN}/koordlet",
            f"-addr=127.0.0.1:{first.port}",
            f"-lock-path={first.folder}/l2",
            f"-socket-path={first.folder}/s2",
        ],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 1
    assert f"cannot listen on 127.0.0.1:{first.port}" in done.stderr


@pytest.mark.parametrize("argument", ["-nope", "-feature-gates=Nope=true", "-collect-res-used-interval=1"])
def test_wrong_command_line_exits_2_with_a_message(argument):
    done = subprocess.run([f"{BIN}/koordlet", argument], capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("koordlet: ")


def test_logs_are_json_lines_when_asked_for(make_agent):
    agent = make_agent("--log-format=json").wait_ready()
    agent.end()
    events = [json.loads(line) for line in agent.log_path.read_text().splitlines()]
    assert [event["msg"] for event in events if event["module"] == "koordlet.agent"] == ["started", "stopping"]
