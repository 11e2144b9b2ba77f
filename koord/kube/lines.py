"""Cutting a watch's bytes into lines, of any size up to a bound."""

from collections.abc import Iterator

MOST_LINE_BYTES = 64 * 2**20
"""Bound of one watch line: etcd refuses objects above some MiB, and JSON is at most a few times their stored size."""

KEPT_OF_LONG_LINE = 2**16


class LongLine(bytes):
    """The beginning of a line that went beyond the bound; the rest was thrown away as it came."""


class LineSplitter:
    """Feed chunks, get whole lines without their newline. A rest without a newline is never given out."""

    def __init__(self, most_bytes: int = MOST_LINE_BYTES) -> None:
        self._most_bytes = most_bytes
        self._parts: list[bytes] = []
        self._size = 0
        self._skipping: LongLine | None = None

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the lines that this chunk completes; a LongLine stands for one beyond the bound."""
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            self._keep(chunk[start:end])
            line = self._take()
            if line:
                yield line
            start = end + 1
        self._keep(chunk[start:])

    def _keep(self, part: bytes) -> None:
        if self._skipping is not None or not part:
            return
        self._parts.append(part)
        self._size += len(part)
        if self._size > self._most_bytes:
            self._skipping = LongLine(b"".join(self._parts)[:KEPT_OF_LONG_LINE])
            self._parts, self._size = [], 0

    def _take(self) -> bytes:
        line = self._skipping if self._skipping is not None else b"".join(self._parts)
        self._parts, self._size, self._skipping = [], 0, None
        return line
