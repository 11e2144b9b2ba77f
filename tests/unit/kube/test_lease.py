"""Who may hold a lease."""

from datetime import UTC, datetime, timedelta

import pytest

from koord.api.core.lease import LeaseSpec
from koord.kube.lease import LeaseSettings, Observation, may_take, new_lease, release, take

NOW = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
SETTINGS = LeaseSettings("ns", "leader", "me")


def seen(holder: str | None, duration: int = 15, at: float = 100.0) -> Observation:
    observation = Observation()
    observation.see(LeaseSpec(holder_identity=holder, lease_duration_seconds=duration, renew_time=NOW), at)
    return observation


@pytest.mark.parametrize(
    ("observation", "now", "allowed"),
    [
        (Observation(), 0.0, True),
        (seen(None), 100.0, True),
        (seen(""), 100.0, True),
        (seen("me"), 100.0, True),
        (seen("other"), 114.9, False),
        (seen("other"), 115.0, True),
        (seen("other", duration=1), 101.0, True),
    ],
    ids=["never seen", "unset", "given back", "ours", "held", "not renewed for its duration", "short"],
)
def test_a_lease_may_be_taken_when_it_is_ours_free_or_not_renewed(
    observation: Observation, now: float, allowed: bool
) -> None:
    assert may_take(observation, "me", now) is allowed


def test_the_duration_runs_from_the_last_change_that_this_machine_saw() -> None:
    """The holder's clock may be hours off: what counts is when its record last changed."""
    observation = seen("other", at=100.0)
    same = LeaseSpec(holder_identity="other", lease_duration_seconds=15, renew_time=NOW)
    observation.see(same, 110.0)
    assert may_take(observation, "me", 116.0)
    renewed = LeaseSpec(holder_identity="other", lease_duration_seconds=15, renew_time=NOW - timedelta(hours=3))
    observation.see(renewed, 112.0)
    assert not may_take(observation, "me", 116.0)


def test_taking_over_counts_a_transition_and_renewing_does_not() -> None:
    lease = new_lease(SETTINGS, NOW)
    assert (lease.spec.holder_identity, lease.spec.lease_transitions) == ("me", 0)
    later = NOW + timedelta(seconds=2)
    take(lease, SETTINGS, later)
    assert (lease.spec.lease_transitions, lease.spec.acquire_time, lease.spec.renew_time) == (0, NOW, later)
    take(lease, LeaseSettings("ns", "leader", "other"), later)
    assert (lease.spec.holder_identity, lease.spec.lease_transitions, lease.spec.acquire_time) == ("other", 1, later)


def test_a_lease_that_is_given_back_is_free_at_once() -> None:
    lease = new_lease(SETTINGS, NOW)
    release(lease, NOW)
    observation = Observation()
    observation.see(lease.spec, 100.0)
    assert may_take(observation, "other", 100.0)
