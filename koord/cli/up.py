"""`koord up`: everything on this machine with one command."""

from pathlib import Path
from typing import Annotated

import typer

from koord.cli.node_table.source import DEFAULT_SOCKET

app = typer.Typer(add_completion=False, rich_markup_mode=None)

DEFAULT_LOG = Path("/run/koord/koordlet.log")


@app.command()
def up(
    once: Annotated[bool, typer.Option("--once", help="End after the first table.")] = False,
    addr: Annotated[str, typer.Option(help="Address of the koordlet's metrics and health.")] = "127.0.0.1:9316",
    socket: Annotated[Path, typer.Option(help="The koordlet's socket.")] = DEFAULT_SOCKET,
    log_file: Annotated[
        Path, typer.Option(help="Where the koordlet's log goes while the live view is shown.")
    ] = DEFAULT_LOG,
) -> None:
    """Run the node agent here; on a terminal show the live view, else print one table and keep running.

    Ends with the view, or on SIGTERM or SIGINT; the agent that it started ends with it.
    """
    import asyncio  # the daemons' libraries are not needed for --help
    import sys

    from koord.cli.local_node import LocalNode, UpError

    try:
        asyncio.run(LocalNode(addr, socket, log_file).run(once=once, live=sys.stdout.isatty() and not once))
    except UpError as error:
        print(f"koord up: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
