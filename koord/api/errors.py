"""Errors of the API types: each names the object, the field path in it, what was found and what is allowed."""

from typing import Any, cast

import msgspec


class ApiError(ValueError):
    """Base of everything that `koord.api` raises about data."""


class ValidationError(ApiError):
    """A value that the API does not allow.

    `subject` names the object (`Reservation default/web`), `path` the field in it (`spec.owners[0].object`),
    `found` is the value that stands there, `allowed` says in words what may stand there.
    """

    def __init__(self, subject: str, path: str, found: object, allowed: str) -> None:
        self.subject = subject
        self.path = path
        self.found = found
        self.allowed = allowed
        super().__init__(subject, path, found, allowed)

    def __str__(self) -> str:
        where = f"{self.subject}: {self.path}" if self.path else self.subject
        return f"{where}: found {quote(self.found)}, allowed {self.allowed}"


class QuantityError(ApiError):
    """A text that is no resource quantity."""


class DurationError(ApiError):
    """A text that is no Go duration."""


_LONGEST_QUOTE = 120


def quote(found: object) -> str:
    """Show a found value in a message, cut where it is long; msgspec.UNSET stands for an absent one."""
    if found is msgspec.UNSET:
        return "nothing"
    text = "null" if found is None else f'"{found}"' if isinstance(found, str) else repr(found)
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def subject_of(data: object, kind: str) -> str:
    """Name the object in a decoded JSON document: kind, namespace and name, as far as they are there."""
    if not isinstance(data, dict):
        return kind
    document = cast("dict[str, Any]", data)
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return kind
    names = cast("dict[str, Any]", metadata)
    name = "/".join(str(names[key]) for key in ("namespace", "name") if names.get(key))
    return f"{kind} {name}" if name else kind
