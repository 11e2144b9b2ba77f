"""JSON documents inside strings, read as Go's encoding/json reads them."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from koord.api.base import Int32, IntOrString, Record, ResourceList
from koord.api.duration import Duration
from koord.api.gojson import Mismatch, decode, encode, load, names_a_field, parse, render, unknown_fields
from koord.api.quantity import Quantity
from koord.api.slo.resourceqos import ResourceQOSStrategy


class Inner(Record, kw_only=True):
    number: Int32 = 0
    text: str | None = None


class Outer(Record, kw_only=True):
    required: int
    inner: Inner | None = None
    many: list[Inner] = []  # noqa: RUF012 (copied by msgspec)
    by_name: dict[str, Inner] = {}  # noqa: RUF012
    words: tuple[str, ...] = ()
    amounts: ResourceList = {}  # noqa: RUF012
    wait: Duration | None = None
    either: IntOrString | None = None
    flag: bool | None = None
    ratio: float | None = None


def test_keys_match_without_regard_to_case_and_unknown_ones_are_ignored():
    assert parse('{"INNER":{"Number":3,"x":1},"y":2}', Outer).inner == Inner(number=3)


def test_null_leaves_a_field_alone_and_is_the_zero_value_in_lists_and_maps():
    value = parse('{"inner":null,"many":[null,{"number":1}],"byName":{"a":null},"words":[null]}', Outer)
    assert value == Outer(required=0, many=[Inner(), Inner(number=1)], by_name={"a": Inner()}, words=("",))


def test_null_as_a_document_is_the_zero_value():
    assert parse("null", Outer) == Outer(required=0)
    assert parse("null", list[str]) == []


def test_quantities_durations_and_int_or_strings_are_typed():
    value = parse('{"amounts":{"cpu":"500m","memory":1024},"wait":"90s","either":"10%"}', Outer)
    assert value.amounts == {"cpu": Quantity.parse("500m"), "memory": Quantity(1024)}
    assert (value.wait, value.either) == (Duration.of(seconds=90), "10%")


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ('{"required":"1"}', "required", "an integer (int64)"),
        ('{"required":1.0}', "required", "an integer (int64)"),
        ('{"required":1e3}', "required", "an integer (int64)"),
        ('{"required":true}', "required", "an integer (int64)"),
        ('{"required":9223372036854775808}', "required", "an integer (int64)"),
        ('{"inner":{"number":2147483648}}', "inner.number", "an integer (int32)"),
        ('{"inner":[]}', "inner", "an object"),
        ('{"many":{}}', "many", "an array"),
        ('{"many":[{},{"text":1}]}', "many[1].text", "a string"),
        ('{"byName":{"a.b":{"text":false}}}', 'byName["a.b"].text', "a string"),
        ('{"amounts":{"cpu":"1 Gi"}}', "amounts.cpu", 'a quantity such as "500m", "2" or "1Gi"'),
        ('{"amounts":{"cpu":true}}', "amounts.cpu", "a quantity (string or number)"),
        ('{"wait":"5"}', "wait", 'a duration such as "5m0s"'),
        ('{"wait":5}', "wait", 'a duration such as "5m0s"'),
        ('{"either":1.5}', "either", "an integer (int32)"),
        ('{"flag":"yes"}', "flag", "true or false"),
        ('{"ratio":"1.5"}', "ratio", "a number"),
        ("[]", "", "an object"),
        ("7", "", "an object"),
    ],
)
def test_a_wrong_type_is_refused_with_path_found_and_allowed(text, path, allowed):
    with pytest.raises(Mismatch) as caught:
        parse(text, Outer)
    assert (caught.value.path, caught.value.allowed) == (path, allowed)


@pytest.mark.parametrize("text", ["", "{", "{bad", "[1,]", "nul", "\ud800", '{"a":NaN}'])
def test_broken_json_is_refused_with_the_place(text):
    with pytest.raises(Mismatch) as caught:
        load(text)
    assert caught.value.path == ""
    assert "JSON (" in caught.value.allowed


def test_nesting_without_end_is_refused_and_exhausts_nothing():
    with pytest.raises(Mismatch):
        load("[" * 100_000)


def test_set_zeros_are_written_and_absent_fields_are_not():
    value = Outer(required=0, inner=Inner(text=""), flag=False, ratio=0.0)
    assert encode(value) == {"required": 0, "inner": {"text": ""}, "flag": False, "ratio": 0.0}


def test_equal_values_have_equal_texts():
    assert render({"b": Quantity(1), "a": [Duration.of(minutes=5)]}) == '{"a":["5m0s"],"b":"1"}'


def test_unknown_fields_are_listed_by_path():
    document = {"inner": {"x": 1, "NUMBER": 2}, "many": [{}, {"y": 1}], "byName": {"k": {"z": 0}}, "w": 1}
    assert unknown_fields(document, Outer) == ["inner.x", "many[1].y", "byName.k.z", "w"]


def test_a_document_names_a_field_even_if_it_is_null():
    assert names_a_field({"INNER": None}, Outer)
    assert not names_a_field({"other": 1}, Outer)
    assert not names_a_field([], Outer)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["required", "inner", "many", "byName", "words", "amounts", "number", "lsClass", "cpuQOS"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(json_values, st.sampled_from([Outer, Inner, ResourceQOSStrategy]))
def test_any_json_value_is_read_or_refused_by_name(value, kind):
    try:
        read = parse(orjson.dumps(value), kind)
    except Mismatch as mismatch:
        assert mismatch.allowed  # noqa: PT017 (most values are fine)
        return
    assert decode(encode(read), kind) == read
