"""One agent a node."""

import fcntl
import os
from pathlib import Path


class LockedError(Exception):
    """Another agent holds the lock; the message names the lock file and that agent's process."""


class NodeLock:
    """A lock file held until `release` or the end of the process, however that comes."""

    def __init__(self, path: Path) -> None:
        """Take the lock. LockedError when another process holds it, OSError when the file can't be opened."""
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
        self._file = path.open("a+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            holder = self._file.read().strip() or "unknown"
            self._file.close()
            raise LockedError(f"{path} is held by process {holder}: another koordlet runs on this node") from None
        self._file.truncate(0)
        self._file.write(f"{os.getpid()}\n")
        self._file.flush()

    def release(self) -> None:
        """Let the next agent in; the file stays, since removing it would let two agents lock two files of one name."""
        self._file.truncate(0)
        self._file.close()
