"""Each way of being denied BPF has its own named cause; none is taken for another."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

REPORT = """
import json
from koord._core import capabilities
print(json.dumps({piece.name: piece.reason for piece in capabilities().pieces}))
"""

# Answers bpf(2) with EPERM and allows everything else; needs no capability with no_new_privs.
DENY_BPF = """
import ctypes, platform, struct
number = {"x86_64": 321, "aarch64": 280}[platform.machine()]
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.c_char_p(program), 0, 0) == 0, ctypes.get_errno()
"""


def reasons(script: str, *wrapper: str) -> dict[str, str | None]:
    command = [*wrapper, sys.executable, "-c", textwrap.dedent(script)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if "setpriv: unknown capability" in finished.stderr:
        pytest.skip(finished.stderr.strip())
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == ""
    return json.loads(finished.stdout)


def walks(found: dict[str, str | None]) -> dict[str, str | None]:
    return {name: reason for name, reason in found.items() if name != "stats"}


@pytest.fixture(autouse=True)
def _needs_root_and_bpf():
    if not Path("/sys/kernel/btf/vmlinux").exists():
        pytest.skip("/sys/kernel/btf/vmlinux is not there")
    if "0" not in Path("/proc/self/status").read_text().split("Uid:")[1].split()[:1]:
        pytest.skip("not root")


def test_bpf_and_perfmon_are_enough_to_walk_but_not_to_count_run_time():
    everything = reasons(REPORT)
    found = reasons(REPORT, "setpriv", "--bounding-set=-all,+bpf,+perfmon,+dac_read_search")
    assert walks(found) == walks(everything)
    assert any(reason is None for name, reason in found.items() if name.startswith("walk_"))
    assert found["stats"] == "CAP_SYS_ADMIN missing"


@pytest.mark.parametrize(
    ("dropped", "cause"),
    [
        ("-bpf,-sys_admin", "CAP_BPF missing"),
        ("-perfmon,-sys_admin", "CAP_PERFMON missing"),
        ("-bpf,-perfmon,-sys_admin", "CAP_BPF and CAP_PERFMON missing"),
    ],
)
def test_a_missing_capability_is_named(dropped: str, cause: str):
    found = reasons(REPORT, "setpriv", f"--bounding-set={dropped}")
    assert set(walks(found).values()) == {cause}


def test_a_seccomp_filter_is_named_though_every_capability_is_there():
    found = reasons(DENY_BPF + REPORT)
    assert set(walks(found).values()) == {"bpf(2) is denied by a seccomp filter"}


def test_the_limit_of_locked_memory_is_neither_raised_nor_blamed_where_the_kernel_does_not_use_it():
    script = """
    import resource
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (65536, 65536))
    """
    found = reasons(textwrap.dedent(script) + REPORT, "setpriv", "--bounding-set=-sys_resource")
    assert not any("MEMLOCK" in reason for reason in found.values() if reason)
    if tuple(map(int, Path("/proc/sys/kernel/osrelease").read_text().split(".")[:2])) >= (5, 11):
        assert walks(found) == walks(reasons(REPORT))
