"""PodDisruptionBudget."""

from typing import ClassVar

import msgspec

from koord.api.base import Int32, Int64, IntOrString, Record, Time
from koord.api.meta import LabelSelector, Object
from koord.api.resource import Resource


class PodDisruptionBudgetSpec(Record, kw_only=True):
    """How many of the selected pods must stay, or may be away."""

    min_available: IntOrString | None = None
    selector: LabelSelector | None = None
    max_unavailable: IntOrString | None = None
    unhealthy_pod_eviction_policy: str | None = None


class PodDisruptionBudgetStatus(Record, kw_only=True):
    """How many disruptions are allowed now."""

    observed_generation: Int64 = 0
    disrupted_pods: dict[str, Time] = {}
    disruptions_allowed: Int32 = 0
    current_healthy: Int32 = 0
    desired_healthy: Int32 = 0
    expected_pods: Int32 = 0


class PodDisruptionBudget(Object, kw_only=True):
    """A limit of voluntary disruptions."""

    RESOURCE: ClassVar = Resource("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", namespaced=True)

    spec: PodDisruptionBudgetSpec = msgspec.field(default_factory=PodDisruptionBudgetSpec)
    status: PodDisruptionBudgetStatus = msgspec.field(default_factory=PodDisruptionBudgetStatus)
