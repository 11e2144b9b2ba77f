"""The agent: collect into one observation, serve it, end when told to."""

import asyncio
import signal
from collections.abc import Callable

from koord.log import Logger
from koord.supervise import Supervisor
from koordlet.collect.deadlines import Pace
from koordlet.collect.frame import RowSources
from koordlet.collect.groups import GroupIndex
from koordlet.collect.history import History
from koordlet.collect.loops import Loops
from koordlet.collect.observation import Observation
from koordlet.collect.readiness import Collectors
from koordlet.config.options import Options
from koordlet.serve.server import Server

log = Logger(__name__)


async def run(options: Options) -> None:
    """Run until SIGTERM or SIGINT. ListenError when an address can't be listened on."""
    stop = _stop_signal()
    observation = observe(options)
    supervisor = Supervisor()
    loops = Loops(options, observation)
    server = Server(observation, supervisor)
    try:
        await server.start(options.address, options.port, options.socket_path)
        supervisor.start("snapshots", loops.snapshots)
        supervisor.start("cpu-info", loops.cpu_info)
        supervisor.start("storage", loops.storage)
        if options.gates["PSICollector"]:
            supervisor.start("pressure", loops.pressures)
        where = f"{options.address}:{options.port}"
        log.info("started", options.node_name, address=where, socket=str(options.socket_path))
        await stop.wait()
        log.info("stopping", options.node_name)
    finally:
        await supervisor.stop()
        loops.close()
        await server.stop()


def observe(options: Options) -> Observation:
    """An observation without any value yet."""
    interval_s = options.collect_interval_s
    return Observation(
        node_name=options.node_name,
        default_runtime=options.default_runtime,
        collect_interval_s=interval_s,
        history=History(options.node_window_s, options.group_window_s, interval_s, options.with_page_cache),
        groups=GroupIndex(),
        collectors=Collectors(),
        pace=Pace(),
        decoder=RowSources(),
    )


def _stop_signal() -> asyncio.Event:
    """Set by the first SIGTERM or SIGINT; a second one has its default effect and ends the process at once."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGTERM, signal.SIGINT)

    def handler() -> Callable[[], None]:
        def first() -> None:
            stop.set()
            for number in numbers:
                loop.remove_signal_handler(number)

        return first

    for number in numbers:
        loop.add_signal_handler(number, handler())
    return stop
