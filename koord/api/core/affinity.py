"""What a pod says about where it wants to be."""

from typing import Annotated

from koord.api.base import Int32, Schema, Value
from koord.api.meta import LabelSelector
from koord.api.selectors.nodes import NodeAffinity
from koord.api.selectors.pods import PodAffinity


class Affinity(Value, frozen=True, kw_only=True):
    """Affinity to nodes, to other pods, and against other pods."""

    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAffinity | None = None


class TopologySpreadConstraint(Value, frozen=True, kw_only=True):
    """How evenly matching pods are spread over the values of a node label."""

    max_skew: Int32
    topology_key: str
    when_unsatisfiable: str
    label_selector: LabelSelector | None = None
    min_domains: Int32 | None = None
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    match_label_keys: Annotated[tuple[str, ...], Schema(list_type="atomic")] = ()
