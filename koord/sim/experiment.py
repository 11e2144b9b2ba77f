"""One experiment: an empty cluster, pods that arrive one after the other, nothing leaves."""

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from koord._core import PlacementEngine
from koord.sim.configuration import Configuration
from koord.sim.manifests import Arrival

BATCH = 256
"""Pods decided on per call; each still sees the placements before it."""

REASON = re.compile(r"(\d+) ([^,]+?)(?=, \d+ |\.$)")

Progress = Callable[[int], None]
"""Told the number of pods decided on so far."""


class Outcome(msgspec.Struct, frozen=True):
    """What an experiment found.

    `points`: arrived and allocated demand in percent of the GPU capacity, one point at every whole percent that
    arrives, and the last. `failed`: pods that fitted nowhere, by the reason most nodes gave. `seconds`: time of the
    decisions.
    """

    points: list[tuple[float, float]]
    failed: dict[str, int]
    placed: int
    seconds: float


def run(
    configuration: Configuration,
    nodes: Sequence[bytes],
    arrivals: Sequence[Arrival],
    workload: Sequence[tuple[bytes, int]],
    capacity_milli: int,
    *,
    seed: int | None = None,
    progress: Progress = lambda _: None,
) -> Outcome:
    """Place every arrival; equally good nodes are taken in order unless a seed is given.

    A pod that cannot be read counts as failed with that reason. Raises PlacementError for the configuration.
    """
    engine = PlacementEngine(configuration.raw, seed=seed)
    engine.upsert_many("Node", list(nodes))
    engine.set_workload(list(workload))
    curve = Curve(capacity_milli)
    failed: Counter[str] = Counter()
    placed = 0
    start = time.perf_counter()
    for at in range(0, len(arrivals), BATCH):
        batch = arrivals[at : at + BATCH]
        readable = [arrival for arrival in batch if take_in(engine, arrival, failed)]
        placements = engine.place([arrival.key for arrival in readable])
        nodes_of = dict(zip((arrival.key for arrival in readable), placements.nodes, strict=True))
        for arrival in batch:
            node = nodes_of.get(arrival.key)
            placed += node is not None
            curve.add(arrival.demand_milli, taken=node is not None)
        for arrival, message in zip(readable, placements.messages, strict=True):
            if message is not None:
                failed[main_reason(message)] += 1
                engine.delete("Pod", arrival.key)
        progress(at + len(batch))
    return Outcome(curve.points(), dict(failed), placed, time.perf_counter() - start)


def take_in(engine: PlacementEngine, arrival: Arrival, failed: Counter[str]) -> bool:
    """Give the pod to the engine; False, with the reason counted, when it cannot be read."""
    try:
        engine.upsert("Pod", arrival.raw)
    except ValueError as error:
        failed[str(error)] += 1
        return False
    return True


def main_reason(message: str) -> str:
    """The reason most nodes gave, of an event text `0/3 nodes are available: 1 a, 2 b.`."""
    _, _, reasons = message.partition(": ")
    counts = [(int(count), reason) for count, reason in REASON.findall(reasons)]
    return max(counts)[1] if counts else reasons.rstrip(".")


class Curve:
    """Allocated over arrived demand."""

    def __init__(self, capacity_milli: int) -> None:
        self.capacity_milli = max(capacity_milli, 1)
        self.arrived_milli = self.allocated_milli = 0
        self.reached: list[tuple[float, float]] = []

    def add(self, demand_milli: int, *, taken: bool) -> None:
        """Count an arrival; a point is kept when it crosses a whole percent."""
        before = self.arrived_milli * 100 // self.capacity_milli
        self.arrived_milli += demand_milli
        self.allocated_milli += demand_milli if taken else 0
        if self.arrived_milli * 100 // self.capacity_milli > before:
            self.reached.append(self.point())

    def point(self) -> tuple[float, float]:
        """Where the curve is now, in percent of the capacity."""
        share = 100 / self.capacity_milli
        return (round(self.arrived_milli * share, 4), round(self.allocated_milli * share, 4))

    def points(self) -> list[tuple[float, float]]:
        """All points, the last arrival's included."""
        last = self.point()
        return self.reached if self.reached and self.reached[-1] == last else [*self.reached, last]


def allocated_at(points: Sequence[tuple[float, float]], arrived_pct: float) -> float | None:
    """Allocated percent once this much has arrived; None when it never did."""
    return next((allocated for arrived, allocated in points if arrived >= arrived_pct), None)
