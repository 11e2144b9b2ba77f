"""Time series of one node: fixed-memory rings in Rust, addressed by a metric number and an entity key."""

from typing import final

from typing_extensions import Buffer

@final
class Store:
    """Thread-safe. A value that is not finite is no sample. Ranges are closed, in ms of the appender's clock."""

    def __new__(cls, *, retention_ms: int, max_bytes: int) -> Store:
        """Keep at least `retention_ms` of every series while `max_bytes` of samples (12 bytes each) suffice."""

    def append(self, metric: int, ts_ms: int, keys: Buffer, values: Buffer) -> None:
        """Append one sample a key: `keys` holds u64, `values` f64, as many of each (ValueError otherwise)."""

    def append_one(self, metric: int, ts_ms: int, key: int, value: float) -> None:
        """Append one sample."""

    def query(self, metric: int, key: int, start_ms: int, end_ms: int) -> Window | None:
        """Aggregate one series; None when the range holds no sample."""

    def query_many(self, metric: int, keys: Buffer, start_ms: int, end_ms: int) -> list[Window | None]:
        """Aggregate a series for each key (u64), in their order."""

    def rate(self, metric: int, key: int, start_ms: int, end_ms: int) -> float | None:
        """Growth per second of a counter that may restart at 0; None with fewer than two samples."""

    def points(self, metric: int, key: int, start_ms: int, end_ms: int) -> list[tuple[int, float]]:
        """Samples (ts_ms, value) in the order in which they were appended."""

    def drop(self, keys: Buffer) -> None:
        """Forget every series of these entities (u64)."""

    @property
    def series(self) -> int:
        """Number of series held."""

    @property
    def memory_bytes(self) -> int:
        """Bytes taken by samples, at most `max_bytes`."""

    @property
    def rejected(self) -> int:
        """Samples that found no room so far."""

@final
class Window:
    """Aggregates of one series over one range.

    A percentile is the sample at `trunc(float32(n) * float32(p)) - 1` (at least 0) of the ascending samples, as
    Koordinator's metric cache has it.
    """

    @property
    def count(self) -> int: ...
    @property
    def avg(self) -> float: ...
    @property
    def p50(self) -> float: ...
    @property
    def p90(self) -> float: ...
    @property
    def p95(self) -> float: ...
    @property
    def p99(self) -> float: ...
    @property
    def max(self) -> float: ...
    @property
    def last(self) -> float:
        """Value with the greatest time stamp."""

    @property
    def first_ts_ms(self) -> int: ...
    @property
    def last_ts_ms(self) -> int: ...
