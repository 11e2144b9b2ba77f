"""Gang scheduling and network topology."""

from enum import StrEnum

from koord.api.base import Int32, Record
from koord.api.names import gang as names
from koord.api.payloads import texts
from koord.api.payloads.payload import Findings, annotation, json_annotation, label, odd, unless_one_of


class GangMode(StrEnum):
    """What happens to the gang when a member cannot be placed."""

    STRICT = "Strict"
    NON_STRICT = "NonStrict"


class MatchPolicy(StrEnum):
    """Which members count towards the minimum."""

    ONLY_WAITING = "only-waiting"
    WAITING_AND_RUNNING = "waiting-and-running"
    ONCE_SATISFIED = "once-satisfied"


POD_GROUP = label(names.LABEL_POD_GROUP, texts.TEXT)
LIGHTWEIGHT_POD_GROUP_NAME = label(names.LABEL_LIGHTWEIGHT_POD_GROUP_NAME, texts.TEXT)
LIGHTWEIGHT_MIN_AVAILABLE = label(names.LABEL_LIGHTWEIGHT_POD_GROUP_MIN_AVAILABLE, texts.integer(32))
POD_GROUP_MATCH_POLICY = annotation(names.ANNOTATION_POD_GROUP_MATCH_POLICY, texts.one_of(MatchPolicy))

GANG_NAME = annotation(names.ANNOTATION_GANG_NAME, texts.TEXT)
GANG_MIN_AVAILABLE = annotation(names.ANNOTATION_GANG_MIN_AVAILABLE, texts.integer(32))
GANG_TOTAL_NUMBER = annotation(names.ANNOTATION_GANG_TOTAL_NUMBER, texts.integer(32))
GANG_WAITING_TIME = annotation(names.ANNOTATION_GANG_WAITING_TIME, texts.DURATION)
GANG_MODE = annotation(names.ANNOTATION_GANG_MODE, texts.one_of(GangMode))
GANG_MATCH_POLICY = annotation(names.ANNOTATION_GANG_MATCH_POLICY, texts.one_of(MatchPolicy))
GANG_TIMEOUT = annotation(names.ANNOTATION_GANG_TIMEOUT, texts.TEXT)


def _check_groups(groups: list[str]) -> None:
    for index, gang in enumerate(groups):
        namespace, slash, name = gang.partition("/")
        if not (namespace and slash and name) or "/" in name:
            raise odd(gang, "namespace/name of a gang", index)


GANG_GROUPS = json_annotation(names.ANNOTATION_GANG_GROUPS, list[str], check=_check_groups)


class GatherLevel(StrEnum):
    """Whether all members must be below one domain of the layer."""

    MUST_GATHER = "MustGather"
    PREFER_GATHER = "PreferGather"


class GatherStrategy(Record, kw_only=True):
    """How members gather on one layer of the network."""

    layer: str = ""
    strategy: str = ""
    pod_count_multiple: Int32 = 0


class NetworkTopologySpec(Record, kw_only=True):
    """How the members of a gang gather in the network."""

    gather_strategy: list[GatherStrategy] = []


def _review_network_topology(spec: NetworkTopologySpec) -> Findings:
    for index, one in enumerate(spec.gather_strategy):
        if not one.layer:
            yield odd(one.layer, "the name of a layer", "gatherStrategy", index, "layer")
        yield from unless_one_of(one.strategy, GatherLevel, "gatherStrategy", index, "strategy")


GANG_NETWORK_TOPOLOGY_SPEC = json_annotation(
    names.ANNOTATION_GANG_NETWORK_TOPOLOGY_SPEC, NetworkTopologySpec, review=_review_network_topology
)
GANG_NETWORK_TOPOLOGY_INDEX = annotation(
    names.ANNOTATION_GANG_NETWORK_TOPOLOGY_INDEX, texts.integer(low=0, high=2**63 - 1)
)
NETWORK_TOPOLOGY_SELECTOR = annotation(names.ANNOTATION_NETWORK_TOPOLOGY_SELECTOR, texts.TEXT)

BIND_GANG_GROUP_ID = annotation(names.ANNOTATION_BIND_GANG_GROUP_ID, texts.COMMA_LIST)
BIND_GANG_MEMBER_COUNT = annotation(names.ANNOTATION_BIND_GANG_MEMBER_COUNT, texts.integer())
DEPRECATED_BIND_GANG_GROUP_ID = annotation(names.DEPRECATED_ANNOTATION_BIND_GANG_GROUP_ID, texts.COMMA_LIST)
DEPRECATED_BIND_GANG_MEMBER_COUNT = annotation(names.DEPRECATED_ANNOTATION_BIND_GANG_MEMBER_COUNT, texts.integer())
