"""StorageClass."""

from typing import ClassVar

from koord.api.base import Value
from koord.api.meta import Object
from koord.api.resource import Resource


class TopologySelectorLabelRequirement(Value, frozen=True, kw_only=True):
    """A node label and the values of which one must match."""

    key: str
    values: tuple[str, ...]


class TopologySelectorTerm(Value, frozen=True, kw_only=True):
    """Labels that must all match."""

    match_label_expressions: tuple[TopologySelectorLabelRequirement, ...] = ()


class StorageClass(Object, kw_only=True):
    """How volumes are made, and when they are bound (`Immediate` or `WaitForFirstConsumer`)."""

    RESOURCE: ClassVar = Resource("storage.k8s.io", "v1", "StorageClass", "storageclasses", namespaced=False)

    provisioner: str
    parameters: dict[str, str] = {}
    reclaim_policy: str | None = None
    allow_volume_expansion: bool | None = None
    volume_binding_mode: str | None = None
    allowed_topologies: list[TopologySelectorTerm] = []
