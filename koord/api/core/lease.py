"""Lease: leader election and node heartbeats."""

from typing import ClassVar

import msgspec

from koord.api.base import Int32, MicroTime, Record
from koord.api.meta import Object
from koord.api.resource import Resource


class LeaseSpec(Record, kw_only=True):
    """Who holds the lease, since when, and how long after the last renewal it is lost."""

    holder_identity: str | None = None
    lease_duration_seconds: Int32 | None = None
    acquire_time: MicroTime | None = None
    renew_time: MicroTime | None = None
    lease_transitions: Int32 | None = None


class Lease(Object, kw_only=True):
    """A lease."""

    RESOURCE: ClassVar = Resource("coordination.k8s.io", "v1", "Lease", "leases", namespaced=True)

    spec: LeaseSpec = msgspec.field(default_factory=LeaseSpec)
