"""The reader with fewer rights on another kernel, and with the one right that root may lack natively."""

import pytest

from tools.capability_table import CAPABILITY, rows_in

pytestmark = pytest.mark.timeout(900)


def test_a_missing_right_is_named_in_the_guest_as_natively(v2, passes, record_property):
    tally = passes(v2, "tests/capability")
    for line in rows_in(tally.output):
        record_property(CAPABILITY, line)
    assert "CAP_SYS_RESOURCE, few files" in tally.output
