"""With fewer rights the reader names the right that is missing, and goes on with files."""

import os
import shutil
import sys
from pathlib import Path

import pytest

BPF_TIERS = {"bpf-css", "bpf-iter"}
DAEMONSET = "+bpf,+perfmon,+dac_read_search"


@pytest.fixture(autouse=True)
def _can_take_rights_away():
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("taking capabilities away needs root and setpriv")


def test_the_daemonsets_capabilities_are_enough_for_bpf(read):
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
    assert not [
        other
        for other in ("CAP_BPF", "CAP_PERFMON", "seccomp", "memlock")
        if other in reading.reasons and other != cause
    ]
    assert reading.tiers == {"files"}
    assert reading.rows > 1
    assert reading.cpu_cores >= 0
