"""How one event becomes one line: logfmt or JSON."""

import json
import re
from collections.abc import Mapping

Field = str | int | float | bool | None

# What logfmt readers take without quotes.
_BARE = re.compile(r"[^\s\"=\x00-\x1f\x7f]+")


def logfmt(fields: Mapping[str, Field]) -> str:
    """`key=value` pairs on one line, in the mapping's order; values that would be misread are quoted."""
    return " ".join(f"{key}={_value(value)}" for key, value in fields.items())


def json_line(fields: Mapping[str, Field]) -> str:
    """One JSON object on one line, in the mapping's order."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _value(value: Field) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.6g}"
        case int():
            return str(value)
        case str():
            return value if _BARE.fullmatch(value) else json.dumps(value, ensure_ascii=False)
