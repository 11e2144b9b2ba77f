"""Who may hold a lease, as pure decisions; `koord.kube.leader` acts on them."""

from dataclasses import dataclass
from datetime import datetime

from koord.api.core.lease import Lease, LeaseSpec
from koord.api.meta import ObjectMeta


@dataclass(frozen=True)
class LeaseSettings:
    """A lease and the rhythm of its holder; the defaults are those of Kubernetes' components.

    A holder that could not renew for `renew_deadline_s` stops, so before others may take over after `duration_s`.
    """

    namespace: str
    name: str
    identity: str
    duration_s: int = 15
    renew_deadline_s: float = 10.0
    retry_s: float = 2.0

    def __post_init__(self) -> None:
        if not 0 < self.retry_s < self.renew_deadline_s < self.duration_s:
            rhythm = (
                f"retry {self.retry_s:g} s, renew deadline {self.renew_deadline_s:g} s, duration {self.duration_s} s"
            )
            raise ValueError(
                f"lease {self.namespace}/{self.name}: found {rhythm}, allowed 0 < retry < renew deadline < duration"
            )


@dataclass
class Observation:
    """The lease as last seen, and when it last changed by this machine's own clock: clocks of others don't count."""

    spec: LeaseSpec | None = None
    changed_at: float = 0.0

    def see(self, spec: LeaseSpec, now: float) -> None:
        """Take note of what the lease says; `now` is monotonic seconds."""
        if self.spec is None or _signs(self.spec) != _signs(spec):
            self.spec, self.changed_at = spec, now


def may_take(seen: Observation, identity: str, now: float) -> bool:
    """Whether the lease is ours, free, or not renewed for its whole duration."""
    if seen.spec is None or seen.spec.holder_identity in (None, "", identity):
        return True
    return now >= seen.changed_at + (seen.spec.lease_duration_seconds or 0)


def new_lease(settings: LeaseSettings, now: datetime) -> Lease:
    """The lease of the first holder ever."""
    spec = LeaseSpec(
        holder_identity=settings.identity,
        lease_duration_seconds=settings.duration_s,
        acquire_time=now,
        renew_time=now,
        lease_transitions=0,
    )
    return Lease(metadata=ObjectMeta(namespace=settings.namespace, name=settings.name), spec=spec)


def take(lease: Lease, settings: LeaseSettings, now: datetime) -> None:
    """Edit the lease so that it is ours, renewed now; a change of holder is counted as a transition."""
    spec = lease.spec
    if spec.holder_identity != settings.identity:
        spec.acquire_time = now
        spec.lease_transitions = (spec.lease_transitions or 0) + 1
    spec.holder_identity = settings.identity
    spec.lease_duration_seconds = settings.duration_s
    spec.renew_time = now


def release(lease: Lease, now: datetime) -> None:
    """Edit the lease so that anybody may take it at once."""
    lease.spec.holder_identity = ""
    lease.spec.lease_duration_seconds = 1
    lease.spec.acquire_time = lease.spec.renew_time = now


def _signs(spec: LeaseSpec) -> tuple[object, ...]:
    return spec.holder_identity, spec.renew_time, spec.acquire_time, spec.lease_transitions
