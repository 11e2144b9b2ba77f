"""A measured promise: its value beside its target, as one line of a table or one JSON object."""

import operator
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

Comparison = Literal["<=", ">=", "<"]

HOLDS: dict[Comparison, Callable[[float, float], bool]] = {"<=": operator.le, ">=": operator.ge, "<": operator.lt}


class Result(msgspec.Struct, frozen=True):
    """One measured value.

    `ok` is None where the value is only printed, or could not be measured or decided here; `why` then says which.
    """

    name: str
    value: float | None
    unit: str
    target: str | None
    ok: bool | None
    why: str


class Report(msgspec.Struct, frozen=True):
    """Everything one benchmark found, and the machine it ran on."""

    bench: str
    machine: dict[str, str | float]
    results: Sequence[Result]


def judged(name: str, value: float, unit: str, comparison: Comparison, target: float, why: str = "") -> Result:
    """A value with a target; the judgement is on the value as measured, not as rounded for printing."""
    return Result(name, significant(value), unit, f"{comparison} {target:g}", HOLDS[comparison](value, target), why)


def printed(name: str, value: float, unit: str, why: str = "no target") -> Result:
    """A value without a target."""
    return Result(name, significant(value), unit, None, None, why)


def not_measurable(name: str, unit: str, comparison: Comparison, target: float, why: str) -> Result:
    """A promise that this machine cannot decide, with the cause."""
    return Result(name, None, unit, f"{comparison} {target:g}", None, f"not measurable: {why}")


def significant(value: float) -> float:
    """The value with three significant digits, all digits before the point kept."""
    return float(f"{value:.0f}") if abs(value) >= 1000 else float(f"{value:.3g}")


def table(report: Report) -> str:
    """A report for people: the machine, then one line per result."""
    rows = [("name", "value", "unit", "target", "", "why")]
    rows += [
        (
            result.name,
            "-" if result.value is None else f"{result.value:g}",
            result.unit,
            result.target or "-",
            {True: "ok", False: "MISSED", None: "-"}[result.ok],
            result.why,
        )
        for result in report.results
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    machine = ", ".join(f"{name} {value}" for name, value in report.machine.items())
    lines = [f"{report.bench}: {machine}"]
    for row in rows:
        cells = [row[0].ljust(widths[0]), row[1].rjust(widths[1])]
        cells += [cell.ljust(width) for cell, width in zip(row[2:5], widths[2:5], strict=True)]
        lines.append("  ".join([*cells, row[5]]).rstrip())
    return "\n".join(lines)


def as_json(report: Report) -> str:
    """A report for scripts: one line."""
    return msgspec.json.encode(report).decode()
