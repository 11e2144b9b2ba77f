"""`koord top`: who uses the CPU, who is throttled, who waits.

The command line is read with argparse because `--once` has to start within 0.4 s and typer alone takes most of that.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from koord.cli.node_table.columns import BY_NAME
from koord.cli.node_table.order import Line, Selection, flat, tree
from koord.cli.node_table.plain import summary, text_table
from koord.cli.node_table.source import DEFAULT_SOCKET, SourceError, Table, live_source, table_after

MIN_INTERVAL_S, MAX_INTERVAL_S = 0.05, 3600.0


def main(arguments: list[str]) -> int:
    """Print one table or show the live view; 2 for a wrong option, 3 when cgroups can't be read from here."""
    options = _parser().parse_args(arguments)
    selection = Selection(options.filter, options.qos, frozenset(options.kind))
    if not options.once and not sys.stdout.isatty():
        print("koord top: the live view needs a terminal; use --once", file=sys.stderr)
        return 2
    try:
        if options.once:
            _once(options, selection)
        else:
            _live(options, selection)
    except SourceError as error:
        print(f"koord top: {error}", file=sys.stderr)
        return 3
    return 0


def _once(options: argparse.Namespace, selection: Selection) -> None:
    table = table_after(options.interval, options.source, options.socket, options.tier)
    arrange = tree if options.tree else flat
    lines = arrange(table.rows, selection, BY_NAME[options.sort], not options.ascending)
    print(json_text(table, lines) if options.output == "json" else table_text(table, lines, options.limit))


def _live(options: argparse.Namespace, selection: Selection) -> None:
    from koord.cli.node_table.live import LiveView  # takes long to import

    source = live_source(options.source, options.socket, options.tier)
    LiveView(source, options.interval, selection, options.sort, not options.ascending, options.tree).run()


def json_text(table: Table, lines: list[Line]) -> str:
    """The node and the rows; what has no source is null."""
    return json.dumps({"node": asdict(table.node), "rows": [asdict(line.row) for line in lines]})


def table_text(table: Table, lines: list[Line], limit: int) -> str:
    """The node's line and the table."""
    shown = lines[:limit] if limit else lines
    rest = f"\n… {len(lines) - len(shown)} more" if len(shown) < len(lines) else ""
    return f"{summary(table.node)}\n\n{text_table(shown)}{rest}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "koord top", description="Pods, containers, services and other cgroups: CPU use, throttling, pressure."
    )
    add = parser.add_argument
    add("--once", action="store_true", help="print one table and end")
    add("--interval", type=_interval, default=1.0, metavar="S", help="seconds that rates are measured over (default 1)")
    add("--output", choices=["table", "json"], default="table", help="form of what --once prints")
    add("--sort", choices=list(BY_NAME), default="cpu", help="column to sort by (default cpu)")
    add("--ascending", action="store_true", help="smallest first")
    add("--tree", action=argparse.BooleanOptionalAction, default=False, help="rows below what they are part of")
    add("--filter", default="", metavar="TEXT", help="only rows with this in their name, path or id")
    add("--qos", default="", help="only rows of this QoS class, such as BestEffort or BE")
    add("--kind", action="append", default=[], help="only rows of this kind, such as pod; may be repeated")
    add("--limit", type=_limit, default=0, metavar="N", help="at most N rows of the table (default all)")
    add("--source", choices=["auto", "agent", "local"], default="auto", help="a running koordlet, or this process")
    add("--socket", type=Path, default=DEFAULT_SOCKET, help=f"the koordlet's socket (default {DEFAULT_SOCKET})")
    add("--tier", choices=["auto", "bpf-css", "bpf-iter", "files"], default="auto", help="best source to use")
    return parser


def _interval(text: str) -> float:
    try:
        interval_s = float(text)
    except ValueError:
        interval_s = -1.0
    if not MIN_INTERVAL_S <= interval_s <= MAX_INTERVAL_S:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected {MIN_INTERVAL_S:g} to {MAX_INTERVAL_S:g} seconds")
    return interval_s


def _limit(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a whole number")
    return int(text)
