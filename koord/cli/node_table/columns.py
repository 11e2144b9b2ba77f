"""The columns: title, width, how a value reads, and from where on it is bad."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from koordlet.collect.table import GroupRow

Value = float | str | None
Level = Literal["none", "idle", "normal", "warm", "hot"]
MISSING = "-"

_BINARY = ("B", "Ki", "Mi", "Gi", "Ti", "Pi")


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table."""

    name: str
    """As `--sort` takes it."""
    title: str
    width: int
    value: Callable[[GroupRow], Value]
    text: Callable[[Value], str]
    warm: float = float("inf")
    """Values from here on deserve a look; `hot` ones hurt."""
    hot: float = float("inf")

    def level(self, row: GroupRow) -> Level:
        """How bad the row's value is."""
        value = self.value(row)
        if value is None:
            return "none"
        if isinstance(value, str):
            return "normal"
        if value >= self.hot:
            return "hot"
        if value >= self.warm:
            return "warm"
        return "idle" if self.text(value) == self.text(0.0) else "normal"


def cores(value: Value) -> str:
    """CPU use in cores, three decimals below ten."""
    if not isinstance(value, (int, float)):
        return MISSING
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def percent(value: Value) -> str:
    """A ratio as percent; rounding never turns something into 0.0 %."""
    if not isinstance(value, (int, float)):
        return MISSING
    if 0 < value < 0.0005:
        return "<0.1%"
    return f"{value * 100:.1f}%" if value < 0.9995 else "100%"


def size(value: Value) -> str:
    """Bytes with a binary unit and three significant digits."""
    if not isinstance(value, (int, float)):
        return MISSING
    scaled, unit = float(value), 0
    while scaled >= 999.5 and unit < len(_BINARY) - 1:
        scaled, unit = scaled / 1024, unit + 1
    if unit == 0:
        return f"{scaled:.0f}B"
    digits = 2 if scaled < 9.995 else 1 if scaled < 99.95 else 0
    return f"{scaled:.{digits}f}{_BINARY[unit]}"


def count(value: Value) -> str:
    """A whole number."""
    return f"{value:.0f}" if isinstance(value, (int, float)) else MISSING


def plain(value: Value) -> str:
    """Text as it is."""
    return value if isinstance(value, str) else MISSING


COLUMNS = [
    Column("kind", "KIND", 9, lambda row: row.kind, plain),
    Column("qos", "QOS", 10, lambda row: row.qos, plain),
    Column("cpu", "CPU", 7, lambda row: row.cpu_cores, cores),
    Column("limit", "LIMIT", 7, lambda row: row.cpu_limit_cores, cores),
    Column("throttled", "THROTTLED", 9, lambda row: row.throttled_ratio, percent, 0.01, 0.25),
    Column("psi-cpu", "CPU-WAIT", 8, lambda row: row.psi_cpu_some, percent, 0.10, 0.40),
    Column("psi-memory", "MEM-FULL", 8, lambda row: row.psi_memory_full, percent, 0.01, 0.10),
    Column("psi-io", "IO-FULL", 8, lambda row: row.psi_io_full, percent, 0.05, 0.25),
    Column("memory", "MEMORY", 8, lambda row: row.memory_bytes, size),
    Column("memory-limit", "MEM-LIMIT", 9, lambda row: row.memory_limit_bytes, size),
    Column("tasks", "TASKS", 6, lambda row: row.tasks, count),
]
NAME = Column("name", "NAME", 36, lambda row: row.name, plain)
MIN_NAME_WIDTH, MAX_NAME_WIDTH = 24, 64
GAP = 2
_LEAVE_FIRST = ("memory-limit", "tasks", "qos", "limit", "kind", "memory")
BY_NAME = {column.name: column for column in [NAME, *COLUMNS]}
LEFT_ALIGNED = frozenset({"name", "kind", "qos"})


def fitting(width: int, more: int) -> list[Column]:
    """NAME and the columns that fit into `width` beside `more` other characters; the least telling ones leave first."""
    leaving = list(_LEAVE_FIRST)
    shown = list(COLUMNS)
    while (rest := _rest(width - more, shown)) < MIN_NAME_WIDTH and leaving:
        name = leaving.pop(0)
        shown = [column for column in shown if column.name != name]
    return [replace(NAME, width=max(MIN_NAME_WIDTH, min(MAX_NAME_WIDTH, rest))), *shown]


def _rest(width: int, columns: list[Column]) -> int:
    return width - GAP - sum(column.width + GAP for column in columns)


def cell(column: Column, row: GroupRow) -> str:
    """The value's text, aligned to the column's width."""
    return aligned(column, column.text(column.value(row)))


def aligned(column: Column, text: str) -> str:
    """The text cut and padded to the column's width."""
    text = text if len(text) <= column.width else text[: column.width - 1] + "…"
    return text.ljust(column.width) if column.name in LEFT_ALIGNED else text.rjust(column.width)
