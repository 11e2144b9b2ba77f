"""The guest is what its tests rely on: the asked kernel, the asked cgroup layout, two NUMA nodes, all capabilities."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tools.guest.kernels import cache_directory
from tools.guest.machine import GuestError, boot

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def available(v2):
    """A kernel series that boots here."""
    return v2.series


def test_runs_the_kernel_that_was_asked_for(v2):
    assert v2.run(["uname", "-r"]).output.startswith(f"{v2.series}.")


def test_reports_the_exit_status_and_all_output_of_a_command(v2):
    outcome = v2.run(["sh", "-c", "echo out; echo 'two  words' >&2; exit 7"])
    assert (outcome.status, outcome.output) == (7, "out\ntwo  words\n")


def test_has_four_cpus_in_two_numa_nodes(v2):
    nodes = v2.run(["sh", "-c", "cat /sys/devices/system/node/node*/cpulist"]).output.split()
    assert nodes == ["0-1", "2-3"]


def test_has_every_controller_on_the_v2_tree_and_no_v1_mount(v2):
    mounts = v2.run(["grep", "cgroup", "/proc/mounts"]).output.splitlines()
    assert [line.split()[1:3] for line in mounts] == [["/sys/fs/cgroup", "cgroup2"]]
    enabled = v2.run(["cat", "/sys/fs/cgroup/cgroup.subtree_control"]).output.split()
    assert {"cpuset", "cpu", "io", "memory", "hugetlb", "pids"} <= set(enabled)


def test_may_do_what_this_machine_may_not_such_as_raising_hard_limits(v2):
    assert v2.run(["sh", "-c", "ulimit -Hn 5000 && ulimit -Hn 6000"]).status == 0


def test_writes_nothing_to_the_host(v2):
    with tempfile.NamedTemporaryFile("w+", dir=cache_directory()) as file:
        assert v2.run(["sh", "-c", f"echo guest >{file.name}; cat {file.name}"]).output == "guest\n"
        assert file.read() == ""


def test_a_command_over_its_time_ends_the_wait_with_its_last_output(available):
    with pytest.raises(GuestError, match=r"(?s)no answer in 3 s.*still here"), boot(available, "v2") as machine:
        machine.run(["sh", "-c", "echo still here; sleep 60"], timeout=3)
    assert machine.qemu.poll() is not None


def test_nothing_of_a_guest_outlives_a_starter_that_is_killed(available):
    command = [sys.executable, "-m", "tools.guest", available, "v2", "sleep", "60"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as starter:
        wait_for(lambda: {"virtiofsd", "qemu-system-x86"} <= children_of(starter.pid).keys())
        children = children_of(starter.pid)
        starter.kill()
    assert wait_for(lambda: not any(map(is_running, children.values())))


def children_of(pid: int) -> dict[str, int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {Path(f"/proc/{child}/comm").read_text().strip(): int(child) for child in children}


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for(condition, timeout=30):
    deadline = time.monotonic() + timeout
    while not (value := condition()):
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.05)
    return value


def test_has_only_v1_hierarchies_when_asked_for_them(v1):
    mounts = v1.run(["grep", "cgroup", "/proc/mounts"]).output.splitlines()
    kinds = {line.split()[2] for line in mounts if line.split()[1] != "/sys/fs/cgroup"}
    assert kinds == {"cgroup"}
    assert any(line.split()[1] == "/sys/fs/cgroup/cpu,cpuacct" for line in mounts)
