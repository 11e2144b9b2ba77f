"""ClusterNetworkTopology: the layers of the cluster's network, e.g. block, spine, leaf, node."""

from typing import Annotated, ClassVar

import msgspec

from koord.api.base import Int32, Record, Schema
from koord.api.customresource import CustomResource
from koord.api.meta import Object


class NetworkTopologySpec(Record, kw_only=True):
    """A layer, the layer above it, and the node labels of which any names a node's place in it."""

    label_key: list[str] = []
    parent_topology_layer: str = ""
    topology_layer: str


class ClusterNetworkTopologySpec(Record, kw_only=True):
    """All layers."""

    network_topology_spec: list[NetworkTopologySpec]


class TopologyInfo(Record, kw_only=True):
    """A place: its layer and its name."""

    topology_layer: str
    topology_name: str


class TopologyDetail(Record, kw_only=True):
    """A place with what is above and below it."""

    topology_info: TopologyInfo
    parent_topology_info: TopologyInfo | None = None
    child_topology_layer: str = ""
    child_topology_names: list[str] = []
    node_num: Int32


class ClusterNetworkTopologyStatus(Record, kw_only=True):
    """All places."""

    detail_status: list[TopologyDetail] = []


class ClusterNetworkTopology(Object, kw_only=True):
    """The layers of the cluster's network; the scheduler reads the object named `default`."""

    RESOURCE: ClassVar = CustomResource(
        "scheduling.koordinator.sh",
        "v1alpha1",
        "ClusterNetworkTopology",
        "clusternetworktopologies",
        namespaced=False,
        status_subresource=True,
    )

    spec: Annotated[ClusterNetworkTopologySpec, Schema(required=False)]
    status: ClusterNetworkTopologyStatus = msgspec.field(default_factory=ClusterNetworkTopologyStatus)
