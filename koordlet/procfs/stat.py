"""/proc/stat: CPU time in clock ticks."""

from collections.abc import Mapping
from dataclasses import dataclass

from koordlet.procfs.error import ProcError, whole_number

_FIELDS = 8


@dataclass(frozen=True, slots=True)
class CpuTicks:
    """Busy ticks (user, nice, system, irq, softirq; guest is inside user) of the node and of each online CPU."""

    node: int
    by_cpu: Mapping[int, int]


def parse_stat(data: bytes, path: str = "/proc/stat") -> CpuTicks:
    """The ticks in `/proc/stat`; ProcError when the `cpu` line is absent or short."""
    node: int | None = None
    by_cpu: dict[int, int] = {}
    for line in data.split(b"\n"):
        if not line.startswith(b"cpu"):
            break
        name, *fields = line.split()
        if len(fields) < _FIELDS:
            raise ProcError(path, line, f"at least {_FIELDS} fields after {name.decode('utf-8', 'replace')}")
        user, nice, system, _idle, _iowait, irq, softirq = (whole_number(path, field) for field in fields[:7])
        busy = user + nice + system + irq + softirq
        if name == b"cpu":
            node = busy
        else:
            by_cpu[whole_number(path, name[3:])] = busy
    if node is None:
        raise ProcError(path, data[:40], "a first line that starts with cpu")
    return CpuTicks(node, by_cpu)
