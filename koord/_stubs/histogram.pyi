"""The decaying histogram of peak prediction, as Kubernetes' vertical pod autoscaler keeps it."""

from typing import final

@final
class Histogram:
    """Exponential buckets, each 5 % wider than the one before; a sample counts half after a half-life. Thread-safe."""

    @staticmethod
    def cpu(half_life_ms: int) -> Histogram:
        """Make one for cores, up to 1024."""

    @staticmethod
    def memory(half_life_ms: int) -> Histogram:
        """Make one for bytes, up to 2 TiB."""

    def add(self, value: float, ts_ms: int) -> None:
        """Count one sample, taken at a Unix time in ms; one that is not finite is none."""

    def percentile(self, fraction: float) -> float:
        """End of the bucket below which `fraction` (0-1) of the weight lies; 0 without samples."""

    @property
    def is_empty(self) -> bool:
        """Nothing was counted yet."""

    def checkpoint(self) -> tuple[int, dict[int, int], float]:
        """What to store: reference time (Unix ms), weight by bucket (the largest is 10,000) and total weight."""

    def restored(self, reference_ms: int, weights: dict[int, int], total_weight: float) -> Histogram:
        """Make one of this shape from a checkpoint; ValueError when it names a bucket that there is not."""
