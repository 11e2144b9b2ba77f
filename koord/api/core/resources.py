"""Requests and limits of containers and pods."""

from koord.api.base import Record, ResourceList


class ResourceClaim(Record, kw_only=True):
    """A claim of the pod that a container uses."""

    name: str
    request: str = ""


class ResourceRequirements(Record, kw_only=True):
    """What a container or a pod requests, and may use at most."""

    limits: ResourceList = {}
    requests: ResourceList = {}
    claims: list[ResourceClaim] = []
