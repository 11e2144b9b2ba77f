"""The reader with and without the one right that root may lack natively; the others are tested natively."""

import pytest

from tools.capability_table import CAPABILITY, rows_in

pytestmark = pytest.mark.timeout(900)


def test_cap_sys_resource_lifts_the_bound_on_open_files_and_its_absence_is_named(v2, passes, record_property):
    tally = passes(v2, "tests/capability", "-k", "sys_resource")
    for line in rows_in(tally.output):
        record_property(CAPABILITY, line)
    assert tally.passed == 2
