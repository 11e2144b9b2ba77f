"""The one error of this package."""


class ProcError(ValueError):
    """A kernel file that is not as expected; the message names the file, what was found and what is allowed."""

    def __init__(self, path: str, found: bytes | str, expected: str) -> None:
        text = found.decode("utf-8", "replace") if isinstance(found, bytes) else found
        super().__init__(f"{path}: found {text[:80]!r}, expected {expected}")
        self.path = path


def whole_number(path: str, field: bytes) -> int:
    """A field that must be a whole number of at most 20 digits (a u64); ProcError otherwise."""
    if not field.isdigit() or len(field) > 20:
        raise ProcError(path, field, "a whole number")
    return int(field)
