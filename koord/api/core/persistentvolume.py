"""PersistentVolume."""

from typing import ClassVar

import msgspec

from koord.api.base import Record, ResourceList
from koord.api.meta import Object, ObjectReference
from koord.api.resource import Resource
from koord.api.selectors.nodes import NodeSelector


class VolumeNodeAffinity(Record, kw_only=True):
    """The nodes from which the volume can be reached."""

    required: NodeSelector | None = None


class CSIPersistentVolumeSource(Record, kw_only=True):
    """The volume of a CSI driver."""

    driver: str
    volume_handle: str
    read_only: bool = False


class PersistentVolumeSpec(Record, kw_only=True):
    """The volume; sources other than CSI are carried unread."""

    capacity: ResourceList = {}
    access_modes: list[str] = []
    claim_ref: ObjectReference | None = None
    persistent_volume_reclaim_policy: str = ""
    storage_class_name: str = ""
    volume_mode: str | None = None
    node_affinity: VolumeNodeAffinity | None = None
    csi: CSIPersistentVolumeSource | None = None


class PersistentVolumeStatus(Record, kw_only=True):
    """`Pending`, `Available`, `Bound`, `Released` or `Failed`."""

    phase: str = ""
    reason: str = ""
    message: str = ""


class PersistentVolume(Object, kw_only=True):
    """A volume of the cluster."""

    RESOURCE: ClassVar = Resource("", "v1", "PersistentVolume", "persistentvolumes", namespaced=False)

    spec: PersistentVolumeSpec = msgspec.field(default_factory=PersistentVolumeSpec)
    status: PersistentVolumeStatus = msgspec.field(default_factory=PersistentVolumeStatus)
