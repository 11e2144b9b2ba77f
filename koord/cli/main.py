"""Entry point of the `koord` command; one line per subcommand, imported when it is used."""

import typer

from koord.cli.lazy import Command, lazy_group

# One line per subcommand: its name, the module whose `app` it is, and what `koord --help` says.
COMMANDS = [
    Command("doctor", "koord.cli.doctor", "What this kernel and machine offer, and which source serves which signal."),
    Command("top", "koord.cli.top", "Pods, containers and services with their CPU use, throttling and pressure, live."),
    Command("up", "koord.cli.up", "Run everything on this machine and show the live view."),
]

app = typer.Typer(
    cls=lazy_group(COMMANDS),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def koord() -> None:
    """Show and steer how latency-sensitive and best-effort work share a node."""


def main() -> None:
    """Run the command; exits 0 ok, 1 failed, 2 usage, 3 not available here."""
    app()
