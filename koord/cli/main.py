"""Entry point of the `koord` command; one line per subcommand."""

import typer

from koord.cli.sim import sim, sim_generate

app = typer.Typer(no_args_is_help=True, add_completion=False)


app.command()(sim)
app.command("sim-generate")(sim_generate)


@app.callback()
def koord() -> None:
    """Show and steer how latency-sensitive and best-effort work share a node."""


def main() -> None:
    """Run the command; exits 0 ok, 1 failed, 2 usage, 3 not available here."""
    app()
