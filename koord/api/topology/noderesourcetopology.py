"""NodeResourceTopology: the NUMA nodes of a node and their resources, in both served versions."""

from dataclasses import replace
from typing import Annotated, ClassVar

from koord.api.base import Schema
from koord.api.customresource import CustomResource
from koord.api.meta import Object
from koord.api.topology.zones import AttributeInfo, Zone

_V1ALPHA2 = CustomResource(
    "topology.node.k8s.io",
    "v1alpha2",
    "NodeResourceTopology",
    "noderesourcetopologies",
    namespaced=False,
    short_names=("node-res-topo",),
    annotations={"api-approved.kubernetes.io": "https://github.com/kubernetes/enhancements/pull/1870"},
)


class NodeResourceTopologyV1alpha1(Object, kw_only=True):
    """The version that the node agent reads and writes; the object has its node's name."""

    RESOURCE: ClassVar = replace(_V1ALPHA2, version="v1alpha1", stored=False)

    topology_policies: list[str]
    zones: list[Zone]


class NodeResourceTopologyV1alpha2(Object, kw_only=True):
    """The stored version; `topology_policies` is deprecated in it."""

    RESOURCE: ClassVar = _V1ALPHA2

    topology_policies: Annotated[list[str], Schema(required=False)] = []
    zones: list[Zone]
    attributes: list[AttributeInfo] = []
