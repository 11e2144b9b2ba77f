"""The work queue."""

import asyncio

import pytest

from koord.kube.errors import UnreachableError
from koord.kube.workqueue import RateLimits, WorkQueue


async def test_a_key_added_twice_is_taken_once() -> None:
    queue = WorkQueue("test")
    queue.add("a")
    queue.add("b")
    queue.add("a")
    assert [await queue.get(), await queue.get()] == ["a", "b"]
    assert len(queue) == 0


async def test_a_key_added_while_it_is_worked_on_is_taken_again_only_afterwards() -> None:
    queue = WorkQueue("test")
    queue.add("a")
    assert await queue.get() == "a"
    queue.add("a")
    queue.add("a")
    assert len(queue) == 0
    queue.done("a")
    assert await queue.get() == "a"
    queue.done("a")
    assert len(queue) == 0


async def test_a_key_is_never_worked_on_twice_at_the_same_time() -> None:
    queue, busy, runs = WorkQueue("test"), set[str](), 0

    async def reconcile(key: str) -> None:
        nonlocal runs
        assert key not in busy
        busy.add(key)
        await asyncio.sleep(0.001)
        busy.discard(key)
        runs += 1

    async def produce() -> None:
        for number in range(300):
            queue.add(str(number % 3))
            await asyncio.sleep(0)
        queue.close()

    async with asyncio.timeout(10):
        await asyncio.gather(queue.work(reconcile, workers=8), produce())
    assert 3 <= runs < 300


async def test_a_failing_key_waits_longer_each_time_until_it_is_forgotten() -> None:
    now = 0.0
    queue = WorkQueue("test", RateLimits(first_s=1, most_s=8, per_second=1000, burst=1000), clock=lambda: now)
    delays = []
    for _ in range(6):
        queue.add_rate_limited("a")
        delays.append(queue._due.pop("a") - now)
    assert delays == [1, 2, 4, 8, 8, 8]
    assert queue.failures("a") == 6
    queue.forget("a")
    queue.add_rate_limited("a")
    assert queue._due["a"] == 1
    queue.close()


async def test_all_failing_keys_together_come_back_no_faster_than_the_queues_rate() -> None:
    now = 100.0
    queue = WorkQueue("test", RateLimits(first_s=0.001, per_second=10, burst=5), clock=lambda: now)
    for number in range(15):
        queue.add_rate_limited(f"key-{number}")
    due = sorted(at - now for at in queue._due.values())
    assert due[:5] == pytest.approx([0.001] * 5)
    assert due[-1] == pytest.approx(1.0)
    queue.close()


async def test_the_shortest_of_several_delays_counts_and_the_key_comes_once() -> None:
    queue = WorkQueue("test")
    queue.add_after("a", 30)
    queue.add_after("a", 0.05)
    queue.add_after("a", 20)
    async with asyncio.timeout(2):
        assert await queue.get() == "a"
    queue.done("a")
    assert len(queue) == 0
    queue.close()


async def test_a_failure_is_tried_again_and_a_wish_is_granted() -> None:
    queue, calls = WorkQueue("test", RateLimits(first_s=0.001)), list[str]()

    async def reconcile(key: str) -> float | None:
        calls.append(key)
        if len(calls) == 1:
            raise UnreachableError("no answer")
        if len(calls) == 2:
            return 0.01
        queue.close()
        return None

    queue.add("a")
    async with asyncio.timeout(5):
        await queue.work(reconcile)
    assert calls == ["a", "a", "a"]
    assert queue.failures("a") == 0


async def test_a_worker_that_is_cancelled_while_waiting_loses_no_key() -> None:
    queue = WorkQueue("test")
    first, second = asyncio.create_task(queue.get()), asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    queue.add("a")
    first.cancel()
    assert await asyncio.wait_for(second, 5) == "a"
    assert first.cancelled()


async def test_closing_ends_the_workers_after_what_is_ready() -> None:
    queue, calls = WorkQueue("test"), list[str]()

    async def reconcile(key: str) -> None:
        calls.append(key)

    queue.add("a")
    queue.add_after("later", 60)
    queue.close()
    queue.add("too late")
    async with asyncio.timeout(1):
        await queue.work(reconcile, workers=3)
    assert calls == ["a"]
