"""The `koord` command itself."""

import subprocess
import sys

import pytest

from koord.cli.main import COMMANDS, run
from koord.cli.subcommand import load


def test_help_names_every_subcommand_and_goes_to_stdout(capsys):
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {command.name} " in out for command in COMMANDS)


@pytest.mark.parametrize("arguments", [[], ["nope"]])
def test_missing_or_unknown_subcommand_is_a_usage_error(arguments, capsys):
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "top" in captured.err


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_subcommand_loads_and_refuses_an_unknown_option(command, capsys):
    try:
        status = load(command)(["--no-such-option"])
    except SystemExit as end:
        status = end.code
    assert status == 2
    assert capsys.readouterr().out == ""


def test_one_shot_table_imports_nothing_heavy():
    heavy = {"textual", "rich", "aiohttp", "asyncio", "typer", "pydantic", "orjson", "msgspec", "kubernetes"}
    code = "import sys, koord.cli.top; print(*sorted(m for m in sys.modules if '.' not in m))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not heavy & set(done.stdout.split())
