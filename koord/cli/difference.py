"""What changed between two JSON documents, field by field."""

from collections.abc import Iterator
from typing import Any, cast

import orjson

_LONGEST = 60


def differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Yield `path: old -> new` for each value that differs; lists are compared as a whole."""
    if isinstance(old, dict) and isinstance(new, dict):
        before, after = cast("dict[str, Any]", old), cast("dict[str, Any]", new)
        for key in sorted(before.keys() | after.keys()):
            yield from differences(before.get(key), after.get(key), f"{path}.{key}" if path else key)
    elif old != new:
        yield f"{path}: {_shown(old)} -> {_shown(new)}"


def _shown(value: Any) -> str:
    if value is None:
        return "absent"
    text = orjson.dumps(value).decode()
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
