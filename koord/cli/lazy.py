"""Subcommands that are imported only when they run, so that each starts as fast as what it needs itself."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: the module is imported when the command runs; its `app` is a typer application."""

    name: str
    module: str
    help: str


def lazy_group(commands: Sequence[Command]) -> type[TyperGroup]:
    """A group class that knows the names and imports the rest on demand."""
    by_name = {command.name: command for command in commands}

    class LazyGroup(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return sorted(by_name)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            command = by_name.get(cmd_name)
            if command is None:
                return None
            app: typer.Typer = importlib.import_module(command.module).app
            loaded = get_command(app)
            loaded.name = command.name
            return loaded

        def format_help(self, ctx: Any, formatter: Any) -> None:
            formatter.write_usage(ctx.command_path, "COMMAND [ARGS]...")
            formatter.write_paragraph()
            formatter.write_text(self.help or "")
            with formatter.section("Commands"):
                formatter.write_dl([(name, by_name[name].help) for name in sorted(by_name)])

    return LazyGroup
