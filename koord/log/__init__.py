"""Logging: one line per event on stderr, the same message at most once a minute per object, no secrets."""

from koord.log.logger import LogFormat, Logger, Sink, configure, flush
from koord.log.verbosity import Verbosity, VerbosityError, parse_vmodule

__all__ = ["LogFormat", "Logger", "Sink", "Verbosity", "VerbosityError", "configure", "flush", "parse_vmodule"]
