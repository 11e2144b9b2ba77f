"""Go durations: expected values are those of time.ParseDuration and Duration.String."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koord.api.duration import Duration
from koord.api.errors import DurationError

TEXTS = [
    ("0", 0, "0s"),
    ("5s", 5 * 10**9, "5s"),
    ("+5s", 5 * 10**9, "5s"),
    ("-1.5h", -5400 * 10**9, "-1h30m0s"),
    ("24h", 86400 * 10**9, "24h0m0s"),
    ("5m", 300 * 10**9, "5m0s"),
    ("1h15m30.918273645s", 4530918273645, "1h15m30.918273645s"),
    ("1.5ms", 1_500_000, "1.5ms"),
    ("100us", 100_000, "100µs"),
    ("100µs", 100_000, "100µs"),
    ("100μs", 100_000, "100µs"),
    ("999ns", 999, "999ns"),
    ("1.s", 10**9, "1s"),
    (".5s", 500_000_000, "500ms"),
    ("1m60s", 120 * 10**9, "2m0s"),
    ("0.3333333333333333333h", 1_200_000_000_000 - 1, "19m59.999999999s"),
    ("9223372036854775807ns", 2**63 - 1, "2562047h47m16.854775807s"),
    ("-9223372036854775808ns", -(2**63), "-2562047h47m16.854775808s"),
    ("2.000000001s", 2_000_000_001, "2.000000001s"),
]


@pytest.mark.parametrize(("text", "nanoseconds", "canonical"), TEXTS)
def test_a_duration_is_read_and_written_as_go_does(text, nanoseconds, canonical):
    duration = Duration.parse(text)
    assert duration.nanoseconds == nanoseconds
    assert str(duration) == canonical
    assert Duration.parse(canonical) == duration


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "-",
        "s",
        ".",
        "-.",
        ".s",
        "+.s",
        "1d",
        "1 s",
        " 1s",
        "1s ",
        "1e3s",
        "9223372036854775808ns",
        "3000000h",
        "1h-5m",
    ],
)
def test_another_text_is_refused_with_the_text(text):
    with pytest.raises(DurationError, match="duration"):
        Duration.parse(text)


@given(st.integers(-(2**63), 2**63 - 1))
def test_what_is_written_reads_back(nanoseconds):
    assert Duration.parse(str(Duration(nanoseconds))).nanoseconds == nanoseconds


def test_durations_are_ordered_by_length():
    assert sorted([Duration.of(hours=1), Duration.of(seconds=5), Duration.of(minutes=2)]) == [
        Duration.of(seconds=5),
        Duration.of(minutes=2),
        Duration.of(hours=1),
    ]
    assert Duration.of(minutes=1).seconds == 60
    assert not Duration()
    assert len({Duration(5), Duration(5)}) == 1
