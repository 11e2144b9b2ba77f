"""ReplicaSet."""

from typing import ClassVar

import msgspec

from koord.api.base import Int32, Int64, Record
from koord.api.core.podspec import PodTemplateSpec
from koord.api.meta import LabelSelector, Object
from koord.api.resource import Resource


class ReplicaSetSpec(Record, kw_only=True):
    """How many pods of which kind."""

    replicas: Int32 | None = None
    min_ready_seconds: Int32 = 0
    selector: LabelSelector
    template: PodTemplateSpec = msgspec.field(default_factory=PodTemplateSpec)


class ReplicaSetStatus(Record, kw_only=True):
    """How many pods there are."""

    replicas: Int32 = 0
    fully_labeled_replicas: Int32 = 0
    ready_replicas: Int32 = 0
    available_replicas: Int32 = 0
    observed_generation: Int64 = 0


class ReplicaSet(Object, kw_only=True):
    """A number of equal pods, mostly owned by a Deployment."""

    RESOURCE: ClassVar = Resource("apps", "v1", "ReplicaSet", "replicasets", namespaced=True)

    spec: ReplicaSetSpec
    status: ReplicaSetStatus = msgspec.field(default_factory=ReplicaSetStatus)
