"""What `koord watch` says of a change."""

import pytest

from koord.cli.difference import differences


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, ["a.b: 1 -> 2"]),
        ({"a": 1}, {"b": "x"}, ["a: 1 -> absent", 'b: absent -> "x"']),
        ({"a": [1, 2]}, {"a": [2]}, ["a: [1,2] -> [2]"]),
        ({"a": {"b": 1}}, {"a": 3}, ['a: {"b":1} -> 3']),
        ({"a": "x" * 100}, {}, [f'a: "{"x" * 58}… -> absent']),
    ],
    ids=["nothing", "deep", "other keys", "lists as a whole", "another type", "long values are cut"],
)
def test_each_differing_field_is_a_line(old: object, new: object, lines: list[str]) -> None:
    assert list(differences(old, new)) == lines
