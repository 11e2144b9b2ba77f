"""/proc/meminfo and the same of one NUMA node."""

from dataclasses import dataclass

from koordlet.procfs.error import ProcError, whole_number


@dataclass(frozen=True, slots=True)
class NodeMemory:
    """Memory of the node, in bytes."""

    total: int
    used: int
    """Without what can be reclaimed: MemTotal - MemAvailable."""
    used_with_page_cache: int
    """MemTotal - MemFree."""


@dataclass(frozen=True, slots=True)
class NumaMemory:
    """Memory of one NUMA node, in bytes."""

    total: int
    used: int
    """Total - (free + file pages + reclaimable slab)."""


def parse_meminfo(data: bytes, path: str = "/proc/meminfo") -> NodeMemory:
    """The node's memory. Differences never go below 0. ProcError when a line is absent or not a number."""
    kib = _lines(data, path, b"")
    total, available, free = (_require(kib, name, path) for name in (b"MemTotal", b"MemAvailable", b"MemFree"))
    return NodeMemory(total * 1024, max(0, total - available) * 1024, max(0, total - free) * 1024)


def parse_numa_meminfo(data: bytes, node: int, path: str) -> NumaMemory:
    """The memory of NUMA node `node`, whose lines start with `Node <node> `."""
    kib = _lines(data, path, b"Node %d " % node)
    total, free, active, inactive = (
        _require(kib, name, path) for name in (b"MemTotal", b"MemFree", b"Active(file)", b"Inactive(file)")
    )
    reclaimable = kib.get(b"SReclaimable", 0)  # absent in the per-node file before Linux 4.20
    return NumaMemory(total * 1024, max(0, total - (free + active + inactive + reclaimable)) * 1024)


def _lines(data: bytes, path: str, prefix: bytes) -> dict[bytes, int]:
    values: dict[bytes, int] = {}
    for line in data.splitlines():
        name, separator, rest = line.removeprefix(prefix).partition(b":")
        fields = rest.split()
        if separator and fields:
            values[name.strip()] = whole_number(path, fields[0])
    return values


def _require(kib: dict[bytes, int], name: bytes, path: str) -> int:
    if name not in kib:
        raise ProcError(path, f"no line {name.decode()}", "a line NAME: KIB kB for it")
    return kib[name]
