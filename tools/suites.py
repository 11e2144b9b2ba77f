"""`make test`: every suite one after the other, with the time each took against its share.

A suite over its share moves its long part to `make soak`, which runs the same tests with KOORD_SOAK=1.
"""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

BIN = Path(sys.executable).parent
PYTEST = [f"{BIN}/pytest", "-q"]


@dataclass(frozen=True)
class Suite:
    """A named command and its share of the time, in minutes with a warm build cache."""

    name: str
    command: list[str]
    share_minutes: float


# One line per suite.
SUITES = [
    Suite("rust", ["cargo", "test", "--quiet", "--workspace", "--release"], 2),
    Suite("unit", [*PYTEST, "-n", "2", "tests/unit"], 3),
    Suite("capability", [*PYTEST, "tests/capability"], 0.5),
    Suite("vm", [*PYTEST, "tests/vm"], 2),
    Suite("kernel", [*PYTEST, "tests/kernel"], 3),
    Suite("wheel", [*PYTEST, "tests/wheel"], 3),
    Suite("vectors", [sys.executable, "-m", "tools.vectors"], 1),
    Suite("e2e-build", [sys.executable, "-m", "tests.e2e.build"], 0.1),
    Suite("e2e", [*PYTEST, "tests/e2e"], 4),
]


def main() -> int:
    """Run the suites; 1 when any of them failed."""
    environment = os.environ | ({"KOORD_SOAK": "1"} if "--soak" in sys.argv else {})
    rows: list[tuple[str, float, float, str]] = []
    for suite in SUITES:
        print(f"== {suite.name}", flush=True)
        start = time.monotonic()
        status = subprocess.run(suite.command, check=False, env=environment).returncode
        minutes = (time.monotonic() - start) / 60
        rows.append((suite.name, minutes, suite.share_minutes, "ok" if status == 0 else "FAILED"))
    print(f"\n{'suite':<12} {'minutes':>8} {'share':>6}")
    for name, took, share, verdict in rows:
        print(f"{name:<12} {took:8.1f} {share:6.1f}  {verdict}{' (over its share)' if took > share else ''}")
    failed = sum(verdict != "ok" for *_, verdict in rows)
    print(f"{len(rows) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
