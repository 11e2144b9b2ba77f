"""On other kernels and cgroup layouts every tier equals the files, and the expected tiers are the ones that serve."""

import pytest

from tests.vm.conftest import KERNELS
from tools.capability_table import CAPABILITY, rows_in

INSIDE = "tests/vm/inside"

SERVING = {"5.10": {"files"}, "6.1": {"bpf-iter", "files"}, "6.12": {"bpf-css", "bpf-iter", "files"}}
"""The tiers that must serve something on a v2 tree."""


@pytest.mark.timeout(400)
@pytest.mark.parametrize("layout", ["v2", "v1"])
@pytest.mark.parametrize("series", KERNELS)
def test_every_tier_equals_the_files(guest, passes, record_property, series, layout):
    tally = passes(guest(series, layout), INSIDE)
    rows = rows_in(tally.output)
    for line in rows:
        record_property(CAPABILITY, line)
    served = {cells[2] for cells in ([cell.strip() for cell in line.split("|")] for line in rows)} - {"-"}
    assert served >= (SERVING[series] if layout == "v2" else {"files"})
