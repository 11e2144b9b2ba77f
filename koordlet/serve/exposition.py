"""Prometheus text format 0.0.4, written straight from columns."""

from collections.abc import Iterable, Mapping
from typing import Literal

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
MetricType = Literal["gauge", "counter"]

_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})
_HELP_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n"})


def labels(values: Mapping[str, str]) -> str:
    """`name="value",...` without braces, in the mapping's order."""
    return ",".join(f'{name}="{_valid(value).translate(_ESCAPES)}"' for name, value in values.items())


def _valid(text: str) -> str:
    """The text as UTF-8 can carry it; bytes of paths that are none show as `?`."""
    return text.encode("utf-8", "replace").decode()


class Exposition:
    """Collects families and their samples; a value that is None or NaN has no sample."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def family(self, name: str, kind: MetricType, text: str) -> None:
        """Start a family."""
        self._parts.append(f"# HELP {name} {text.translate(_HELP_ESCAPES)}\n# TYPE {name} {kind}\n")

    def sample(self, name: str, label_text: str, value: float | None) -> None:
        """One sample; `label_text` as `labels` gives it."""
        if value is not None and value == value:
            braced = f"{{{label_text}}}" if label_text else ""
            self._parts.append(f"{name}{braced} {value}\n")

    def single(self, name: str, kind: MetricType, text: str, label_text: str, value: float | None) -> None:
        """A family with one sample, or nothing when it has no value."""
        if value is not None:
            self.family(name, kind, text)
            self.sample(name, label_text, value)

    def column(self, name: str, rows: Iterable[tuple[int, str]], values: list[float], scale: float) -> None:
        """One sample per `(row number, label text)`; a row whose value is NaN has none."""
        self._parts.extend(
            f"{name}{{{label_text}}} {values[row] * scale}\n" for row, label_text in rows if values[row] == values[row]
        )

    def text(self) -> bytes:
        """Everything so far."""
        return "".join(self._parts).encode()
