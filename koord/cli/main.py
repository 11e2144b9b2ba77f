"""Entry point of the `koord` command; one line per subcommand, imported when it is used."""

import sys
from collections.abc import Sequence

from koord.cli.subcommand import Subcommand, find, help_text, load

# One line per subcommand: its name, the function or typer application that runs it, and what `koord --help` says.
COMMANDS = [
    Subcommand(
        "doctor", "koord.cli.doctor:app", "What this kernel and machine offer, and which source serves which signal."
    ),
    Subcommand(
        "top", "koord.cli.top:main", "Pods, containers and services with their CPU use, throttling and pressure."
    ),
    Subcommand("up", "koord.cli.up:app", "Run everything on this machine and show the live view."),
    Subcommand("get", "koord.cli.get:main", "Print objects of an API server."),
    Subcommand("sim", "koord.cli.sim:app", "Simulate placements of pods on nodes, compare configurations."),
    Subcommand("sim-generate", "koord.cli.sim:generate_app", "Make up nodes and pods to simulate with."),
    Subcommand("watch", "koord.cli.watch:main", "Print each change of objects of an API server, field by field."),
]


def main() -> None:
    """Run the command; exits 0 ok, 1 failed, 2 usage, 3 not available here."""
    try:
        status = run(sys.argv[1:])
    except BrokenPipeError:
        sys.stderr.close()  # the reader went away, as in `koord top --once | head`
        status = 1
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run one subcommand with its arguments; returns the exit code."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(help_text(COMMANDS), file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    name, *rest = arguments
    command = find(COMMANDS, name)
    if command is None:
        known = ", ".join(command.name for command in COMMANDS)
        print(f"koord: unknown command {name!r}, known are {known}", file=sys.stderr)
        return 2
    return load(command)(rest)


if __name__ == "__main__":
    main()
