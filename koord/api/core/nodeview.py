"""NodeView: the part of a node that scheduling and the controllers need."""

from typing import ClassVar

from koord.api.base import ResourceList, Time, View
from koord.api.core.metaview import MetaView
from koord.api.core.node import Node
from koord.api.resource import Resource
from koord.api.selectors.taints import Taint


class NodeSpecView(View, frozen=True, kw_only=True):
    """What keeps pods away."""

    unschedulable: bool = False
    taints: tuple[Taint, ...] = ()


class NodeConditionView(View, frozen=True, kw_only=True):
    """A condition, e.g. `Ready`."""

    type: str = ""
    status: str = ""
    last_transition_time: Time | None = None


class ImageView(View, frozen=True, kw_only=True):
    """An image on the node, in bytes."""

    names: tuple[str, ...] = ()
    size_bytes: int = 0


class NodeStatusView(View, frozen=True, kw_only=True):
    """What the node has."""

    capacity: ResourceList = {}
    allocatable: ResourceList = {}
    conditions: tuple[NodeConditionView, ...] = ()
    images: tuple[ImageView, ...] = ()


class NodeView(View, frozen=True, kw_only=True):
    """A node as scheduling and the controllers see it."""

    RESOURCE: ClassVar[Resource] = Node.RESOURCE

    metadata: MetaView = MetaView()
    spec: NodeSpecView = NodeSpecView()
    status: NodeStatusView = NodeStatusView()
