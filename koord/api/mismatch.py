"""From msgspec's message about a value of a wrong type to an error that names path, found value and allowed ones."""

import re
from typing import Any, cast

import msgspec

from koord.api.base import read_custom
from koord.api.errors import ValidationError

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+|\.\.\.)\]")


def explain(kind: type, document: Any, message: str, subject: str) -> ValidationError:
    """The error for a document that msgspec refused with the message; the document may be changed."""
    text, _, place = message.partition(" - at `")
    path, value = "", document
    for name, index in _STEP.findall(place.removesuffix("`").removeprefix("$")):
        if index == "..." and isinstance(value, dict):
            entries = cast("dict[str, Any]", value)
            key = _wrong_key(kind, document, entries, message)
            path, value = f"{path}[{key}]", entries.get(key)
        elif index and isinstance(value, list):
            path, value = f"{path}[{index}]", cast("list[Any]", value)[int(index)]
        elif isinstance(value, dict):
            path, value = f"{path}.{name}" if path else name, cast("dict[str, Any]", value).get(name)
    return ValidationError(subject, path, value, _allowed(text))


def _wrong_key(kind: type, document: Any, entries: dict[str, Any], message: str) -> str:
    """Which entry of a map is wrong, which msgspec does not say: the one that is refused when it stands alone."""
    for key, value in list(entries.items()):
        others = dict(entries)
        entries.clear()
        entries[key] = value
        try:
            msgspec.convert(document, kind, dec_hook=read_custom)
        except msgspec.ValidationError as error:
            if str(error) == message:
                return key
        entries.update(others)
    return "..."


def _allowed(text: str) -> str:
    """`Expected `int`, got `str`` -> `int`; messages of our own hooks say what is allowed after that word."""
    _, hinted, allowed = text.partition("allowed ")
    if hinted:
        return allowed
    return re.sub(r"^Expected (`[^`]+`(?: .*?)?), got .*$", r"\1", text).removeprefix("Expected ")
