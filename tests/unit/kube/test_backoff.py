"""Delays between tries."""

from koord.kube.backoff import Backoff


def test_delays_double_up_to_the_most_and_are_lengthened_by_the_jitter() -> None:
    exact = Backoff(first_s=1, most_s=10, rand=lambda: 0.0)
    assert [exact.next() for _ in range(6)] == [1, 2, 4, 8, 10, 10]
    jittered = Backoff(first_s=1, most_s=10, jitter=0.5, rand=lambda: 1.0)
    assert [jittered.next() for _ in range(3)] == [1.5, 3, 6]


def test_after_a_success_it_starts_again() -> None:
    backoff = Backoff(first_s=1, rand=lambda: 0.0)
    backoff.next()
    backoff.next()
    backoff.reset()
    assert backoff.next() == 1


def test_a_thousand_failures_are_no_overflow() -> None:
    backoff = Backoff(first_s=1, most_s=30, rand=lambda: 0.0)
    assert {backoff.next() for _ in range(5000)} == {1, 2, 4, 8, 16, 30}
