"""CSINode."""

from typing import ClassVar

from koord.api.base import Int32, Record
from koord.api.meta import Object
from koord.api.resource import Resource


class VolumeNodeResources(Record, kw_only=True):
    """How many volumes the node can attach."""

    count: Int32 | None = None


class CSINodeDriver(Record, kw_only=True):
    """A CSI driver on the node."""

    name: str
    node_id: str
    topology_keys: list[str] = []
    allocatable: VolumeNodeResources | None = None


class CSINodeSpec(Record, kw_only=True):
    """The drivers of the node."""

    drivers: list[CSINodeDriver]


class CSINode(Object, kw_only=True):
    """The CSI drivers of a node; the object has its node's name."""

    RESOURCE: ClassVar = Resource("storage.k8s.io", "v1", "CSINode", "csinodes", namespaced=False)

    spec: CSINodeSpec
