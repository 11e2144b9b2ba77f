"""What the node is made of: CPU model, topology, simultaneous multithreading, turbo. No lscpu needed."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from koordlet.procfs.cpuinfo import parse_cpuinfo
from koordlet.procfs.topology import LogicalCpu, read_topology


@dataclass(frozen=True, slots=True)
class NodeInfo:
    """The node's processors."""

    cpu_model: str
    vendor: str
    smt: bool
    turbo: bool
    """Known for Intel's pstate driver only, else False."""
    l3_mask: str
    """resctrl's cache bit mask; empty without resctrl."""
    cpus: tuple[LogicalCpu, ...]

    def numa_of_cpu(self) -> Mapping[int, int]:
        """NUMA node of each CPU that is online."""
        return {cpu.cpu: cpu.numa_node for cpu in self.cpus}


def read_node_info(proc_root: Path, sys_root: Path) -> NodeInfo:
    """Read it all; OSError or ProcError when the CPUs that are online can't be found out."""
    model = parse_cpuinfo((proc_root / "cpuinfo").read_bytes())
    cpus = tuple(read_topology(sys_root))
    smt = _text(sys_root / "devices/system/cpu/smt/active")
    return NodeInfo(
        cpu_model=model.model,
        vendor=model.vendor,
        smt=smt == "1" if smt else len({cpu.core for cpu in cpus}) < len(cpus),
        turbo=_text(sys_root / "devices/system/cpu/intel_pstate/no_turbo") == "0",
        l3_mask=_text(sys_root / "fs/resctrl/info/L3/cbm_mask"),
        cpus=cpus,
    )


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
