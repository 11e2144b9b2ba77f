"""Subcommands that are imported only when they run, so that each starts as fast as what it needs itself."""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Run = Callable[[list[str]], int]


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A subcommand; `target` is `module:name` of a function from arguments to exit code, or of a typer application."""

    name: str
    target: str
    help: str


def find(commands: Sequence[Subcommand], name: str) -> Subcommand | None:
    """The subcommand of that name."""
    return next((command for command in commands if command.name == name), None)


def load(command: Subcommand) -> Run:
    """Import what runs the subcommand."""
    module, _, name = command.target.partition(":")
    target: Any = getattr(importlib.import_module(module), name)
    return _typer_run(command, target) if hasattr(target, "registered_commands") else target


def _typer_run(command: Subcommand, app: Any) -> Run:
    """typer costs a quarter of a second to import (it brings pydantic), so only subcommands that use it pay for it."""

    def run(arguments: list[str]) -> int:
        try:
            app(args=arguments, prog_name=f"koord {command.name}")
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else int(end.code is not None)
        return 0

    return run


def help_text(commands: Sequence[Subcommand]) -> str:
    """What `koord --help` prints."""
    width = max(len(command.name) for command in commands)
    lines = [
        f"  {command.name:<{width}}  {command.help}" for command in sorted(commands, key=lambda command: command.name)
    ]
    head = "Usage: koord COMMAND [OPTIONS]\n\nShow and steer how latency-sensitive and best-effort work share a node.\n"
    return "\n".join([head, "Commands:", *lines, "", "`koord COMMAND --help` says more."])
