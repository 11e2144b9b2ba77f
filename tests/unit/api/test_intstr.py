"""intstr: expected values are those of apimachinery's GetScaledValueFromIntOrPercent and IntValue."""

import pytest

from koord.api.errors import ApiError
from koord.api.intstr import int_value, percent, scaled_value


@pytest.mark.parametrize(
    ("value", "total", "up", "down"),
    [
        (5, 100, 5, 5),
        ("30%", 10, 3, 3),
        ("25%", 10, 3, 2),
        ("0%", 7, 0, 0),
        ("100%", 7, 7, 7),
        ("150%", 3, 5, 4),
        (-1, 9, -1, -1),
    ],
)
def test_a_percentage_is_a_share_of_the_total_rounded_up_or_down(value, total, up, down):
    assert scaled_value(value, total, round_up=True) == up
    assert scaled_value(value, total, round_up=False) == down


@pytest.mark.parametrize("value", ["30", "%", "a%", "1.5%", ""])
def test_a_text_without_a_percentage_is_refused(value):
    assert percent(value) is None
    with pytest.raises(ApiError, match="percentage"):
        scaled_value(value, 10, round_up=True)


@pytest.mark.parametrize(("value", "number"), [(7, 7), ("7", 7), ("-7", -7), ("seven", 0), ("7%", 0)])
def test_a_text_counts_as_the_number_that_it_says(value, number):
    assert int_value(value) == number
