"""Gang scheduling and network topology."""

from typing import Final

LABEL_POD_GROUP: Final = "pod-group.scheduling.sigs.k8s.io"  # name of a PodGroup object
LABEL_LIGHTWEIGHT_POD_GROUP_NAME: Final = "pod-group.scheduling.sigs.k8s.io/name"  # deprecated
LABEL_LIGHTWEIGHT_POD_GROUP_MIN_AVAILABLE: Final = "pod-group.scheduling.sigs.k8s.io/min-available"  # deprecated
ANNOTATION_POD_GROUP_MATCH_POLICY: Final = "pod-group.scheduling.sigs.k8s.io/match-policy"  # alias

ANNOTATION_GANG_NAME: Final = "gang.scheduling.koordinator.sh/name"
ANNOTATION_GANG_MIN_AVAILABLE: Final = "gang.scheduling.koordinator.sh/min-available"
ANNOTATION_GANG_TOTAL_NUMBER: Final = "gang.scheduling.koordinator.sh/total-number"
ANNOTATION_GANG_WAITING_TIME: Final = "gang.scheduling.koordinator.sh/waiting-time"
ANNOTATION_GANG_MODE: Final = "gang.scheduling.koordinator.sh/mode"
ANNOTATION_GANG_MATCH_POLICY: Final = "gang.scheduling.koordinator.sh/match-policy"
ANNOTATION_GANG_GROUPS: Final = "gang.scheduling.koordinator.sh/groups"
ANNOTATION_GANG_TIMEOUT: Final = "gang.scheduling.koordinator.sh/timeout"  # declared; nothing reads or writes it

ANNOTATION_GANG_NETWORK_TOPOLOGY_SPEC: Final = "gang.scheduling.koordinator.sh/network-topology-spec"
ANNOTATION_GANG_NETWORK_TOPOLOGY_INDEX: Final = "gang.scheduling.koordinator.sh/network-topology-index"
ANNOTATION_NETWORK_TOPOLOGY_SELECTOR: Final = "scheduling.koordinator.sh/network-topology-selector"

ANNOTATION_BIND_GANG_GROUP_ID: Final = "internal.scheduling.koordinator.sh/bind-gang-group-id"
ANNOTATION_BIND_GANG_MEMBER_COUNT: Final = "internal.scheduling.koordinator.sh/bind-gang-member-count"
DEPRECATED_ANNOTATION_BIND_GANG_GROUP_ID: Final = "scheduling.koordinator.sh/bind-gang-group-id"
DEPRECATED_ANNOTATION_BIND_GANG_MEMBER_COUNT: Final = "scheduling.koordinator.sh/bind-gang-member-count"

LAYER_ROOT: Final = "ClusterTopologyLayer"
LAYER_NODE: Final = "NodeTopologyLayer"
