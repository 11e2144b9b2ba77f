"""What both versions of NodeResourceTopology consist of: zones with attributes, costs and resources."""

from koord.api.base import Int64, Record
from koord.api.quantity import Quantity


class AttributeInfo(Record, kw_only=True):
    """A named text."""

    name: str
    value: str


class CostInfo(Record, kw_only=True):
    """The distance to another zone."""

    name: str
    value: Int64


class ResourceInfo(Record, kw_only=True):
    """How much of a resource a zone has, offers, and has left."""

    name: str
    capacity: Quantity
    allocatable: Quantity
    available: Quantity


class Zone(Record, kw_only=True):
    """A part of the node, e.g. a NUMA node (`name` node-0, `type` Node)."""

    name: str
    type: str
    parent: str = ""
    costs: list[CostInfo] = []
    attributes: list[AttributeInfo] = []
    resources: list[ResourceInfo] = []
