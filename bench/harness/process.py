"""What a running process costs: CPU time, memory, and the run time of the BPF programs that it holds."""

import ctypes
import os
import platform
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

CPUCLOCK_SCHED = 2
"""Clock of a process's CPU time in ns, its ended threads included (clock_getcpuclockid(3))."""

BPF_ENABLE_STATS, BPF_STATS_RUN_TIME = 32, 0
BPF_SYSCALL = {"x86_64": 321, "aarch64": 280}


def cpu_seconds(pid: int) -> float:
    """CPU time that a process has used, all threads, user and kernel. OSError when it is gone."""
    return time.clock_gettime((~pid << 3) | CPUCLOCK_SCHED)


def rss_bytes(pid: int) -> int:
    """Resident memory, shared pages included."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def anonymous_bytes(pid: int) -> int:
    """Resident memory of the process's own, without pages of files."""
    return status_kib(Path(f"/proc/{pid}/status").read_text(), "RssAnon") * 1024


def status_kib(status: str, name: str) -> int:
    """A memory line of /proc/PID/status. KeyError when it has none (a kernel thread)."""
    for line in status.splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0])
    raise KeyError(name)


def bpf_seconds(pid: int) -> float:
    """Run time of the BPF programs that a process holds, counted while `bpf_statistics` is on."""
    total = 0
    for file in Path(f"/proc/{pid}/fdinfo").iterdir():
        try:
            total += run_time_ns(file.read_text())
        except FileNotFoundError:
            continue  # closed since the listing
    return total / 1e9


def run_time_ns(fdinfo: str) -> int:
    """The run time that a program's descriptor reports; 0 for other descriptors."""
    for line in fdinfo.splitlines():
        key, _, value = line.partition(":")
        if key == "run_time_ns":
            return int(value)
    return 0


@contextmanager
def bpf_statistics() -> Generator[None]:
    """Have the kernel count the run time of BPF programs while the context lasts. OSError without CAP_SYS_ADMIN."""
    attribute = ctypes.create_string_buffer(BPF_STATS_RUN_TIME.to_bytes(4, "little"), 128)
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.syscall(BPF_SYSCALL[platform.machine()], BPF_ENABLE_STATS, attribute, len(attribute))
    if descriptor < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), "bpf(BPF_ENABLE_STATS)")
    try:
        yield
    finally:
        os.close(descriptor)
