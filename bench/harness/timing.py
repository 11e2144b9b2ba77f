"""Times of short operations on a machine with other work: variants take turns, the least of many runs counts."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

ROUNDS = 15
"""Runs per variant: enough that one of them is undisturbed."""

SHORT_MS = 20
RUNS_PER_TURN = 5
"""Runs a turn of an operation shorter than SHORT_MS: the variant before it has emptied the caches."""


class Timing(NamedTuple):
    """The least wall time and the least CPU time (this process, kernel included) of one operation, in ms."""

    wall_ms: float
    cpu_ms: float
    runs: int

    def __str__(self) -> str:
        return f"least of {self.runs} runs; {self.cpu_ms:.3g} ms of CPU"


def interleaved(
    variants: Mapping[str, Callable[[], object]], rounds: int = ROUNDS, budget_seconds: float = float("inf")
) -> dict[str, Timing]:
    """Give every variant one turn a round, so that a disturbance hits all of them; least times win.

    budget_seconds: a variant that has used this much time sits out the remaining rounds; each runs at least once.
    """
    samples: dict[str, list[Timing]] = {name: [] for name in variants}
    for _ in range(rounds):
        for name, operation in variants.items():
            if sum(timing.wall_ms for timing in samples[name]) < budget_seconds * 1000:
                samples[name].append(turn(operation))
    return {name: least(timings) for name, timings in samples.items()}


def turn(operation: Callable[[], object]) -> Timing:
    """The least time of a turn's runs: one of a long operation, several of a short one."""
    first = once(operation)
    return first if first.wall_ms >= SHORT_MS else least([first, *(once(operation) for _ in range(RUNS_PER_TURN - 1))])


def once(operation: Callable[[], object]) -> Timing:
    """The time of one run."""
    cpu, wall = time.process_time_ns(), time.perf_counter_ns()
    operation()
    return Timing((time.perf_counter_ns() - wall) / 1e6, (time.process_time_ns() - cpu) / 1e6, 1)


def least(timings: Sequence[Timing]) -> Timing:
    """The least wall and the least CPU time."""
    walls, cpus, runs = zip(*timings, strict=True)
    return Timing(min(walls), min(cpus), sum(runs))


def percentile(values: Sequence[float], share: float) -> float:
    """The value at a share (0 to 1) of the sorted values, nearest rank. ValueError for no values."""
    if not values:
        raise ValueError("no values to take a percentile of")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]
