"""Command lines in the style of Go's flag package: `-name=value`, `--name=value`, `-name value`, `-switch`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["string", "int", "float", "bool", "duration"]
Value = str | int | float | bool

_TRUE = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE = frozenset({"0", "f", "F", "false", "FALSE", "False"})
_UNIT_S = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION_PART = re.compile(r"(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)")
_INT = re.compile(r"[+-]?\d+")
_EXPECTED = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "duration": "a number with a unit, such as 500ms, 10s or 1h30m",
}


class FlagError(ValueError):
    """A command line that cannot be understood; the message names the flag, what was found and what is allowed."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag: its default in the written form, which is also what `--help` shows."""

    name: str
    kind: Kind
    default: str
    help: str


def parse_duration_s(text: str) -> float:
    """A Go duration in seconds; FlagError when a unit is missing."""
    sign, body = (-1.0, text[1:]) if text.startswith("-") else (1.0, text.removeprefix("+"))
    if body == "0":
        return 0.0
    position, total_s = 0, 0.0
    while part := _DURATION_PART.match(body, position):
        total_s += float(part[1]) * _UNIT_S[part[2]]
        position = part.end()
    if position != len(body) or not body:
        raise FlagError(f"duration {text!r}: expected {_EXPECTED['duration']}")
    return sign * total_s


def parse_value(flag: Flag, text: str) -> Value:
    """The value that `text` means for this flag; a duration is seconds."""
    try:
        match flag.kind:
            case "string":
                return text
            case "int" if _INT.fullmatch(text):
                return int(text)
            case "float":
                return float(text)
            case "bool" if text in _TRUE or text in _FALSE:
                return text in _TRUE
            case "duration":
                return parse_duration_s(text)
            case _:
                pass
    except ValueError:
        pass
    raise FlagError(f"flag -{flag.name}: found {text!r}, expected {_EXPECTED[flag.kind]}")


def parse(flags: Sequence[Flag], arguments: Sequence[str]) -> dict[str, Value]:
    """Values of the flags that were given, by name; the last one counts.

    FlagError for an unknown flag, a missing or wrong value, and for anything that is not a flag.
    """
    known = {flag.name: flag for flag in flags}
    given: dict[str, Value] = {}
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument == "--" and not rest:
            break
        if not argument.startswith("-") or argument in ("-", "--"):
            raise FlagError(f"argument {argument!r}: only flags are accepted (-name=value)")
        name, has_value, text = argument.removeprefix("-").removeprefix("-").partition("=")
        flag = known.get(name)
        if flag is None:
            raise FlagError(f"unknown flag -{name}")
        if not has_value:
            if flag.kind == "bool":
                text = "true"
            elif rest:
                text = rest.pop(0)
            else:
                raise FlagError(f"flag -{name}: needs a value, expected {_EXPECTED.get(flag.kind, 'text')}")
        given[name] = parse_value(flag, text)
    return given


def usage(flags: Sequence[Flag]) -> str:
    """One line per flag with its default, sorted by name."""
    width = max(len(flag.name) for flag in flags)
    return "\n".join(
        f"  -{flag.name:<{width}}  {flag.help}" + (f" (default {flag.default})" if flag.default else "")
        for flag in sorted(flags, key=lambda flag: flag.name)
    )
