"""What a result depends on: the kernel, the CPUs, who else is using them."""

import os
import platform
from pathlib import Path


def machine() -> dict[str, str | float]:
    """Kernel release, number of CPUs, CPU model and the load average of the last minute."""
    return {
        "kernel": platform.release(),
        "cpus": os.cpu_count() or 0,
        "cpu": cpu_model(Path("/proc/cpuinfo").read_text()),
        "load": round(os.getloadavg()[0], 2),
    }


def cpu_model(cpuinfo: str) -> str:
    """The first CPU's name, or the architecture where /proc/cpuinfo has none (arm64)."""
    for line in cpuinfo.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.machine()
