"""What a received NodeSLO means for the node agent: laid over the built-in defaults, disabled settings off."""

from typing import TypeVar

import msgspec

from koord.api.base import Record
from koord.api.slo.nodeslo import NodeSLOSpec
from koord.api.slo.resourceqos import ResourceQOS, ResourceQOSStrategy
from koord.api.sloconfig import defaults
from koord.api.sloconfig.classdefaults import CPU_OFF, MEMORY_OFF, RECOMMENDED, RESCTRL_OFF
from koord.api.sloconfig.merge import merged

S = TypeVar("S", bound=Record)


def effective(spec: NodeSLOSpec) -> NodeSLOSpec:
    """The spec with every strategy present and every field set that has a default.

    For the classes LSR, LS and BE the CPU, memory and resctrl settings that are not enabled are replaced by values that
    switch them off. The settings of systemClass are not: what they say acts whether they are enabled or not.
    """
    return NodeSLOSpec(
        resource_used_threshold_with_be=_over(defaults.RESOURCE_THRESHOLD, spec.resource_used_threshold_with_be),
        resource_qos_strategy=_effective_qos(spec.resource_qos_strategy),
        cpu_burst_strategy=_over(defaults.CPU_BURST, spec.cpu_burst_strategy),
        system_strategy=_over(defaults.SYSTEM, spec.system_strategy),
        host_applications=spec.host_applications,
        extensions=spec.extensions,
    )


def _over(default: S, strategy: S | None) -> S:
    return default if strategy is None else merged(default, strategy)


def _effective_qos(strategy: ResourceQOSStrategy | None) -> ResourceQOSStrategy:
    qos = _over(RECOMMENDED, strategy)
    return msgspec.structs.replace(
        qos,
        lsr_class=_disabled_off(qos.lsr_class),
        ls_class=_disabled_off(qos.ls_class),
        be_class=_disabled_off(qos.be_class),
    )


def _disabled_off(qos: ResourceQOS | None) -> ResourceQOS | None:
    if qos is None:
        return None
    return msgspec.structs.replace(
        qos,
        cpu_qos=qos.cpu_qos if qos.cpu_qos and qos.cpu_qos.enable else CPU_OFF,
        memory_qos=qos.memory_qos if qos.memory_qos and qos.memory_qos.enable else MEMORY_OFF,
        resctrl_qos=qos.resctrl_qos if qos.resctrl_qos and qos.resctrl_qos.enable else RESCTRL_OFF,
    )
