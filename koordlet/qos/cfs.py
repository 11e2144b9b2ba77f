"""CPU amounts as the CFS scheduler's cgroup files take them."""

from typing import Final

PERIOD_US: Final = 100_000
"""Length of a quota period that we assume, as kubelet does."""
MIN_QUOTA_US: Final = 1_000
"""The kernel refuses a smaller quota."""
UNLIMITED: Final = -1
MIN_SHARES: Final = 2
MAX_SHARES: Final = 262_144


def shares_of(milli_cores: int) -> int:
    """The `cpu.shares` of a request: 1024 for a core, within what the kernel allows."""
    return min(max(milli_cores * 1024 // 1000, MIN_SHARES), MAX_SHARES) if milli_cores > 0 else MIN_SHARES


def quota_of(milli_cores: int) -> int:
    """The quota of a limit in µs per period; a limit that is not positive is none."""
    if milli_cores <= 0:
        return UNLIMITED
    return max(milli_cores * PERIOD_US // 1000, MIN_QUOTA_US)
