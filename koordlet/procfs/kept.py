"""A kernel file that is read again and again through one descriptor."""

import os
from pathlib import Path

_CHUNK_BYTES = 1 << 16


class KeptFile:
    """Opened at the first read; every read gives the content from its beginning, as it is at that moment."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self._descriptor = -1

    def read(self) -> bytes:
        """The whole content. OSError when it can't be opened or read."""
        if self._descriptor < 0:
            self._descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        data = part = os.pread(self._descriptor, _CHUNK_BYTES, 0)
        while len(part) == _CHUNK_BYTES:
            part = os.pread(self._descriptor, _CHUNK_BYTES, len(data))
            data += part
        return data

    def __del__(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
