"""With fewer rights the reader names the right that is missing, and goes on with files."""

import platform
import re
import shutil
import sys
from pathlib import Path

import pytest

BPF_TIERS = {"bpf-css", "bpf-iter"}
DAEMONSET = "+bpf,+perfmon,+dac_read_search"
FEW_FILES = ["sh", "-c", 'ulimit -n 5000 && exec "$@"', "sh"]
CAP_SYS_RESOURCE = 24


def kernel_version() -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", platform.release())[:2]))


def has_capability(number: int) -> bool:
    mask = re.search(r"^CapEff:\s*([0-9a-f]+)", Path("/proc/self/status").read_text(), re.MULTILINE)
    return mask is not None and bool(int(mask[1], 16) >> number & 1)


@pytest.fixture(autouse=True)
def _can_take_rights_away():
    if shutil.which("setpriv") is None:
        pytest.skip("taking capabilities away needs setpriv")


def test_the_daemonsets_capabilities_are_enough_for_bpf(read):
    if kernel_version() < (6, 1):
        pytest.skip(f"kernel {platform.release()} has no BPF walk over cgroups for any capability")
    reading = read("CAP_BPF + CAP_PERFMON only", "setpriv", f"--bounding-set=-all,{DAEMONSET}")
    assert reading.tiers & BPF_TIERS, reading.reasons
    assert reading.rows > 1


@pytest.mark.parametrize(
    ("scenario", "prefix", "cause"),
    [
        ("no CAP_BPF, no CAP_SYS_ADMIN", ["setpriv", "--bounding-set=-bpf,-sys_admin"], "CAP_BPF"),
        ("no CAP_PERFMON, no CAP_SYS_ADMIN", ["setpriv", "--bounding-set=-perfmon,-sys_admin"], "CAP_PERFMON"),
        ("bpf(2) denied by seccomp", [sys.executable, str(Path(__file__).with_name("deny_bpf.py"))], "seccomp"),
    ],
)
def test_a_missing_right_is_named_and_files_serve_instead(read, scenario, prefix, cause):
    reading = read(scenario, *prefix)
    assert cause in reading.reasons
    assert any(cause in line for line in reading.missing if line.startswith("BPF walk"))
    assert not [
        other
        for other in ("CAP_BPF", "CAP_PERFMON", "seccomp", "memlock")
        if other in reading.reasons and other != cause
    ]
    assert reading.tiers == {"files"}
    assert reading.rows > 1
    assert reading.cpu_cores >= 0


def test_without_cap_sys_resource_the_bound_on_open_files_is_named(read):
    reading = read("no CAP_SYS_RESOURCE, few files", *FEW_FILES, "setpriv", "--bounding-set=-sys_resource")
    assert [line for line in reading.missing if "CAP_SYS_RESOURCE missing" in line]
    assert reading.rows > 1


def test_with_cap_sys_resource_the_bound_on_open_files_is_lifted(read):
    if not has_capability(CAP_SYS_RESOURCE):
        pytest.skip("root has no CAP_SYS_RESOURCE on this machine")
    reading = read("CAP_SYS_RESOURCE, few files", *FEW_FILES)
    assert not [line for line in reading.missing if "CAP_SYS_RESOURCE" in line]
    assert reading.rows > 1
