"""Loggers and the one place on stderr where their lines go."""

import logging
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock
from typing import Literal, TextIO

from koord.log.line import Field, json_line, logfmt
from koord.log.redact import redact, redact_text
from koord.log.repeat import Key, Level, RepeatLimiter
from koord.log.verbosity import Verbosity

LogFormat = Literal["logfmt", "json"]


@dataclass(slots=True)
class Sink:
    """Where lines go, how they look and how much of them is wanted."""

    format: LogFormat = "logfmt"
    verbosity: Verbosity = field(default_factory=Verbosity)
    stream: TextIO | None = None
    """None: whatever `sys.stderr` is at the time of the event."""
    limiter: RepeatLimiter = field(default_factory=RepeatLimiter)
    _lock: Lock = field(default_factory=Lock)

    def write(self, level: Level, module: str, message: str, subject: str, fields: dict[str, Field]) -> None:
        """Write one event unless an equal one was written within the last minute."""
        message = redact_text(message)
        now_s = time.monotonic()
        with self._lock:
            verdict = self.limiter.check(Key(level, message, subject), now_s)
            self._tell(now_s)
            if not verdict.write:
                return
            if verdict.repeated:
                fields = fields | {"repeated": verdict.repeated}
            self._emit(level, module, message, subject, fields)

    def flush(self) -> None:
        """Tell what was held back so far; call at the end of the process."""
        with self._lock:
            self._tell(float("inf"))

    def _tell(self, now_s: float) -> None:
        for key, count in self.limiter.expire(now_s):
            self._emit(key.level, __name__, key.message, key.subject, {"repeated": count})

    def _emit(self, level: Level, module: str, message: str, subject: str, fields: dict[str, Field]) -> None:
        event: dict[str, Field] = {
            "ts": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": level,
            "module": module,
            "msg": message,
        }
        if subject:
            event["object"] = redact_text(subject)
        for name, value in fields.items():
            event[name] = redact(name, value) if isinstance(value, str) else value
        stream = self.stream or sys.stderr
        try:
            print(json_line(event) if self.format == "json" else logfmt(event), file=stream, flush=True)
        except (OSError, ValueError):
            return  # stderr is gone: there is nowhere left to say so


_sink = Sink()


class Logger:
    """Events of one module: a fixed message, the object it is about, and named values.

    The message is the key of the once-a-minute rule, so what varies belongs into fields.
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def info(self, message: str, subject: str = "", **fields: Field) -> None:
        """Something worth knowing happened."""
        _sink.write("info", self._module, message, subject, fields)

    def warning(self, message: str, subject: str = "", **fields: Field) -> None:
        """Something is worse than it should be, and the process goes on."""
        _sink.write("warning", self._module, message, subject, fields)

    def error(self, message: str, subject: str = "", **fields: Field) -> None:
        """Something failed."""
        _sink.write("error", self._module, message, subject, fields)

    def verbose(self, level: int, message: str, subject: str = "", **fields: Field) -> None:
        """Detail for those who asked for `-v=level` or more."""
        if _sink.verbosity.of(self._module) >= level:
            _sink.write("debug", self._module, message, subject, fields)


class _LibraryHandler(logging.Handler):
    """Brings what libraries log through `logging` into our lines."""

    def emit(self, record: logging.LogRecord) -> None:
        level: Level = "error" if record.levelno >= logging.ERROR else "warning"
        fields: dict[str, Field] = {}
        if record.exc_info and record.exc_info[1]:
            fields["error"] = f"{type(record.exc_info[1]).__name__}: {record.exc_info[1]}"
        _sink.write(level, record.name, record.getMessage(), "", fields)


def configure(sink: Sink) -> None:
    """Send every event of this process, those of libraries from warning on included, to `sink`."""
    global _sink
    _sink = sink
    logging.basicConfig(level=logging.WARNING, handlers=[_LibraryHandler()], force=True)


def flush() -> None:
    """Tell what was held back so far."""
    _sink.flush()
