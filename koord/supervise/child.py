"""A part that is a process of its own."""

import asyncio
import ctypes
import os
import signal
from collections.abc import Mapping, Sequence
from typing import IO

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_libc = ctypes.CDLL(None)


class ChildError(Exception):
    """The process ended by itself; the message holds the command and how it ended."""


async def run_child(
    command: Sequence[str], environment: Mapping[str, str], stderr: IO[str] | None = None, grace_s: float = 2.0
) -> None:
    """Run a command until it ends or this coroutine is cancelled.

    When cancelled the process gets SIGTERM and, `grace_s` later, SIGKILL; it gets SIGTERM too when this process dies.
    ChildError when it ended with a status other than 0.
    """
    process = await asyncio.create_subprocess_exec(
        *command, env=environment, stdin=asyncio.subprocess.DEVNULL, stderr=stderr, preexec_fn=_follow_parent
    )
    try:
        status = await process.wait()
    except asyncio.CancelledError:
        await _end(process, grace_s)
        raise
    if status != 0:
        how = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
        raise ChildError(f"{os.path.basename(command[0])} {' '.join(command[1:])} ended with {how}")


def _follow_parent() -> None:
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


async def _end(process: asyncio.subprocess.Process, grace_s: float) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), grace_s)
    except TimeoutError:
        process.kill()
        await process.wait()
