"""All kinds that the API types know."""

from typing import Final

from koord.api.analysis.recommendation import Recommendation
from koord.api.apps.daemonset import DaemonSet
from koord.api.apps.deployment import Deployment
from koord.api.apps.job import Job
from koord.api.apps.replicaset import ReplicaSet
from koord.api.apps.statefulset import StatefulSet
from koord.api.config.clustercolocationprofile import ClusterColocationProfile
from koord.api.core.configmap import ConfigMap
from koord.api.core.csinode import CSINode
from koord.api.core.event import Event
from koord.api.core.lease import Lease
from koord.api.core.namespace import Namespace
from koord.api.core.node import Node
from koord.api.core.persistentvolume import PersistentVolume
from koord.api.core.persistentvolumeclaim import PersistentVolumeClaim
from koord.api.core.pod import Pod
from koord.api.core.poddisruptionbudget import PodDisruptionBudget
from koord.api.core.priorityclass import PriorityClass
from koord.api.core.storageclass import StorageClass
from koord.api.meta import Object
from koord.api.quota.elasticquotaprofile import ElasticQuotaProfile
from koord.api.scheduling.clusternetworktopology import ClusterNetworkTopology
from koord.api.scheduling.device import Device
from koord.api.scheduling.podmigrationjob import PodMigrationJob
from koord.api.scheduling.reservation import Reservation
from koord.api.scheduling.scheduleexplanation import ScheduleExplanation
from koord.api.sigs.elasticquota import ElasticQuota
from koord.api.sigs.podgroup import PodGroup
from koord.api.slo.nodemetric import NodeMetric
from koord.api.slo.nodeslo import NodeSLO
from koord.api.topology.noderesourcetopology import NodeResourceTopologyV1alpha1, NodeResourceTopologyV1alpha2

CUSTOM: Final[tuple[type[Object], ...]] = (
    ClusterColocationProfile,
    ClusterNetworkTopology,
    Device,
    ElasticQuota,
    ElasticQuotaProfile,
    NodeMetric,
    NodeResourceTopologyV1alpha1,
    NodeResourceTopologyV1alpha2,
    NodeSLO,
    PodGroup,
    PodMigrationJob,
    Recommendation,
    Reservation,
    ScheduleExplanation,
)
"""The kinds that CRDs define."""

BUILT_IN: Final[tuple[type[Object], ...]] = (
    ConfigMap,
    CSINode,
    DaemonSet,
    Deployment,
    Event,
    Job,
    Lease,
    Namespace,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PodDisruptionBudget,
    PriorityClass,
    ReplicaSet,
    StatefulSet,
    StorageClass,
)
"""The kinds of Kubernetes itself."""

_BY_NAME: Final = {(kind.RESOURCE.api_version, kind.RESOURCE.kind): kind for kind in (*CUSTOM, *BUILT_IN)}


def kind_of(api_version: str, kind: str) -> type[Object] | None:
    """The type of a kind; None for one that the API types don't know."""
    return _BY_NAME.get((api_version, kind))
