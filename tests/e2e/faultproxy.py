"""A proxy between clients and the API server that breaks connections in every way a network does.

It ends TLS, so that it can cut inside a response without the client's TLS layer noticing first, and has credentials of
its own for the server. Each connection gets a fault drawn from a seeded plan; `faults` counts what was done.
"""

import asyncio
import random
import socket
import ssl
import struct
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from tests.e2e.certificates import KeyPair

CHUNK = 2**16


class Fault(Enum):
    """What happens to a connection."""

    NONE = "none"
    REFUSE = "refused"
    DELAY = "delayed"
    KILL = "killed"
    TRUNCATE = "truncated"
    STALL = "stalled"
    PAUSE = "paused"
    DRIP = "dripped"
    GONE = "answered 410"
    GONE_EVENT = "sent ERROR 410"
    BUSY = "answered 429"


@dataclass(frozen=True)
class Plan:
    """How often each fault is drawn, and its measures: bytes passed before it, and seconds of waiting.

    A kept connection would escape the draw for ever, so that well treated ones, too, end after at most
    `lifetime_bytes`.
    """

    weights: dict[Fault, float]
    most_bytes: int = 20_000
    lifetime_bytes: int | None = None
    most_delay_s: float = 0.3
    stall_s: float = 5.0


_CUTTING = (Fault.KILL, Fault.TRUNCATE, Fault.STALL, Fault.PAUSE)
NO_FAULTS = Plan({Fault.NONE: 1.0})
NETWORK_FAULTS = Plan(
    {
        Fault.NONE: 0.5,
        Fault.REFUSE: 1,
        Fault.DELAY: 2,
        Fault.KILL: 4,
        Fault.TRUNCATE: 4,
        Fault.STALL: 1,
        Fault.PAUSE: 2,
        Fault.DRIP: 1,
        Fault.BUSY: 0.5,
    }
)
ALL_FAULTS = Plan(NETWORK_FAULTS.weights | {Fault.GONE: 1, Fault.GONE_EVENT: 1})

_STATUS_410 = (
    b'{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",'
    b'"message":"too old resource version","reason":"Expired","code":410}'
)
_STATUS_429 = (
    b'{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",'
    b'"message":"too many requests","reason":"TooManyRequests","code":429}'
)
_ERROR_EVENT = b'{"type":"ERROR","object":' + _STATUS_410 + b"}\n"
_ANSWERS = {
    Fault.GONE: b"HTTP/1.1 410 Gone\r\nContent-Type: application/json\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_STATUS_410), _STATUS_410),
    Fault.GONE_EVENT: b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + _ERROR_EVENT,
    Fault.BUSY: b"HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nConnection: close\r\n"
    b"Retry-After: 1\r\nContent-Length: %d\r\n\r\n%s" % (len(_STATUS_429), _STATUS_429),
}


@dataclass
class FaultProxy:
    """A proxy on a loopback port for one server. Use it as an async context manager."""

    server_port: int
    serving: KeyPair
    ca: Path
    client: KeyPair
    plan: Plan = NO_FAULTS
    seed: int = 0
    port: int = 0
    connections: int = 0
    faults: Counter[Fault] = field(default_factory=Counter[Fault])
    frozen: bool = False
    latency_s: float = 0.0
    _freezes: int = 0

    async def __aenter__(self) -> "FaultProxy":
        self._random = random.Random(self.seed)
        inside = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        inside.load_cert_chain(self.serving.certificate, self.serving.key)
        self._outside = ssl.create_default_context(cafile=str(self.ca))
        self._outside.load_cert_chain(self.client.certificate, self.client.key)
        self._tasks: set[asyncio.Task[None]] = set()
        self._listener = await asyncio.start_server(self._accept, "127.0.0.1", self.port, ssl=inside)
        self.port = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listener.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def address(self) -> str:
        """Where clients find it."""
        return f"https://127.0.0.1:{self.port}"

    def freeze(self) -> None:
        """From now on forward nothing, close nothing and answer nothing, like a network that is gone without a word."""
        self.frozen = True
        self._freezes += 1

    def thaw(self) -> None:
        """Treat new connections well again; those that were open while frozen stay dead."""
        self.frozen = False

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        faults = list(self.plan.weights)
        fault = self._random.choices(faults, [self.plan.weights[one] for one in faults])[0]
        self.faults[fault] += 1
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ssl.SSLError):
                await self._break(fault, reader, writer)
        finally:
            writer.transport.abort()

    async def _break(self, fault: Fault, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if fault is Fault.REFUSE:
            return
        born = self._freezes if not self.frozen else -1
        if fault is Fault.DELAY:
            await asyncio.sleep(self._random.uniform(0, self.plan.most_delay_s))
        first = await reader.readuntil(b"\r\n\r\n")
        if fault in _ANSWERS and (fault is Fault.BUSY or b"watch=true" in first.partition(b"\r\n")[0]):
            writer.write(_ANSWERS[fault])
            await writer.drain()
            await _close(writer)
            return
        upstream_reader, upstream_writer = await asyncio.open_connection(
            "127.0.0.1", self.server_port, ssl=self._outside, server_hostname="127.0.0.1"
        )
        try:
            upstream_writer.write(first)
            up = asyncio.create_task(self._copy(reader, upstream_writer, None, born))
            try:
                await self._downstream(fault, upstream_reader, writer, born)
            finally:
                up.cancel()
                await asyncio.gather(up, return_exceptions=True)
        finally:
            upstream_writer.transport.abort()

    async def _downstream(
        self, fault: Fault, upstream: asyncio.StreamReader, writer: asyncio.StreamWriter, born: int
    ) -> None:
        plan = self.plan
        left = int(plan.most_bytes * self._random.random() ** 2) if fault in _CUTTING else None
        piece = (lambda: self._random.randint(1, 400)) if fault is Fault.DRIP else None
        await self._copy(upstream, writer, self._lifetime() if left is None else left, born, piece)
        if fault is Fault.STALL:
            await asyncio.sleep(plan.stall_s)
        elif fault is Fault.PAUSE:
            await asyncio.sleep(self._random.uniform(0, plan.most_delay_s))
            await self._copy(upstream, writer, self._lifetime(), born)
        if fault is Fault.KILL:
            _reset(writer)
        else:
            await _close(writer)

    def _lifetime(self) -> int | None:
        most = self.plan.lifetime_bytes
        return self._random.randint(1, most) if most is not None else None

    async def _copy(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        most: int | None,
        born: int,
        piece: Callable[[], int] | None = None,
    ) -> None:
        """Pass bytes on until the sender ends or `most` bytes have passed, perhaps in small pieces."""
        while most is None or most > 0:
            wanted = CHUNK if most is None else min(CHUNK, most)
            data = await reader.read(wanted)
            if self._freezes != born:
                await asyncio.Event().wait()
            if self.latency_s:
                await asyncio.sleep(self.latency_s / 2)
            if not data:
                return
            if most is not None:
                most -= len(data)
            while data:
                size = piece() if piece is not None else len(data)
                writer.write(data[:size])
                await writer.drain()
                data = data[size:]
                if piece is not None:
                    await asyncio.sleep(0)


async def _close(writer: asyncio.StreamWriter) -> None:
    """End the connection in good order: whatever was written arrives, then TLS and TCP say goodbye."""
    writer.close()
    async with asyncio.timeout(1):
        await writer.wait_closed()


def _reset(writer: asyncio.StreamWriter) -> None:
    """End the connection with a TCP reset."""
    sock: socket.socket = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
