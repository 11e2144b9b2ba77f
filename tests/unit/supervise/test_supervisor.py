"""A failed part is started again, the others go on."""

import asyncio
import os
import signal
import sys

import pytest

from koord.supervise import Backoff, ChildError, Supervisor, run_child

QUICK = Backoff(first_s=0.001, max_s=0.002)


async def until(condition):
    for _ in range(5000):
        if condition():
            return
        await asyncio.sleep(0.002)
    pytest.fail("the condition did not hold in time")


@pytest.mark.parametrize(("failures", "wait_s"), [(1, 0.5), (2, 1), (3, 2), (7, 30), (1000, 30)])
def test_waits_double_up_to_the_largest(failures, wait_s):
    assert Backoff().wait_s(failures, 0) == wait_s
    assert Backoff().wait_s(failures, 1) == wait_s * 0.75


def test_part_that_ran_long_enough_begins_anew():
    assert Backoff().failures_in_a_row(5, 59) == 6
    assert Backoff().failures_in_a_row(5, 60) == 1


async def test_failed_part_is_started_again_and_its_error_kept():
    supervisor, runs = Supervisor(QUICK), []

    async def part():
        runs.append(1)
        if len(runs) < 3:
            raise OSError("not yet")
        await asyncio.Event().wait()

    supervisor.start("part", part)
    await until(lambda: len(runs) == 3)
    await asyncio.sleep(0)
    status = supervisor.status["part"]
    assert (status.state, status.restarts, status.last_error) == ("running", 2, "OSError: not yet")
    assert supervisor.errors_by_kind == {"OSError": 2}
    assert supervisor.healthy()
    await supervisor.stop()
    assert status.state == "ended"


async def test_part_that_waits_for_its_restart_is_unhealthy_and_does_not_stop_others():
    supervisor, beats = Supervisor(Backoff(first_s=60)), []

    async def bad():
        raise ValueError("x")

    async def good():
        while True:
            beats.append(1)
            await asyncio.sleep(0.001)

    supervisor.start("bad", bad)
    supervisor.start("good", good)
    await until(lambda: len(beats) > 3)
    assert not supervisor.healthy()
    assert supervisor.status["bad"].state == "waiting"
    assert supervisor.status["good"].state == "running"
    await supervisor.stop()


async def test_parts_end_in_reverse_order():
    supervisor, ended = Supervisor(), []

    async def part(name):
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    supervisor.start("first", lambda: part("first"))
    supervisor.start("second", lambda: part("second"))
    await asyncio.sleep(0)
    await supervisor.stop()
    assert ended == ["second", "first"]


async def test_a_name_is_supervised_once():
    supervisor = Supervisor()
    supervisor.start("a", asyncio.Event().wait)
    with pytest.raises(ValueError, match="'a' is already supervised"):
        supervisor.start("a", asyncio.Event().wait)
    await supervisor.stop()


async def test_child_that_fails_says_how_it_ended():
    with pytest.raises(ChildError, match="ended with status 7"):
        await run_child([sys.executable, "-c", "raise SystemExit(7)"], os.environ)
    with pytest.raises(ChildError, match="ended with signal SIGKILL"):
        await run_child([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], os.environ)


async def test_cancelled_child_is_ended_and_one_that_ignores_it_is_killed(tmp_path):
    for ignores in (False, True):
        mark = tmp_path / f"{ignores}"
        ignore = "signal.signal(signal.SIGTERM, signal.SIG_IGN);" if ignores else ""
        code = f"import os, signal, time; {ignore} open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
        task = asyncio.create_task(run_child([sys.executable, "-c", code], os.environ, grace_s=0.3))
        await until(lambda mark=mark: mark.exists() and mark.read_text())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(ProcessLookupError):
            os.kill(int(mark.read_text()), 0)


async def test_child_ends_when_its_parent_is_killed(tmp_path):
    mark = tmp_path / "pid"
    child = f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    parent = (
        "import asyncio, os, sys; from koord.supervise import run_child; "
        f"asyncio.run(run_child([sys.executable, '-c', {child!r}], os.environ))"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", parent)
    await until(lambda: mark.exists() and mark.read_text())
    process.send_signal(signal.SIGKILL)
    await process.wait()
    await until(lambda: not is_running(int(mark.read_text())))


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
