"""Guests for the tests of other kernels: one boot serves every test of a kernel and a cgroup layout."""

import os
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass

import pytest

from tools.capability_table import pytest_terminal_summary as pytest_terminal_summary
from tools.guest.kernels import GuestUnavailableError
from tools.guest.machine import ENVIRONMENT_MARK, Guest, Layout, boot

# What runs in a guest is collected only there.
collect_ignore = [] if ENVIRONMENT_MARK in os.environ else ["inside"]

KERNELS = os.environ.get("KOORD_KERNELS", "6.12").split(",")
"""The kernel series under test, of 5.10, 6.1 and 6.12."""

INSIDE_TIMEOUT = 600
"""Seconds for one selection of tests in a guest; a quiet machine needs 30."""


@dataclass(frozen=True)
class Tally:
    """How a pytest run in the guest ended."""

    passed: int
    skipped: int
    output: str


@pytest.fixture(scope="session", params=KERNELS)
def v2(request: pytest.FixtureRequest) -> Generator[Guest]:
    """A guest whose only cgroup mount is a v2 tree with every controller; one boot a kernel."""
    yield from booted(request.param, "v2")


@pytest.fixture(scope="session", params=KERNELS)
def v1(request: pytest.FixtureRequest) -> Generator[Guest]:
    """A guest that has only v1 hierarchies; one boot a kernel."""
    yield from booted(request.param, "v1")


def booted(series: str, layout: Layout) -> Generator[Guest]:
    """Boot a guest, or skip with the cause where none can be had."""
    try:
        with boot(series, layout) as guest:
            yield guest
    except GuestUnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture
def passes() -> Callable[..., Tally]:
    """Run a selection of tests in a guest; a failure there, or nothing run there, is a failure here."""

    def run(guest: Guest, *selection: str) -> Tally:
        command = [".venv/bin/python", "-m", "pytest", "-q", "-c", "tests/vm/inside.ini", "--rootdir=.", *selection]
        outcome = guest.run(command, INSIDE_TIMEOUT, {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
        print(outcome.output)
        assert outcome.status == 0, f"{' '.join(selection)} in the guest: status {outcome.status}"
        tally = Tally(count(outcome.output, "passed"), count(outcome.output, "skipped"), outcome.output)
        assert tally.passed, "no test ran in the guest"
        return tally

    return run


def count(output: str, verdict: str) -> int:
    """A number of pytest's closing line."""
    match = re.search(rf"(\d+) {verdict}\b", output.strip().rpartition("\n")[2])
    return int(match[1]) if match else 0
