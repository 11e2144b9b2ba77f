"""What of a node is not there for pods: reservations, use by the system and by host applications; the metric's age."""

from datetime import datetime, timedelta

from koord.api.base import ResourceList
from koord.api.core.node import Node
from koord.api.cpulist import parse_cpus
from koord.api.names.resources import RESOURCE_CPU
from koord.api.payloads.node import NODE_RESERVATION, NodeReservation
from koord.api.qos import PriorityClass, class_value, priority_class
from koord.api.quantity import Quantity
from koord.api.slo.nodemetric import NodeMetricInfo, NodeMetricStatus
from koord.api.sloconfig.colocation import ColocationStrategy
from koord.api.sloconfig.defaults import COLOCATION
from manager.noderesource.amounts import ZERO, add, cpu_and_memory, maximum, subtract


def is_degraded(metric: NodeMetricStatus, strategy: ColocationStrategy, now: datetime) -> bool:
    """Whether the metric is absent or older than `degradeTimeMinutes`; exactly that old is still good."""
    minutes = strategy.degrade_time_minutes
    age = timedelta(minutes=(COLOCATION.degrade_time_minutes or 0) if minutes is None else minutes)
    return metric.update_time is None or now > metric.update_time + age


def capacity(node: Node) -> ResourceList:
    """The node's cpu and memory."""
    return cpu_and_memory(node.status.capacity)


def reserved(node: Node) -> ResourceList:
    """The larger of what kubelet keeps (capacity - allocatable) and of what the node's annotation reserves.

    An annotation that cannot be read reserves nothing; `applyPolicy` makes no difference here.
    """
    kubelet = maximum(subtract(capacity(node), cpu_and_memory(node.status.allocatable)), ZERO)
    annotated, _ = NODE_RESERVATION.read_or(node.metadata.annotations, node.subject, NodeReservation())
    return maximum(kubelet, cpu_and_memory(_amounts(annotated)))


def _amounts(reservation: NodeReservation) -> ResourceList:
    if not reservation.reserved_cpus:
        return reservation.resources
    return reservation.resources | {RESOURCE_CPU: Quantity(len(parse_cpus(reservation.reserved_cpus)))}


def system_use(metric: NodeMetricStatus, above: PriorityClass) -> ResourceList:
    """Use by the system and by the host applications of classes above the given one."""
    info = metric.node_metric or NodeMetricInfo()
    used = cpu_and_memory(info.system_usage.resources)
    for application in metric.host_application_metric:
        if class_value(priority_class(application.priority)) > class_value(above):
            used = add(used, cpu_and_memory(application.usage.resources))
    return used
