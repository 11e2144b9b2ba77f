"""NodeMetric: what a node and its pods used, as the node agent reports it."""

from typing import Annotated, ClassVar

import msgspec

from koord.api.base import Int32, Int64, Record, ResourceList, Schema, Time, Untyped
from koord.api.customresource import CustomResource
from koord.api.duration import Duration
from koord.api.meta import Object
from koord.api.scheduling.device import DeviceInfo


class AggregatePolicy(Record, kw_only=True):
    """The windows over which usage is aggregated."""

    durations: list[Duration] = []


class NodeMetricCollectPolicy(Record, kw_only=True):
    """How often and over which time the agent reports."""

    aggregate_duration_seconds: Int64 | None = None
    report_interval_seconds: Int64 | None = None
    node_aggregate_policy: AggregatePolicy | None = None
    node_memory_collect_policy: (
        Annotated[str, Schema(enum=("usageWithHotPageCache", "usageWithoutPageCache", "usageWithPageCache"))] | None
    ) = None


class NodeMetricSpec(Record, kw_only=True):
    """What the agent is asked to report."""

    metric_collect_policy: NodeMetricCollectPolicy | None = None


class ResourceMap(Record, kw_only=True):
    """Usage of resources and of devices."""

    resources: ResourceList = {}
    devices: list[DeviceInfo] = []


class AggregatedUsage(Record, kw_only=True):
    """Usage over one window, by `avg`, `p50`, `p90`, `p95` and `p99`."""

    usage: dict[str, ResourceMap] = {}
    duration: Duration | None = None


class NUMAUsage(Record, kw_only=True):
    """Usage of one NUMA node."""

    numa_node_id: Int32
    node_usage: ResourceMap = msgspec.field(default_factory=ResourceMap)
    system_usage: ResourceMap = msgspec.field(default_factory=ResourceMap)


class NodeMetricInfo(Record, kw_only=True):
    """Usage of the node, and of what runs on it beside pods and host applications (`system_usage`)."""

    node_usage: ResourceMap = msgspec.field(default_factory=ResourceMap)
    aggregated_node_usages: list[AggregatedUsage] = []
    system_usage: ResourceMap = msgspec.field(default_factory=ResourceMap)
    aggregated_system_usages: list[AggregatedUsage] = []
    numa_usages: list[NUMAUsage] = []


class PodMetricInfo(Record, kw_only=True):
    """Usage of a pod with its priority class and QoS class."""

    name: str = ""
    namespace: str = ""
    pod_usage: ResourceMap = msgspec.field(default_factory=ResourceMap)
    priority: str = ""
    qos: str = ""
    extensions: Untyped = {}


class HostApplicationMetricInfo(Record, kw_only=True):
    """Usage of a host application."""

    name: str = ""
    usage: ResourceMap = msgspec.field(default_factory=ResourceMap)
    priority: str = ""
    qos: str = ""


class ReclaimableMetric(Record, kw_only=True):
    """An amount of resources, e.g. what prod pods requested and will not use."""

    resource: ResourceMap = msgspec.field(default_factory=ResourceMap)


class NodeMetricStatus(Record, kw_only=True):
    """The last report."""

    update_time: Time | None = None
    node_metric: NodeMetricInfo | None = None
    pods_metric: list[PodMetricInfo] = []
    host_application_metric: list[HostApplicationMetricInfo] = []
    prod_reclaimable_metric: ReclaimableMetric | None = None
    prod_peak_metric: ReclaimableMetric | None = None


class NodeMetric(Object, kw_only=True):
    """Usage of a node; the object has its node's name."""

    RESOURCE: ClassVar = CustomResource(
        "slo.koordinator.sh", "v1alpha1", "NodeMetric", "nodemetrics", namespaced=False, status_subresource=True
    )

    spec: NodeMetricSpec = msgspec.field(default_factory=NodeMetricSpec)
    status: NodeMetricStatus = msgspec.field(default_factory=NodeMetricStatus)
