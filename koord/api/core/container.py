"""Containers of a pod."""

import msgspec

from koord.api.base import Int32, Record
from koord.api.core.resources import ResourceRequirements
from koord.api.core.volumes import VolumeDevice, VolumeMount


class ContainerPort(Record, kw_only=True):
    """A port of a container; a `host_port` of 0 is none."""

    name: str = ""
    container_port: Int32
    host_port: Int32 = 0
    host_ip: str = ""
    protocol: str = ""


class EnvVar(Record, kw_only=True):
    """An environment variable; `valueFrom` is carried unread."""

    name: str
    value: str = ""


class Container(Record, kw_only=True):
    """A container; an init container whose restart policy is `Always` is a sidecar."""

    name: str
    image: str = ""
    command: list[str] = []
    args: list[str] = []
    ports: list[ContainerPort] = []
    env: list[EnvVar] = []
    resources: ResourceRequirements = msgspec.field(default_factory=ResourceRequirements)
    restart_policy: str | None = None
    volume_mounts: list[VolumeMount] = []
    volume_devices: list[VolumeDevice] = []
