"""PriorityClass."""

from typing import ClassVar

from koord.api.base import Int32
from koord.api.meta import Object
from koord.api.resource import Resource


class PriorityClass(Object, kw_only=True):
    """A name for a priority."""

    RESOURCE: ClassVar = Resource("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", namespaced=False)

    value: Int32
    global_default: bool = False
    description: str = ""
    preemption_policy: str | None = None
