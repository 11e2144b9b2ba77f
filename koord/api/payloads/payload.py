"""A label or annotation with the type of its value: reading, writing, checking."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from koord.api.errors import ValidationError
from koord.api.gojson import Mismatch, parse, render

T = TypeVar("T")

Findings = Iterable[Mismatch]
"""Values that can be read but have no effect, or another one than their writer may expect."""


class Place(StrEnum):
    """Where a key stands in an object's metadata."""

    LABEL = "labels"
    ANNOTATION = "annotations"


def no_findings(_value: Any) -> Findings:
    """The review of a value in which nothing can be odd."""
    return ()


@dataclass(frozen=True)
class Payload(Generic[T]):
    """One key: `parser` raises Mismatch, `writer` is its inverse, `reviewer` finds what is odd about a good value."""

    place: Place
    key: str
    parser: Callable[[str], T]
    writer: Callable[[T], str]
    reviewer: Callable[[T], Findings] = no_findings

    def parse(self, text: str, subject: str) -> T:
        """Read the key's text on the object that `subject` names; raises ValidationError."""
        try:
            return self.parser(text)
        except Mismatch as mismatch:
            raise self._error(subject, mismatch) from None

    def read(self, metadata: Mapping[str, str], subject: str) -> T | None:
        """Read the key from an object's labels or annotations; None without the key. Raises ValidationError."""
        text = metadata.get(self.key)
        return None if text is None else self.parse(text, subject)

    def read_or(self, metadata: Mapping[str, str], subject: str, default: T) -> tuple[T, ValidationError | None]:
        """Read the key, with a default for a missing or unreadable value; the error says why it was not readable."""
        try:
            value = self.read(metadata, subject)
        except ValidationError as error:
            return default, error
        return (default if value is None else value), None

    def format(self, value: T) -> str:
        """Write a value as the key's text."""
        return self.writer(value)

    def review(self, text: str, subject: str) -> list[ValidationError]:
        """List what is wrong with the text, or odd about it; empty for a good one."""
        try:
            value = self.parse(text, subject)
        except ValidationError as error:
            return [error]
        return [self._error(subject, mismatch) for mismatch in self.reviewer(value)]

    def _error(self, subject: str, mismatch: Mismatch) -> ValidationError:
        inner = f".{mismatch.path}" if mismatch.path and not mismatch.path.startswith("[") else mismatch.path
        return ValidationError(subject, f"metadata.{self.place}[{self.key}]{inner}", mismatch.found, mismatch.allowed)


def json_annotation(
    key: str,
    kind: type[T],
    *,
    check: Callable[[T], None] | None = None,
    review: Callable[[T], Findings] = no_findings,
) -> Payload[T]:
    """An annotation that holds a JSON document; `check` raises Mismatch for values that readers refuse."""

    def parse_checked(text: str) -> T:
        value = parse(text, kind)
        if check is not None:
            check(value)
        return value

    return Payload(Place.ANNOTATION, key, parse_checked, render, review)


@dataclass(frozen=True)
class Codec(Generic[T]):
    """How a text that is no JSON is read and written."""

    parser: Callable[[str], T]
    writer: Callable[[T], str]
    reviewer: Callable[[T], Findings] = no_findings


def label(key: str, codec: Codec[T]) -> Payload[T]:
    """A label with the given text form."""
    return Payload(Place.LABEL, key, codec.parser, codec.writer, codec.reviewer)


def annotation(key: str, codec: Codec[T]) -> Payload[T]:
    """An annotation with the given text form."""
    return Payload(Place.ANNOTATION, key, codec.parser, codec.writer, codec.reviewer)


def odd(found: object, allowed: str, *steps: str | int) -> Mismatch:
    """A finding about the value that stands below the given keys and indices."""
    mismatch = Mismatch(found, allowed)
    for step in reversed(steps):
        mismatch.below(step)
    return mismatch


def unless_one_of(found: str | None, allowed: Iterable[str], *steps: str | int) -> Findings:
    """A finding when a text is neither absent, empty nor one of the allowed ones."""
    names = tuple(allowed)
    if found and found not in names:
        yield odd(found, ", ".join(names), *steps)


def unless_within(found: float | None, low: float, high: float, *steps: str | int) -> Findings:
    """A finding when a number is given and out of bounds."""
    if found is not None and not low <= found <= high:
        yield odd(found, f"{low} to {high}", *steps)
