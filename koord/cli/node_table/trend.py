"""The last minute of one value per cgroup, as a line of blocks."""

from collections import deque
from collections.abc import Iterable

from koordlet.collect.table import GroupRow

KEPT = 60
WIDTH = 20
_BLOCKS = "▁▂▃▄▅▆▇█"


class Trend:
    """CPU use of each cgroup over the last `KEPT` tables; what is gone is forgotten."""

    def __init__(self) -> None:
        self._values: dict[str, deque[float | None]] = {}

    def add(self, rows: Iterable[GroupRow]) -> None:
        """Take over one table."""
        before, self._values = self._values, {}
        for row in rows:
            values = before.get(row.cgroup) or deque(maxlen=KEPT)
            values.append(row.cpu_cores)
            self._values[row.cgroup] = values

    def line(self, cgroup: str, top: float | None) -> str:
        """`WIDTH` characters, the newest right; full height is `top`, else the largest value seen."""
        return sparkline(self._values.get(cgroup, ()), top)


def sparkline(values: Iterable[float | None], top: float | None, width: int = WIDTH, kept: int = KEPT) -> str:
    """Each character is the largest of its share of the values; a blank where there was none."""
    padded = [*([None] * kept), *values][-kept:]
    step = kept // width
    peaks = [max((v for v in padded[i * step : (i + 1) * step] if v is not None), default=None) for i in range(width)]
    height = top if top is not None else max((peak for peak in peaks if peak is not None), default=0.0)
    return "".join(" " if peak is None else _block(peak, height) for peak in peaks)


def _block(value: float, height: float) -> str:
    share = value / height if height > 0 else 0.0
    return _BLOCKS[min(len(_BLOCKS) - 1, int(share * len(_BLOCKS)))]
