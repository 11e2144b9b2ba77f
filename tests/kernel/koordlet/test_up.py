"""`koord up` without a terminal: the agent, `ready:`, one table, a clean end."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent


@pytest.fixture
def start_up(tmp_path):
    processes = []

    def start(*arguments):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [f"{BIN}/koord", "up", f"--addr=127.0.0.1:{port}", f"--socket={tmp_path}/koordlet.sock", *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_once_prints_ready_and_one_table_and_leaves_nothing(start_up, throttled, tmp_path):
    process = start_up("--once")
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    lines = out.splitlines()
    assert lines[0].startswith("ready: ")
    assert lines[2].startswith("node ")
    assert "THROTTLED" in out
    assert throttled.path in out
    assert list(tmp_path.glob("*.sock")) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_keeps_running_until_a_signal_and_ends_its_agent(start_up, number, tmp_path, eventually):
    process = start_up()
    assert process.stdout.readline().startswith("ready: ")
    (agent,) = children(process.pid)
    process.send_signal(number)
    assert "CGROUP" in process.stdout.read()
    assert process.wait(60) == 0
    eventually(lambda: not is_running(agent))
    assert list(tmp_path.glob("*.sock")) == []


def test_uses_an_agent_that_runs_already_and_leaves_it_running(start_up, make_agent):
    agent = make_agent().wait_ready()
    process = start_up("--once", f"--socket={agent.socket_path}")
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert "was running already" in out
    assert agent.json("/healthz")["ok"]


def test_agent_that_is_killed_is_started_again(start_up, eventually):
    process = start_up()
    assert process.stdout.readline().startswith("ready: ")
    (first,) = children(process.pid)
    os.kill(first, signal.SIGKILL)
    eventually(lambda: any(child != first for child in children(process.pid)), 10)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0


def test_agent_that_cannot_start_is_a_failure_with_its_cause(start_up):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        process = start_up(f"--addr=127.0.0.1:{taken.getsockname()[1]}")
        out, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert out == ""
    assert "cannot listen on" in err
    assert "koord up: the agent did not start" in err
