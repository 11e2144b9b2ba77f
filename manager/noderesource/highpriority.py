"""Requests and use of the pods that batch pods must leave room for."""

from dataclasses import dataclass

from koord.api.base import ResourceList
from koord.api.qos import PriorityClass, QoSClass
from koord.api.slo.nodemetric import NodeMetricStatus
from manager.noderesource.amounts import CPU, MEMORY, add, cpu_and_memory, maximum, total
from manager.noderesource.pods import PodDemand

LOW_PRIORITIES = (PriorityClass.BATCH, PriorityClass.FREE)


@dataclass(frozen=True)
class PodUse:
    """A high-priority pod with what it counts for; `used` is None without a metric."""

    demand: PodDemand
    used: ResourceList | None

    @property
    def request(self) -> ResourceList:
        """What the pod requests."""
        return self.demand.request

    @property
    def charged(self) -> ResourceList:
        """What counts as used: the request without a metric, and the whole CPUs of LSE pods, which are never shared."""
        if self.used is None:
            return self.request
        if self.demand.qos is QoSClass.LSE:
            mixed = {CPU: self.request.get(CPU), MEMORY: self.used.get(MEMORY)}
            return {name: amount for name, amount in mixed.items() if amount is not None}
        return self.used


@dataclass(frozen=True)
class HighPriorityUse:
    """All live high-priority pods, and the use of each that is gone but still in the metric."""

    pods: tuple[PodUse, ...]
    gone: tuple[ResourceList, ...]

    def requested(self) -> ResourceList:
        """The sum of requests."""
        return total(pod.request for pod in self.pods)

    def used(self) -> ResourceList:
        """The sum of what counts as used."""
        return add(total(pod.charged for pod in self.pods), total(self.gone))

    def peak(self) -> ResourceList:
        """The sum of the larger of request and use.

        Pods without a metric are left out, as the reference does, though that overstates what is left for batch.
        """
        peaks = (maximum(pod.request, pod.used) for pod in self.pods if pod.used is not None)
        return add(total(peaks), total(self.gone))


def high_priority_use(demands: list[PodDemand], metric: NodeMetricStatus) -> HighPriorityUse:
    """Match live pods with their metrics by namespace and name.

    A metric without a live pod counts by its own class; one of a live batch pod does not count.
    """
    metrics = {f"{one.namespace}/{one.name}": one for one in metric.pods_metric}
    pods: list[PodUse] = []
    for demand in demands:
        if demand.priority not in LOW_PRIORITIES:
            found = metrics.get(demand.key)
            pods.append(PodUse(demand, None if found is None else cpu_and_memory(found.pod_usage.resources)))
    live = {demand.key for demand in demands}
    gone = (one for key, one in metrics.items() if key not in live and one.priority not in LOW_PRIORITIES)
    return HighPriorityUse(tuple(pods), tuple(cpu_and_memory(one.pod_usage.resources) for one in gone))
