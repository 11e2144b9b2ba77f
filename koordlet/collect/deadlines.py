"""Rounds at fixed points in time: a slow round never shifts the ones after it."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass


@dataclass(slots=True)
class Pace:
    """How well the rounds of one loop keep their times."""

    lag_s: float = 0.0
    """How late the newest round began."""
    max_lag_s: float = 0.0
    missed: int = 0
    """Rounds left out because the one before ended after their time."""


def next_deadline(start_s: float, interval_s: float, now_s: float, before: int) -> tuple[int, int]:
    """Number of the first deadline after round `before` that is not over yet, and how many were missed.

    Deadline n is at `start_s + n * interval_s`.
    """
    number = before + 1
    if now_s > start_s + number * interval_s:
        number = int((now_s - start_s) // interval_s) + 1
    return number, number - before - 1


async def deadlines(interval_s: float, pace: Pace) -> AsyncIterator[float]:
    """Monotonic time at the start of each round, the first one at once; `pace` is kept up to date."""
    start_s, number = time.monotonic(), 0
    while True:
        now_s = time.monotonic()
        pace.lag_s = max(0.0, now_s - (start_s + number * interval_s))
        pace.max_lag_s = max(pace.max_lag_s, pace.lag_s)
        yield now_s
        number, missed = next_deadline(start_s, interval_s, time.monotonic(), number)
        pace.missed += missed
        await asyncio.sleep(start_s + number * interval_s - time.monotonic())
