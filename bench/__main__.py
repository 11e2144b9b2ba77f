"""`python -m bench NAME [--json]`: run one benchmark and print what it found beside its targets."""

import argparse
import importlib
import pkgutil
import signal
import sys
from collections.abc import Callable
from typing import NoReturn, cast

import bench
from bench.harness.machine import machine
from bench.harness.result import Report, Result, as_json, table

Measure = Callable[[dict[str, str | float]], list[Result]]
"""A benchmark: returns its results, and adds to the machine's description what else they depend on."""


def names() -> list[str]:
    """Every benchmark of this folder."""
    return sorted(
        module.name for module in pkgutil.iter_modules(bench.__path__) if not module.ispkg and module.name != "__main__"
    )


def main() -> int:
    """Run the asked benchmark; 0 unless it could not run at all: a missed target is a result, not a failure."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure one promise.")
    parser.add_argument("name", choices=names())
    parser.add_argument("--json", action="store_true", help="print the results as one JSON line")
    options = parser.parse_args()
    # What a benchmark made is removed on the way out, also when it is told to end.
    signal.signal(signal.SIGTERM, end)
    name = cast(str, options.name)
    measure = cast(Measure, importlib.import_module(f"bench.{name}").measure)
    described = machine()
    report = Report(name, described, measure(described))
    print(as_json(report) if options.json else table(report))
    return 0


def end(*_: object) -> NoReturn:
    """Turn SIGTERM into an exit that runs every clean-up."""
    sys.exit(143)


if __name__ == "__main__":
    sys.exit(main())
