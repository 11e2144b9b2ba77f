"""`koord doctor`: what this kernel and machine offer, which source serves which signal and why, and what is missing."""

import json
import sys
from dataclasses import asdict, replace
from typing import Annotated, Literal

import typer

from koord.cli.diagnosis.examine import ExamineError, examine, measure
from koord.cli.diagnosis.plain import report_text

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def doctor(
    output: Annotated[Literal["table", "json"], typer.Option(help="Form of the report.")] = "table",
    with_cost: Annotated[bool, typer.Option("--cost", help="Also measure what each BPF program costs.")] = False,
    seconds: Annotated[float, typer.Option(min=0.1, max=60, help="How long --cost watches.")] = 2.0,
) -> None:
    """Say what is offered, what is used and what is missing; exits 1 when an essential signal has no source.

    --cost makes the kernel count the programs' run time for a short while, which slows each run by about 45 ns;
    afterwards counting is off again. It exits 3 where the kernel doesn't allow that.
    """
    report = examine()
    try:
        if with_cost:
            report = replace(report, costs=measure(seconds))
    except ExamineError as error:
        print(f"koord doctor: {error}", file=sys.stderr)
        raise typer.Exit(3) from None
    finally:
        print(json.dumps(_as_json(asdict(report))) if output == "json" else report_text(report))
    if not report.ok:
        raise typer.Exit(1)


def _as_json(report: dict[str, object]) -> dict[str, object]:
    """Costs are absent unless they were asked for."""
    return {name: value for name, value in report.items() if name != "costs" or value is not None}
