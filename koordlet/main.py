"""Entry point of the `koordlet` command."""

import asyncio
import os
import sys
import threading
import time

import koord.log
from koord.log import Logger, Sink
from koordlet.config.flags import FLAGS
from koordlet.config.goflag import FlagError, usage
from koordlet.config.options import Options, read_options
from koordlet.descriptors import raise_descriptor_limit
from koordlet.lock import LockedError, NodeLock

log = Logger(__name__)

_THREAD_GRACE_S = 0.3


def main() -> None:
    """Run the agent; exits 0 after a signal, 1 failed, 2 usage."""
    arguments = sys.argv[1:]
    if any(argument in ("-h", "-help", "--help") for argument in arguments):
        print(f"Usage: koordlet [-name=value ...]\n\n{usage(FLAGS)}")
        return
    try:
        options = read_options(arguments, os.environ)
    except FlagError as error:
        print(f"koordlet: {error}", file=sys.stderr)
        sys.exit(2)
    koord.log.configure(Sink(options.log_format, options.verbosity))
    for flag in options.without_effect:
        log.info("flag is accepted and has no effect", f"-{flag}")
    failure = _run_alone(options)
    if failure:
        log.error("cannot be this node's agent", options.node_name, error=failure)
    koord.log.flush()
    _leave(1 if failure else 0)


def _run_alone(options: Options) -> str:
    """Run as the only agent of this node; returns what went wrong, or an empty string."""
    from koordlet.agent import run  # a usage error needs no HTTP server
    from koordlet.serve.server import ListenError

    try:
        lock = NodeLock(options.lock_path)
    except (LockedError, OSError) as error:
        return str(error)
    raise_descriptor_limit()
    try:
        asyncio.run(run(options))
    except ListenError as error:
        return str(error)
    finally:
        lock.release()
    return ""


def _leave(status: int) -> None:
    """End the process, even if a thread hangs in a read that the kernel never finishes (a dead filesystem)."""
    deadline_s = time.monotonic() + _THREAD_GRACE_S
    while threading.active_count() > 1 and time.monotonic() < deadline_s:
        time.sleep(0.01)
    if threading.active_count() > 1:
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)
