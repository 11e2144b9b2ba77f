"""The error of typed decoding."""

from koord.api.errors import ValidationError
from koord.api.gojson import paths


class Mismatch(Exception):  # noqa: N818 (a decoding step, turned into ValidationError by callers)
    """A JSON value that does not fit its type: where it stands, what was found, what is allowed."""

    def __init__(self, found: object, allowed: str) -> None:
        self.found = found
        self.allowed = allowed
        self.steps: list[str | int] = []
        super().__init__(found, allowed)

    def below(self, step: str | int) -> "Mismatch":
        """Say that the value stands below the given key or index."""
        self.steps.append(step)
        return self

    @property
    def path(self) -> str:
        """The path from the document's root; empty when the root itself does not fit."""
        return paths.join(reversed(self.steps))

    def __str__(self) -> str:
        return str(ValidationError("document", self.path, self.found, self.allowed))
