"""PersistentVolumeClaim."""

from typing import ClassVar

import msgspec

from koord.api.base import Record, ResourceList
from koord.api.core.resources import ResourceRequirements
from koord.api.meta import LabelSelector, Object
from koord.api.resource import Resource


class PersistentVolumeClaimSpec(Record, kw_only=True):
    """The volume that is wanted; `volume_name` once it is bound."""

    access_modes: list[str] = []
    selector: LabelSelector | None = None
    resources: ResourceRequirements = msgspec.field(default_factory=ResourceRequirements)
    volume_name: str = ""
    storage_class_name: str | None = None
    volume_mode: str | None = None


class PersistentVolumeClaimStatus(Record, kw_only=True):
    """`Pending`, `Bound` or `Lost`, and the size."""

    phase: str = ""
    access_modes: list[str] = []
    capacity: ResourceList = {}


class PersistentVolumeClaim(Object, kw_only=True):
    """A claim to a volume."""

    RESOURCE: ClassVar = Resource("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", namespaced=True)

    spec: PersistentVolumeClaimSpec = msgspec.field(default_factory=PersistentVolumeClaimSpec)
    status: PersistentVolumeClaimStatus = msgspec.field(default_factory=PersistentVolumeClaimStatus)
