"""Deployment."""

from typing import ClassVar

import msgspec

from koord.api.base import Int32, Int64, IntOrString, Record
from koord.api.core.podspec import PodTemplateSpec
from koord.api.meta import LabelSelector, Object
from koord.api.resource import Resource


class RollingUpdateDeployment(Record, kw_only=True):
    """How many pods may be missing or too many during an update."""

    max_unavailable: IntOrString | None = None
    max_surge: IntOrString | None = None


class DeploymentStrategy(Record, kw_only=True):
    """`Recreate` or `RollingUpdate`."""

    type: str = ""
    rolling_update: RollingUpdateDeployment | None = None


class DeploymentSpec(Record, kw_only=True):
    """How many pods of which kind, and how they are replaced."""

    replicas: Int32 | None = None
    selector: LabelSelector
    template: PodTemplateSpec
    strategy: DeploymentStrategy = msgspec.field(default_factory=DeploymentStrategy)
    min_ready_seconds: Int32 = 0
    paused: bool = False


class DeploymentStatus(Record, kw_only=True):
    """How many pods there are."""

    observed_generation: Int64 = 0
    replicas: Int32 = 0
    updated_replicas: Int32 = 0
    ready_replicas: Int32 = 0
    available_replicas: Int32 = 0
    unavailable_replicas: Int32 = 0


class Deployment(Object, kw_only=True):
    """Equal pods that are replaced step by step."""

    RESOURCE: ClassVar = Resource("apps", "v1", "Deployment", "deployments", namespaced=True)

    spec: DeploymentSpec
    status: DeploymentStatus = msgspec.field(default_factory=DeploymentStatus)
