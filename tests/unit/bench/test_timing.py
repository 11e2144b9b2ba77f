"""Interleaved timing: every variant in every round, least times, bounded by a deadline."""

import time

import pytest

from bench.harness.timing import RUNS_PER_TURN, interleaved, percentile


def test_runs_the_variants_in_turn():
    order: list[str] = []
    interleaved({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, rounds=3)
    turn = ["a"] * RUNS_PER_TURN + ["b"] * RUNS_PER_TURN
    assert order == turn * 3


def test_a_long_operation_runs_once_a_turn():
    assert interleaved({"long": lambda: time.sleep(0.025)}, rounds=2)["long"].runs == 2


def test_a_variant_over_its_budget_sits_out_the_other_rounds():
    calls: list[str] = []

    def slow() -> None:
        time.sleep(0.02)
        calls.append("slow")

    timings = interleaved({"slow": slow, "fast": lambda: calls.append("fast")}, rounds=5, budget_seconds=0.015)
    assert calls == ["slow"] + ["fast"] * 5 * RUNS_PER_TURN
    assert (timings["slow"].runs, timings["fast"].runs) == (1, 5 * RUNS_PER_TURN)


def test_separates_cpu_time_from_waiting():
    timing = interleaved({"wait": lambda: time.sleep(0.02)}, rounds=3)["wait"]
    assert timing.wall_ms >= 20
    assert timing.cpu_ms < 10


@pytest.mark.parametrize(("share", "value"), [(0, 1), (0.5, 50), (0.95, 95), (1, 99)])
def test_percentile_takes_the_nearest_rank(share, value):
    assert percentile(range(99, 0, -1), share) == pytest.approx(value, abs=1)


def test_percentile_of_nothing_is_an_error():
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)
