"""Job."""

from typing import ClassVar

import msgspec

from koord.api.base import Int32, Record, Time
from koord.api.core.podspec import PodTemplateSpec
from koord.api.meta import LabelSelector, Object
from koord.api.resource import Resource


class JobSpec(Record, kw_only=True):
    """How many pods at once, and how many must succeed."""

    parallelism: Int32 | None = None
    completions: Int32 | None = None
    backoff_limit: Int32 | None = None
    selector: LabelSelector | None = None
    suspend: bool | None = None
    template: PodTemplateSpec


class JobCondition(Record, kw_only=True):
    """A condition, e.g. `Complete` or `Failed`."""

    type: str
    status: str
    last_probe_time: Time | None = None
    last_transition_time: Time | None = None
    reason: str = ""
    message: str = ""


class JobStatus(Record, kw_only=True):
    """How many pods run, succeeded and failed."""

    conditions: list[JobCondition] = []
    start_time: Time | None = None
    completion_time: Time | None = None
    active: Int32 = 0
    succeeded: Int32 = 0
    failed: Int32 = 0
    ready: Int32 | None = None


class Job(Object, kw_only=True):
    """Pods that run to their end."""

    RESOURCE: ClassVar = Resource("batch", "v1", "Job", "jobs", namespaced=True)

    spec: JobSpec
    status: JobStatus = msgspec.field(default_factory=JobStatus)
