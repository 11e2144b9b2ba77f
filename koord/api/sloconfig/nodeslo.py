"""From the ConfigMap to the NodeSLO spec of one node."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeVar, cast

import msgspec

from koord.api.base import Record
from koord.api.errors import QuantityError, ValidationError
from koord.api.names.node import ANNOTATION_NETWORK_BANDWIDTH
from koord.api.quantity import Quantity
from koord.api.selectors.requirement import Labels
from koord.api.slo.cpuburst import CPUBurstStrategy
from koord.api.slo.hostapplication import HostApplicationSpec
from koord.api.slo.nodeslo import NodeSLOSpec
from koord.api.slo.resourceqos import ResourceQOSStrategy
from koord.api.slo.system import SystemStrategy
from koord.api.slo.threshold import ResourceThresholdStrategy
from koord.api.sloconfig import defaults, keys
from koord.api.sloconfig.strategies import NodeEntry, Strategies, overlaid, written_inline, written_layered

S = TypeVar("S", bound=Record)


class HostApplications(Record, kw_only=True):
    """The applications of a node or of the cluster."""

    applications: list[HostApplicationSpec] = []


@dataclass(frozen=True)
class NodeSLOConfig:
    """What the five keys say, merged with the defaults."""

    threshold: Strategies[ResourceThresholdStrategy]
    resource_qos: Strategies[ResourceQOSStrategy]
    cpu_burst: Strategies[CPUBurstStrategy]
    system: Strategies[SystemStrategy]
    host_applications: Strategies[HostApplications]


DEFAULT: Final = NodeSLOConfig(
    threshold=Strategies(defaults.RESOURCE_THRESHOLD),
    resource_qos=Strategies(defaults.RESOURCE_QOS),
    cpu_burst=Strategies(defaults.CPU_BURST),
    system=Strategies(defaults.SYSTEM),
    host_applications=Strategies(HostApplications()),
)
"""The configuration without a ConfigMap."""


_PARSERS: Final[dict[str, tuple[str, Callable[[str, str], Strategies[Any]]]]] = {
    "threshold": (keys.KEY_RESOURCE_THRESHOLD, lambda key, text: _layered(key, text, defaults.RESOURCE_THRESHOLD)),
    "resource_qos": (keys.KEY_RESOURCE_QOS, lambda key, text: _layered(key, text, defaults.RESOURCE_QOS)),
    "cpu_burst": (keys.KEY_CPU_BURST, lambda key, text: _layered(key, text, defaults.CPU_BURST)),
    "system": (keys.KEY_SYSTEM, lambda key, text: _layered(key, text, defaults.SYSTEM)),
    "host_applications": (keys.KEY_HOST_APPLICATION, lambda key, text: _host_applications(key, text)),
}
"""Per part of NodeSLOConfig: its data key and its reader."""


def _layered(key: str, text: str, default: S) -> Strategies[S]:
    return overlaid(written_layered(key, text, type(default)), default)


def _host_applications(key: str, text: str) -> Strategies[HostApplications]:
    """The list of a node replaces that of the cluster whole, also an empty one."""
    written = written_inline(key, text, HostApplications)
    nothing = HostApplications()
    nodes = (NodeEntry(one.name, one.selector, one.strategy or nothing) for one in written.nodes)
    return Strategies(written.cluster or nothing, tuple(nodes))


def read_config(
    data: Mapping[str, str] | None, last: NodeSLOConfig = DEFAULT
) -> tuple[NodeSLOConfig, list[ValidationError]]:
    """Read the ConfigMap's data; None stands for a ConfigMap that does not exist.

    A key that is missing gives its defaults. A key that is broken keeps its part of the last good configuration; the
    errors, one per broken key, name the key and the path in its document.
    """
    config = DEFAULT
    errors: list[ValidationError] = []
    for field in fields(config):
        key, parse = _PARSERS[field.name]
        text = (data or {}).get(key)
        if text is None:
            continue
        try:
            part: object = parse(key, text)
        except ValidationError as error:
            errors.append(error)
            part = getattr(last, field.name)
        config = replace(config, **{field.name: cast("Any", part)})
    return config, errors


def node_slo_spec(
    config: NodeSLOConfig, node: str, labels: Labels, annotations: Labels
) -> tuple[NodeSLOSpec, list[ValidationError]]:
    """The spec for a node of that name, labels and annotations; its `extensions` are empty, plugins fill them.

    An unreadable network bandwidth on the node leaves the system strategy absent; the error says so.
    """
    errors: list[ValidationError] = []
    system: SystemStrategy | None = config.system.for_node(labels)
    try:
        system = _with_bandwidth(system, annotations.get(ANNOTATION_NETWORK_BANDWIDTH))
    except QuantityError:
        path, found = f"metadata.annotations[{ANNOTATION_NETWORK_BANDWIDTH}]", annotations[ANNOTATION_NETWORK_BANDWIDTH]
        errors.append(ValidationError(f"Node {node}", path, found, 'a quantity of bits per second such as "10G"'))
        system = None
    spec = NodeSLOSpec(
        resource_used_threshold_with_be=config.threshold.for_node(labels),
        resource_qos_strategy=config.resource_qos.for_node(labels),
        cpu_burst_strategy=config.cpu_burst.for_node(labels),
        system_strategy=system,
        host_applications=config.host_applications.for_node(labels).applications,
        extensions={"Object": {}},  # the wire form when no plugin has filled them
    )
    return spec, errors


def _with_bandwidth(system: SystemStrategy, text: str | None) -> SystemStrategy:
    """The strategy with the node's own bandwidth; raises QuantityError."""
    if text is None:
        return system
    return msgspec.structs.replace(system, total_network_bandwidth=Quantity.parse(text))
