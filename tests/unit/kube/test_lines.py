"""Cutting bytes into lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koord.kube.lines import LineSplitter, LongLine


@given(st.lists(st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")), max_size=20), st.data())
def test_lines_come_out_whole_however_they_are_chunked(lines: list[bytes], data: st.DataObject) -> None:
    body, splitter, found = b"".join(line + b"\n" for line in lines), LineSplitter(), []
    while body:
        size = data.draw(st.integers(1, len(body)))
        found += splitter.feed(body[:size])
        body = body[size:]
    assert found == [line for line in lines if line]


def test_a_rest_without_a_newline_is_never_given_out() -> None:
    assert list(LineSplitter().feed(b"one\ntwo")) == [b"one"]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_line_beyond_the_bound_is_cut_and_the_next_one_whole(size: int) -> None:
    splitter, body = LineSplitter(most_bytes=10), b"short\n" + b"l" * 50 + b"\nnext\n"
    found = [line for at in range(0, len(body), size) for line in splitter.feed(body[at : at + size])]
    assert [bytes(line[:5]) for line in found] == [b"short", b"lllll", b"next"]
    assert [isinstance(line, LongLine) for line in found] == [False, True, False]
