"""Experiments as a table, JSON or CSV."""

import csv
import io
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.table import Table

from koord.sim.experiment import Outcome, allocated_at

SHOWN_PERCENT = (60, 80, 100, 130)


class Run(msgspec.Struct, frozen=True):
    """One experiment of a comparison."""

    configuration: str
    seed: int
    outcome: Outcome


def as_json(runs: Sequence[Run]) -> bytes:
    """One run: `points`, `failed`, `seconds`; several: a list of such objects with their configuration and seed."""
    described: list[dict[str, Any]] = [
        {
            "configuration": run.configuration,
            "seed": run.seed,
            "points": run.outcome.points,
            "failed": run.outcome.failed,
            "placed": run.outcome.placed,
            "seconds": round(run.outcome.seconds, 3),
        }
        for run in runs
    ]
    return msgspec.json.encode(described[0] if len(described) == 1 else {"runs": described})


def as_csv(runs: Sequence[Run]) -> str:
    """Every point of every run, one a line."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["configuration", "seed", "arrived_pct", "allocated_pct"])
    for run in runs:
        writer.writerows([run.configuration, run.seed, *point] for point in run.outcome.points)
    return file.getvalue()


def as_table(runs: Sequence[Run]) -> Table:
    """One line per run: allocation at some arrived demands, pods placed and failed, the commonest reasons."""
    table = Table()
    for heading in ("configuration", "seed", *(f"at {percent} %" for percent in SHOWN_PERCENT), "placed", "failed"):
        table.add_column(heading, justify="right")
    for heading in ("seconds", "commonest reasons"):
        table.add_column(heading)
    for run in runs:
        outcome = run.outcome
        at = [allocated_at(outcome.points, percent) for percent in SHOWN_PERCENT]
        reasons = sorted(outcome.failed.items(), key=lambda item: -item[1])[:2]
        table.add_row(
            run.configuration,
            str(run.seed),
            *("-" if value is None else f"{value:.2f}" for value in at),
            str(outcome.placed),
            str(sum(outcome.failed.values())),
            f"{outcome.seconds:.2f}",
            ", ".join(f"{count} {reason}" for reason, count in reasons),
        )
    return table


def mean_points(runs: Sequence[Run]) -> list[tuple[float, float]]:
    """Point by point the mean of several runs of one configuration, as far as all of them have points."""
    curves = zip(*(run.outcome.points for run in runs), strict=False)
    return [
        (sum(point[0] for point in points) / len(points), sum(point[1] for point in points) / len(points))
        for points in curves
    ]
