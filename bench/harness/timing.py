"""Times of short operations on a machine with other work: variants take turns, the least of many runs counts."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

ROUNDS = 15
"""Runs per variant: enough that one of them is undisturbed."""


class Timing(NamedTuple):
    """The least wall time and the least CPU time (this process, kernel included) of one operation, in ms."""

    wall_ms: float
    cpu_ms: float

    def __str__(self) -> str:
        return f"{self.wall_ms:.3f} ms wall, {self.cpu_ms:.3f} ms CPU"


def interleaved(
    variants: Mapping[str, Callable[[], object]], rounds: int = ROUNDS, deadline: float = float("inf")
) -> dict[str, Timing]:
    """Time every variant once per round, in turn, so that a disturbance hits all of them; least times win.

    deadline: time.monotonic() after which no further round starts; the first always runs.
    """
    samples: dict[str, list[Timing]] = {name: [] for name in variants}
    for _ in range(rounds):
        for name, operation in variants.items():
            samples[name].append(once(operation))
        if time.monotonic() > deadline:
            break
    return {name: least(timings) for name, timings in samples.items()}


def once(operation: Callable[[], object]) -> Timing:
    """The time of one run."""
    cpu, wall = time.process_time_ns(), time.perf_counter_ns()
    operation()
    return Timing((time.perf_counter_ns() - wall) / 1e6, (time.process_time_ns() - cpu) / 1e6)


def least(timings: Sequence[Timing]) -> Timing:
    """The least wall and the least CPU time."""
    return Timing(min(timing.wall_ms for timing in timings), min(timing.cpu_ms for timing in timings))


def percentile(values: Sequence[float], share: float) -> float:
    """The value at a share (0 to 1) of the sorted values, nearest rank. ValueError for no values."""
    if not values:
        raise ValueError("no values to take a percentile of")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]
