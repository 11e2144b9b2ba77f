"""A table at the end of a test run: with which capabilities, on which kernel, which tier served, and why no better one.

A test adds a row with `record_property(CAPABILITY, row(…))`; a conftest.py that imports `pytest_terminal_summary` from
here prints them. Rows of a run inside a guest are taken from its output with `rows_in`.
"""

import os
import platform

import pytest

CAPABILITY = "capability"
"""Name of the test property that holds a row."""

PREFIX = "capability | "
PRINTED = pytest.StashKey[bool]()


def row(scenario: str, tier: str, cause: str) -> str:
    """One line of the table, for this kernel; KOORD_GUEST names the cgroup layout in a guest."""
    where = f"{platform.release()} {os.environ.get('KOORD_GUEST', 'native')}"
    return f"{where:<36} | {scenario:<34} | {tier:<8} | {cause or '-'}"


def rows_in(output: str) -> list[str]:
    """The rows of the table that another pytest run printed."""
    return [line.removeprefix(PREFIX) for line in output.splitlines() if line.startswith(PREFIX)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the rows that the tests recorded, once however many folders asked for the table."""
    if config.stash.get(PRINTED, False):
        return
    config.stash[PRINTED] = True
    rows = {
        str(value)
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for name, value in report.user_properties
        if name == CAPABILITY
    }
    if rows:
        terminalreporter.section("capability tiers that ran")
    for line in sorted(rows):
        terminalreporter.write_line(PREFIX + line)
