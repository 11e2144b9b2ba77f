"""How long to wait before a failed part is started again."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """Doubling waits; a part that ran long enough starts again from the first one."""

    first_s: float = 0.5
    max_s: float = 30.0
    forget_after_s: float = 60.0

    def failures_in_a_row(self, before: int, ran_s: float) -> int:
        """The number of failures in a row, this one included, after a run of `ran_s`."""
        return 1 if ran_s >= self.forget_after_s else before + 1

    def wait_s(self, failures: int, jitter: float) -> float:
        """Seconds to wait after the n-th failure in a row; `jitter` in 0..1 shortens it by up to a quarter."""
        doubled = self.first_s * 2 ** min(failures - 1, 30)
        return min(doubled, self.max_s) * (1 - 0.25 * jitter)
