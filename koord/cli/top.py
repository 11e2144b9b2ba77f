"""`koord top`: who uses the CPU, who is throttled, who waits."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from koord.cli.node_table.columns import BY_NAME
from koord.cli.node_table.order import Line, Selection, flat, tree
from koord.cli.node_table.plain import summary, text_table
from koord.cli.node_table.source import DEFAULT_SOCKET, SourceError, SourceName, Table, Tier, live_source, table_after

app = typer.Typer(add_completion=False, rich_markup_mode=None)

Output = Literal["table", "json"]
MAX_INTERVAL_S = 3600.0


@app.command()
def top(
    once: Annotated[bool, typer.Option("--once", help="Print one table and end.")] = False,
    interval: Annotated[
        float, typer.Option(min=0.05, max=MAX_INTERVAL_S, help="Seconds that rates are measured over.")
    ] = 1.0,
    output: Annotated[Output, typer.Option(help="Form of what --once prints.")] = "table",
    sort: Annotated[str, typer.Option(help="Column to sort by: " + ", ".join(BY_NAME) + ".")] = "cpu",
    ascending: Annotated[bool, typer.Option("--ascending", help="Smallest first.")] = False,
    as_tree: Annotated[bool, typer.Option("--tree/--flat", help="Rows below what they are part of.")] = False,
    text: Annotated[str, typer.Option("--filter", help="Only rows with this in their name, path or id.")] = "",
    qos: Annotated[str, typer.Option(help="Only rows of this QoS class, such as BestEffort or BE.")] = "",
    kind: Annotated[
        list[str] | None, typer.Option(help="Only rows of this kind, such as pod; may be repeated.")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="At most so many rows of the table; 0: all.")] = 0,
    source: Annotated[
        SourceName, typer.Option(help="Who reads: a running koordlet (agent) or this process (local).")
    ] = "auto",
    socket: Annotated[Path, typer.Option(help="The koordlet's socket.")] = DEFAULT_SOCKET,
    tier: Annotated[Tier, typer.Option(help="Best source that this process may use.")] = "auto",
) -> None:
    """Pods, containers, services and other cgroups with their CPU use, throttling and pressure."""
    if sort not in BY_NAME:
        raise typer.BadParameter(f"found {sort!r}, allowed are {', '.join(BY_NAME)}", param_hint="--sort")
    selection = Selection(text, qos, frozenset(kind or ()))
    try:
        if once:
            table = table_after(interval, source, socket, tier)
            lines = (tree if as_tree else flat)(table.rows, selection, BY_NAME[sort], not ascending)
            print(json_text(table, lines) if output == "json" else table_text(table, lines, limit))
            return
        if not sys.stdout.isatty():
            raise typer.BadParameter("the live view needs a terminal; use --once", param_hint="koord top")
        from koord.cli.node_table.live import LiveView

        LiveView(live_source(source, socket, tier), interval, selection, sort, not ascending, as_tree).run()
    except SourceError as error:
        print(f"koord top: {error}", file=sys.stderr)
        raise typer.Exit(3) from None


def json_text(table: Table, lines: list[Line]) -> str:
    """The node and the rows; what has no source is null."""
    return json.dumps({"node": asdict(table.node), "rows": [asdict(line.row) for line in lines]})


def table_text(table: Table, lines: list[Line], limit: int) -> str:
    """The node's line and the table."""
    shown = lines[:limit] if limit else lines
    rest = f"\n… {len(lines) - len(shown)} more" if len(shown) < len(lines) else ""
    return f"{summary(table.node)}\n\n{text_table(shown)}{rest}"
