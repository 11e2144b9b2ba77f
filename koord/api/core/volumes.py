"""Volumes of a pod, as far as placement depends on them."""

import msgspec

from koord.api.base import Record
from koord.api.core.persistentvolumeclaim import PersistentVolumeClaimSpec
from koord.api.meta import ObjectMeta
from koord.api.quantity import Quantity


class PersistentVolumeClaimVolumeSource(Record, kw_only=True):
    """A claim in the pod's namespace."""

    claim_name: str
    read_only: bool = False


class PersistentVolumeClaimTemplate(Record, kw_only=True):
    """The claim that is made for the pod."""

    metadata: ObjectMeta = msgspec.field(default_factory=ObjectMeta)
    spec: PersistentVolumeClaimSpec


class EphemeralVolumeSource(Record, kw_only=True):
    """A claim that lives as long as the pod."""

    volume_claim_template: PersistentVolumeClaimTemplate | None = None


class EmptyDirVolumeSource(Record, kw_only=True):
    """A directory that lives as long as the pod."""

    medium: str = ""
    size_limit: Quantity | None = None


class CSIVolumeSource(Record, kw_only=True):
    """An inline volume of a CSI driver."""

    driver: str
    read_only: bool | None = None
    fs_type: str | None = None
    volume_attributes: dict[str, str] = {}


class HostPathVolumeSource(Record, kw_only=True):
    """A path of the node."""

    path: str
    type: str | None = None


class Volume(Record, kw_only=True):
    """A volume; its other sources are carried unread."""

    name: str
    persistent_volume_claim: PersistentVolumeClaimVolumeSource | None = None
    ephemeral: EphemeralVolumeSource | None = None
    empty_dir: EmptyDirVolumeSource | None = None
    csi: CSIVolumeSource | None = None
    host_path: HostPathVolumeSource | None = None


class VolumeMount(Record, kw_only=True):
    """Where a container sees a volume."""

    name: str
    mount_path: str
    sub_path: str = ""
    read_only: bool = False


class VolumeDevice(Record, kw_only=True):
    """Where a container sees a block volume."""

    name: str
    device_path: str
