"""What one pod, class or node was seen to use, and the peak to expect."""

from dataclasses import dataclass
from typing import Final

from koord._core import Histogram

CPU_FRACTION: Final = 0.95
MEMORY_FRACTION: Final = 0.98
"""Percentiles that count as the peak."""


@dataclass(frozen=True)
class Amount:
    """CPU in milli-cores and memory in bytes."""

    cpu_milli: int = 0
    memory_bytes: int = 0

    def __add__(self, other: "Amount") -> "Amount":
        """Add each."""
        return Amount(self.cpu_milli + other.cpu_milli, self.memory_bytes + other.memory_bytes)

    def less(self, other: "Amount") -> "Amount":
        """What is left of each, at least 0."""
        return Amount(
            max(self.cpu_milli - other.cpu_milli, 0),
            max(self.memory_bytes - other.memory_bytes, 0),
        )

    def times(self, factor: float) -> "Amount":
        """Each multiplied and truncated."""
        return Amount(int(self.cpu_milli * factor), int(self.memory_bytes * factor))

    def smaller(self, other: "Amount") -> "Amount":
        """The smaller of each."""
        return Amount(min(self.cpu_milli, other.cpu_milli), min(self.memory_bytes, other.memory_bytes))

    def larger(self, other: "Amount") -> "Amount":
        """The larger of each."""
        return Amount(max(self.cpu_milli, other.cpu_milli), max(self.memory_bytes, other.memory_bytes))


class Model:
    """The history of one pod, class or node."""

    def __init__(self, cpu_half_life_ms: int, memory_half_life_ms: int) -> None:
        self.cpu = Histogram.cpu(cpu_half_life_ms)
        self.memory = Histogram.memory(memory_half_life_ms)

    def add(self, cores: float, memory_bytes: float, ts_ms: int) -> None:
        """Learn from one sample."""
        self.cpu.add(cores, ts_ms)
        self.memory.add(memory_bytes, ts_ms)

    def percentile(self, cpu_fraction: float, memory_fraction: float) -> Amount:
        """The amounts below which these fractions of the weight lie, truncated."""
        return Amount(int(self.cpu.percentile(cpu_fraction) * 1000), int(self.memory.percentile(memory_fraction)))

    def peak(self) -> Amount:
        """The peak to expect: p95 of CPU, p98 of memory."""
        return self.percentile(CPU_FRACTION, MEMORY_FRACTION)
