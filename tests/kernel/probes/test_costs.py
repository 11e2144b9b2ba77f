"""Run times are counted through a statistics descriptor that is held for a moment."""

import os
from pathlib import Path

import pytest

from koord._core import program_costs

SWITCH = Path("/proc/sys/kernel/bpf_stats_enabled")


def open_files() -> list[str]:
    return sorted(os.listdir("/proc/self/fd"))


def test_the_kernels_switch_and_the_open_files_are_as_before():
    before = SWITCH.read_text(), open_files()
    try:
        costs = program_costs(0.05)
    except OSError as error:
        pytest.skip(str(error))
    assert (SWITCH.read_text(), open_files()) == before
    assert all(cost.name.startswith("koord_") for cost in costs)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_a_window_that_is_no_duration_is_refused(seconds: float):
    with pytest.raises(ValueError, match="seconds: "):
        program_costs(seconds)
