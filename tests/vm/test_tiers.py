"""On other kernels and cgroup layouts every tier equals the files, and the expected tiers are the ones that serve."""

import pytest

from tools.capability_table import CAPABILITY, rows_in

pytestmark = pytest.mark.timeout(900)

INSIDE = "tests/vm/inside"

SERVING = {"5.10": {"files"}, "6.1": {"bpf-iter", "files"}, "6.12": {"bpf-css", "bpf-iter", "files"}}
"""The tiers that must serve something on a v2 tree."""


def test_every_tier_equals_the_files_on_a_v2_tree(v2, passes, record_property):
    assert served(passes(v2, INSIDE), record_property) == SERVING[v2.series]


def test_every_tier_equals_the_files_on_v1_hierarchies_alone(v1, passes, record_property):
    assert served(passes(v1, INSIDE), record_property) >= {"files"}


def served(tally, record_property):
    """The tiers that served in the guest; their rows join the table of this run."""
    rows = rows_in(tally.output)
    for line in rows:
        record_property(CAPABILITY, line)
    return {line.split("|")[2].strip() for line in rows} - {"-"}
