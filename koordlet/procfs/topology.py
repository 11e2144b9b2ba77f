"""The CPUs of a node from /sys/devices/system: cores, sockets, NUMA nodes, caches."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from koordlet.procfs.cpulist import parse_cpu_list


@dataclass(frozen=True, slots=True)
class LogicalCpu:
    """One CPU that is online; core numbers are dense over the node, where sysfs' are unique only within a die."""

    cpu: int
    core: int
    socket: int
    numa_node: int
    l3: int


@dataclass(frozen=True, slots=True)
class SysCpu:
    """One CPU as sysfs describes it, before cores are numbered over the node."""

    cpu: int
    package_id: int
    die_id: int
    core_id: int
    numa_node: int
    l3: int


def number_cores(cpus: Iterable[SysCpu]) -> list[LogicalCpu]:
    """Give each (package, die, core) a number of its own; sorted by NUMA node, socket, core, CPU."""
    ordered = sorted(cpus, key=lambda cpu: (cpu.numa_node, cpu.package_id, cpu.die_id, cpu.core_id, cpu.cpu))
    cores: dict[tuple[int, int, int], int] = {}
    return [
        LogicalCpu(
            cpu.cpu,
            cores.setdefault((cpu.package_id, cpu.die_id, cpu.core_id), len(cores)),
            cpu.package_id,
            cpu.numa_node,
            cpu.l3,
        )
        for cpu in ordered
    ]


def read_topology(sys_root: Path) -> list[LogicalCpu]:
    """The CPUs that are online; a missing detail counts as 0. OSError or ProcError when sysfs doesn't say which are."""
    base = sys_root / "devices/system/cpu"
    online = parse_cpu_list((base / "online").read_text(), str(base / "online"))
    numa = _numa_of_cpu(sys_root)
    return number_cores(_read_cpu(base / f"cpu{cpu}", cpu, numa.get(cpu, 0)) for cpu in online)


def _read_cpu(folder: Path, cpu: int, numa_node: int) -> SysCpu:
    topology = folder / "topology"
    return SysCpu(
        cpu,
        max(0, _number(topology / "physical_package_id", 0)),
        max(0, _number(topology / "die_id", 0)),
        _number(topology / "core_id", cpu),
        numa_node,
        max(0, _number(folder / "cache/index3/id", 0)),
    )


def _number(path: Path, otherwise: int) -> int:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return otherwise


def _numa_of_cpu(sys_root: Path) -> dict[int, int]:
    base = sys_root / "devices/system/node"
    try:
        nodes = parse_cpu_list((base / "has_cpu").read_text(), str(base / "has_cpu"))
    except FileNotFoundError:
        return {}  # a kernel without NUMA
    return {
        cpu: node
        for node in nodes
        for cpu in parse_cpu_list((base / f"node{node}/cpulist").read_text(), str(base / f"node{node}/cpulist"))
    }
