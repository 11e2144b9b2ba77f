"""From two readings of a counter to a rate."""


def rate_per_s(before: float, after: float, elapsed_s: float) -> float | None:
    """Growth per second; None when the counter went back or no time passed, which makes `after` a first sample."""
    if after < before or elapsed_s <= 0:
        return None
    return (after - before) / elapsed_s
