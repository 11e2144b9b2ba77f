"""CPU lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koord.api.cpulist import CPUListError, format_cpus, parse_cpus


@pytest.mark.parametrize(
    ("text", "cpus"),
    [("", []), ("0", [0]), ("0-3,8", [0, 1, 2, 3, 8]), ("3,1", [1, 3]), ("2-2", [2]), ("0-1,1-2", [0, 1, 2])],
)
def test_a_cpu_list_names_single_cpus_and_ranges(text, cpus):
    assert sorted(parse_cpus(text)) == cpus


@pytest.mark.parametrize("text", ["a", "1-", "-1", "3-1", "0,,1", "0-3:2/4", " 1", "1 ", "0-99999999", "65536", "٣"])
def test_anything_else_is_refused_with_the_text(text):
    with pytest.raises(CPUListError) as caught:
        parse_cpus(text)
    assert text in str(caught.value)


@given(st.sets(st.integers(0, 300)))
def test_writing_and_reading_gives_the_same_cpus(cpus):
    assert parse_cpus(format_cpus(cpus)) == cpus


def test_neighbours_are_written_as_ranges():
    assert format_cpus([8, 0, 1, 2, 3, 10, 9]) == "0-3,8-10"
