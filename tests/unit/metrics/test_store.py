"""The store as Python uses it."""

from array import array

import pytest

from koord._core import Store

NAN = float("nan")


def store() -> Store:
    return Store(retention_ms=60_000, max_bytes=1 << 20)


def test_columns_are_appended_in_bulk_and_a_missing_value_is_no_sample():
    series = store()
    for second in range(10):
        series.append(2, second * 1000, array("Q", [5, 6]), array("d", [float(second), NAN]))
    five, six = series.query_many(2, array("Q", [5, 6]), 0, 10_000)
    assert five is not None
    assert (five.count, five.avg, five.p50, five.p90, five.max, five.last) == (10, 4.5, 4.0, 8.0, 9.0, 9.0)
    assert six is None
    assert series.series == 1


def test_the_growth_of_a_counter_is_per_second_and_survives_its_restart():
    series = store()
    for ts_ms, value in [(0, 100.0), (1000, 104.0), (2000, 2.0)]:
        series.append_one(0, ts_ms, 1, value)
    assert series.rate(0, 1, 0, 2000) == 3.0
    assert series.rate(0, 1, 0, 0) is None
    assert series.points(0, 1, 1000, 2000) == [(1000, 104.0), (2000, 2.0)]


def test_a_dropped_entity_leaves_nothing():
    series = store()
    series.append(0, 0, array("Q", [1, 2]), array("d", [1.0, 1.0]))
    series.drop(array("Q", [1]))
    assert series.query(0, 1, 0, 0) is None
    assert series.query(0, 2, 0, 0) is not None
    assert series.series == 1


def test_memory_stays_within_its_bound():
    series = Store(retention_ms=3_600_000, max_bytes=100_000)
    keys = array("Q", range(50))
    values = array("d", [1.0] * 50)
    for second in range(1000):
        series.append(0, second * 1000, keys, values)
    assert 0 < series.memory_bytes <= 100_000


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValueError, match="2 keys and 1 values"):
        store().append(0, 0, array("Q", [1, 2]), array("d", [1.0]))


def test_a_column_of_another_type_is_refused():
    with pytest.raises(BufferError):
        store().append(0, 0, array("d", [1.0]), array("d", [1.0]))
