"""Rounds at fixed points in time."""

import asyncio

import pytest

from koordlet.collect.deadlines import Pace, deadlines, next_deadline


@pytest.mark.parametrize(
    ("now_s", "before", "expected"),
    [
        (100.0, 0, (1, 0)),
        (100.9, 0, (1, 0)),
        (101.0, 0, (1, 0)),
        (101.1, 0, (2, 1)),
        (103.5, 0, (4, 3)),
        (102.2, 2, (3, 0)),
    ],
)
def test_next_round_is_the_first_deadline_that_is_not_over(now_s, before, expected):
    assert next_deadline(100.0, 1.0, now_s, before) == expected


async def test_slow_round_does_not_shift_the_ones_after_it():
    pace, starts = Pace(), []
    loop = asyncio.get_running_loop()
    begin = loop.time()
    async for _ in deadlines(0.1, pace):
        starts.append(loop.time() - begin)
        if len(starts) == 2:
            await asyncio.sleep(0.15)
        if len(starts) == 4:
            break
    assert pace.missed >= 1
    for start in starts:
        phase = start % 0.1
        assert min(phase, 0.1 - phase) < 0.06
