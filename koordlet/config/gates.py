"""Koordinator's feature gates of the node agent."""

from collections.abc import Mapping
from typing import Literal

from koordlet.config.goflag import FlagError

Maturity = Literal["alpha", "beta"]

GATES: dict[str, tuple[Maturity, bool]] = {
    "AuditEvents": ("alpha", False),
    "AuditEventsHTTPHandler": ("alpha", False),
    "NodeTopologyReport": ("beta", True),
    "Accelerators": ("alpha", False),
    "RDMADevices": ("alpha", False),
    "CPICollector": ("alpha", False),
    "PSICollector": ("alpha", False),
    "Libpfm4": ("alpha", False),
    "ResctrlCollector": ("alpha", False),
    "ColdPageCollector": ("alpha", False),
    "BlkIOReconcile": ("alpha", False),
    "HugePageReport": ("alpha", False),
    "PodResourcesProxy": ("alpha", False),
    "HamiCoreVGPUMonitor": ("alpha", False),
    "PerCPUMetric": ("alpha", False),
    "NodeMetricPromMetrics": ("alpha", False),
    "BECPUSuppress": ("beta", True),
    "CPUBurst": ("beta", True),
    "RdtResctrl": ("beta", True),
    "BECPUManager": ("alpha", False),
    "BECPUEvict": ("alpha", False),
    "BEMemoryEvict": ("alpha", False),
    "CPUEvict": ("alpha", False),
    "MemoryEvict": ("alpha", False),
    "CPUAllocatableEvict": ("alpha", False),
    "MemoryAllocatableEvict": ("alpha", False),
    "SystemConfig": ("alpha", False),
    "CgroupReconcile": ("alpha", False),
}
_GROUPS: dict[str, Maturity] = {"AllAlpha": "alpha", "AllBeta": "beta"}
_BOOLS = {"true": True, "false": False}


def parse_gates(text: str) -> Mapping[str, bool]:
    """The state of every gate after `A=true,B=false`; FlagError names an unknown gate.

    `AllAlpha` and `AllBeta` switch a maturity group, except for gates that are named themselves.
    """
    named: dict[str, bool] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = entry.partition("=")
        if name not in GATES and name not in _GROUPS:
            raise FlagError(f"flag -feature-gates: unknown gate {name!r}")
        if value.lower() not in _BOOLS:
            raise FlagError(f"flag -feature-gates: gate {name}: found {value!r}, expected true or false")
        named[name] = _BOOLS[value.lower()]
    group_of = {maturity: named[group] for group, maturity in _GROUPS.items() if group in named}
    return {name: named.get(name, group_of.get(maturity, default)) for name, (maturity, default) in GATES.items()}
