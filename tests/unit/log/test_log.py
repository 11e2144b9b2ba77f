"""One line per event, at most one a minute of the same, no secrets."""

import io
import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

import koord.log
from koord.log import Logger, Sink, Verbosity, VerbosityError, parse_vmodule
from koord.log.line import json_line, logfmt
from koord.log.redact import redact, redact_text
from koord.log.repeat import Key, RepeatLimiter

JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"


@pytest.fixture
def stream():
    out = io.StringIO()
    yield out
    koord.log.configure(Sink())
    logging.getLogger().handlers.clear()


def lines(stream):
    return stream.getvalue().splitlines()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "k=plain"),
        ("two words", 'k="two words"'),
        ("", 'k=""'),
        ('say "x"', r'k="say \"x\""'),
        ("a=b", 'k="a=b"'),
        ("line\nbreak", r'k="line\nbreak"'),
        (True, "k=true"),
        (None, "k=null"),
        (3, "k=3"),
        (0.25, "k=0.25"),
    ],
)
def test_logfmt_quotes_what_would_be_misread(value, text):
    assert logfmt({"k": value}) == text


@given(st.dictionaries(st.sampled_from("abc"), st.one_of(st.text(), st.integers(), st.booleans(), st.none())))
def test_any_event_is_one_line(fields):
    assert "\n" not in logfmt(fields)
    assert "\r" not in logfmt(fields)
    assert json.loads(json_line(fields)) == fields


@pytest.mark.parametrize("name", ["token", "bearer_token", "client_secret", "password", "Authorization", "api_key"])
def test_field_whose_name_says_secret_is_never_written(name):
    assert redact(name, "hunter2") == "***"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"sent {JWT} to them", "sent *** to them"),
        ("Authorization: Bearer abcdefgh12345", "Authorization: Bearer ***"),
        ("https://me:hunter2@host/x", "https://me:***@host/x"),
        ("GET /x?token=abc&y=1", "GET /x?token=***&y=1"),
        ('{"password": "abc"}', '{"password": "***"}'),
        ("-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----", "***"),
        ("nothing here", "nothing here"),
        ("the bearer of news", "the bearer of news"),
    ],
)
def test_text_that_looks_like_a_credential_is_replaced(text, expected):
    assert redact_text(text) == expected


def test_same_message_is_written_once_a_minute_per_object_with_a_count():
    limiter, key, other = RepeatLimiter(), Key("info", "m", "a"), Key("info", "m", "b")
    assert limiter.check(key, 0).write
    assert not limiter.check(key, 1).write
    assert not limiter.check(key, 59.9).write
    assert limiter.check(other, 1).write
    verdict = limiter.check(key, 60)
    assert (verdict.write, verdict.repeated) == (True, 2)


def test_what_was_held_back_is_told_when_the_message_does_not_come_again():
    limiter, key = RepeatLimiter(), Key("error", "m", "a")
    for second in range(3):
        limiter.check(key, second)
    assert limiter.expire(30) == []
    assert limiter.expire(61) == [(key, 2)]
    assert limiter.expire(62) == []


def test_memory_of_messages_is_bounded():
    limiter = RepeatLimiter(max_tracked=10)
    for number in range(100):
        limiter.check(Key("info", "m", str(number)), 0)
        limiter.expire(0)
    assert sum(not limiter.check(Key("info", "m", str(number)), 1).write for number in range(90, 100)) == 10


def test_event_has_time_level_module_message_object_and_fields(stream):
    koord.log.configure(Sink("json", stream=stream))
    Logger("koordlet.x").warning("cannot read", "/a", error="no such file", token="abc")
    event = json.loads(lines(stream)[0])
    assert event.pop("ts").endswith("Z")
    assert event == {
        "level": "warning",
        "module": "koordlet.x",
        "msg": "cannot read",
        "object": "/a",
        "error": "no such file",
        "token": "***",
    }


def test_repeated_event_is_one_line_and_its_count_is_told_at_the_end(stream):
    koord.log.configure(Sink("json", stream=stream))
    for _ in range(5):
        Logger("x").error("failed", "a")
    koord.log.flush()
    assert [json.loads(line).get("repeated") for line in lines(stream)] == [None, 4]


def test_detail_is_written_for_the_modules_that_asked_for_it(stream):
    verbosity = Verbosity(1, parse_vmodule("loops=3,koord.kube*=2"))
    koord.log.configure(Sink(stream=stream, verbosity=verbosity))
    Logger("koordlet.collect.loops").verbose(3, "a")
    Logger("koord.kube.client").verbose(2, "b")
    Logger("koordlet.agent").verbose(1, "c")
    Logger("koordlet.agent").verbose(2, "not")
    assert [line.split("msg=")[1] for line in lines(stream)] == ["a", "b", "c"]


@pytest.mark.parametrize("text", ["x", "x=", "=1", "x=-1", "x=a"])
def test_odd_vmodule_is_refused(text):
    with pytest.raises(VerbosityError, match="expected pattern=N"):
        parse_vmodule(text)


def test_warnings_of_libraries_come_in_the_same_form(stream):
    koord.log.configure(Sink("json", stream=stream))
    logging.getLogger("aiohttp.server").warning("bad request from %s", "x")
    logging.getLogger("aiohttp.server").info("not this")
    assert [json.loads(line)["msg"] for line in lines(stream)] == ["bad request from x"]
