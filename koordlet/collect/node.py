"""Node CPU and memory, and the same per NUMA node."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from koordlet.collect.rate import rate_per_s
from koordlet.procfs.kept import KeptFile
from koordlet.procfs.meminfo import NodeMemory, NumaMemory, parse_meminfo, parse_numa_meminfo
from koordlet.procfs.stat import CpuTicks, parse_stat


@dataclass(frozen=True, slots=True)
class NodeSample:
    """The node at one moment; None and absent keys where no previous sample allows a rate."""

    cpu_cores: float | None
    memory: NodeMemory
    numa_cpu_cores: Mapping[int, float] = field(default_factory=dict[int, float])
    numa_memory: Mapping[int, NumaMemory] = field(default_factory=dict[int, NumaMemory])


def cpu_cores(before: CpuTicks, after: CpuTicks, elapsed_s: float, ticks_per_s: int) -> float | None:
    """Cores in use between two readings; None when ticks went back."""
    rate = rate_per_s(before.node, after.node, elapsed_s)
    return None if rate is None else rate / ticks_per_s


def numa_cpu_cores(
    before: CpuTicks, after: CpuTicks, elapsed_s: float, ticks_per_s: int, numa_of_cpu: Mapping[int, int]
) -> dict[int, float]:
    """Cores in use per NUMA node; a CPU that is new or whose ticks went back is left out of its node's sum."""
    cores: dict[int, float] = {}
    for cpu, ticks in after.by_cpu.items():
        rate = rate_per_s(before.by_cpu.get(cpu, ticks + 1), ticks, elapsed_s)
        if rate is not None and cpu in numa_of_cpu:
            node = numa_of_cpu[cpu]
            cores[node] = cores.get(node, 0.0) + rate / ticks_per_s
    return cores


class NodeReader:
    """Reads the node's files; remembers the previous reading of the counters."""

    def __init__(self, proc_root: Path, sys_root: Path) -> None:
        self._stat = KeptFile(proc_root / "stat")
        self._meminfo = KeptFile(proc_root / "meminfo")
        self._numa_root = sys_root / "devices/system/node"
        self._numa_meminfo: dict[int, KeptFile] = {}
        self._ticks_per_s = os.sysconf("SC_CLK_TCK")
        self._before: tuple[float, CpuTicks] | None = None

    def read(self, numa_of_cpu: Mapping[int, int]) -> NodeSample:
        """One sample; CPU is None in the first one. OSError or ProcError when a file can't be read or understood."""
        now_s = time.monotonic()
        ticks = parse_stat(self._stat.read(), self._stat.path)
        memory = parse_meminfo(self._meminfo.read(), self._meminfo.path)
        numa_memory = {node: self._numa_memory(node) for node in sorted(set(numa_of_cpu.values()))}
        before, self._before = self._before, (now_s, ticks)
        if before is None:
            return NodeSample(None, memory, {}, numa_memory)
        elapsed_s = now_s - before[0]
        return NodeSample(
            cpu_cores(before[1], ticks, elapsed_s, self._ticks_per_s),
            memory,
            numa_cpu_cores(before[1], ticks, elapsed_s, self._ticks_per_s, numa_of_cpu),
            numa_memory,
        )

    def _numa_memory(self, node: int) -> NumaMemory:
        file = self._numa_meminfo.get(node)
        if file is None:
            file = self._numa_meminfo[node] = KeptFile(self._numa_root / f"node{node}/meminfo")
        return parse_numa_meminfo(file.read(), node, file.path)
