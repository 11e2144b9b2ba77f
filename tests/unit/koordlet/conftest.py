"""A frame from a table, for tests of what is made of frames."""

from array import array
from dataclasses import dataclass, field
from typing import Any

import pytest

NAN = float("nan")


@dataclass
class TableFrame:
    """Columns not given are NaN; keys are 1, 2, ... in the order of the paths."""

    paths: list[str]
    columns: dict[str, list[float]] = field(default_factory=dict)
    gone: list[int] = field(default_factory=list)
    sources: list[int] | None = None
    wall_ms: int = 1_000_000
    duration_ns: int = 500_000

    def __len__(self) -> int:
        return len(self.paths)

    @property
    def key(self) -> memoryview:
        return memoryview(array("Q", range(1, len(self.paths) + 1)))

    @property
    def source(self) -> memoryview:
        return memoryview(array("Q", self.sources or [0] * len(self.paths)))

    @property
    def appeared(self) -> list[tuple[int, str, int]]:
        return [(number, path, 0) for number, path in enumerate(self.paths, 1)]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return memoryview(array("d", self.columns.get(name, [NAN] * len(self.paths))))


@pytest.fixture
def table_frame() -> type[TableFrame]:
    return TableFrame
