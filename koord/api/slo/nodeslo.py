"""NodeSLO: what the node agent enforces on one node."""

from typing import ClassVar

import msgspec

from koord.api.base import Record, Untyped
from koord.api.customresource import CustomResource
from koord.api.meta import Object
from koord.api.slo.cpuburst import CPUBurstStrategy
from koord.api.slo.hostapplication import HostApplicationSpec
from koord.api.slo.resourceqos import ResourceQOSStrategy
from koord.api.slo.system import SystemStrategy
from koord.api.slo.threshold import ResourceThresholdStrategy


class NodeSLOSpec(Record, kw_only=True):
    """The node's strategies; `extensions` belongs to plugins."""

    resource_used_threshold_with_be: ResourceThresholdStrategy | None = None
    resource_qos_strategy: ResourceQOSStrategy | None = None
    cpu_burst_strategy: CPUBurstStrategy | None = None
    system_strategy: SystemStrategy | None = None
    extensions: Untyped = {}
    host_applications: list[HostApplicationSpec] = []


class NodeSLOStatus(Record, kw_only=True):
    """Has no fields."""


class NodeSLO(Object, kw_only=True):
    """The strategies that the node agent enforces; the object has its node's name."""

    RESOURCE: ClassVar = CustomResource(
        "slo.koordinator.sh", "v1alpha1", "NodeSLO", "nodeslos", namespaced=False, status_subresource=True
    )

    spec: NodeSLOSpec = msgspec.field(default_factory=NodeSLOSpec)
    status: NodeSLOStatus = msgspec.field(default_factory=NodeSLOStatus)
