"""Command lines in Go's style."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koordlet.config.flags import FLAGS
from koordlet.config.goflag import Flag, FlagError, parse, parse_duration_s, parse_value

SOME = [
    Flag("addr", "string", ":9316", ""),
    Flag("enable-pprof", "bool", "false", ""),
    Flag("burst", "int", "30", ""),
    Flag("qps", "float", "20.0", ""),
    Flag("every", "duration", "1s", ""),
]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], {}),
        (["-addr=:1"], {"addr": ":1"}),
        (["--addr=:1"], {"addr": ":1"}),
        (["-addr", ":1"], {"addr": ":1"}),
        (["-addr="], {"addr": ""}),
        (["-addr=a=b"], {"addr": "a=b"}),
        (["-enable-pprof"], {"enable-pprof": True}),
        (["--enable-pprof=F"], {"enable-pprof": False}),
        (["-burst=-3", "-qps", "2.5"], {"burst": -3, "qps": 2.5}),
        (["-every=1m30s"], {"every": 90.0}),
        (["-burst=1", "-burst=2"], {"burst": 2}),
        (["-addr=:1", "--"], {"addr": ":1"}),
    ],
)
def test_flags_are_read_in_every_form_of_go(arguments, expected):
    assert parse(SOME, arguments) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-nope"], "unknown flag -nope"),
        (["---addr=1"], "unknown flag --addr"),
        (["-burst=x"], "flag -burst: found 'x', expected a whole number"),
        (["-burst"], "flag -burst: needs a value"),
        (["-every=10"], "flag -every: found '10', expected a number with a unit"),
        (["-enable-pprof=maybe"], "flag -enable-pprof: found 'maybe', expected true or false"),
        (["serve"], "argument 'serve': only flags are accepted"),
        (["-enable-pprof", "true"], "argument 'true': only flags are accepted"),
    ],
)
def test_wrong_command_line_is_refused_with_name_found_and_allowed(arguments, message):
    with pytest.raises(FlagError) as caught:
        parse(SOME, arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0),
        ("10s", 10),
        ("1h30m", 5400),
        ("1.5h", 5400),
        ("500ms", 0.5),
        ("100us", 1e-4),
        ("-2s", -2),
        (".5s", 0.5),
    ],
)
def test_duration_is_the_sum_of_its_parts(text, seconds):
    assert parse_duration_s(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "1", "s", "1x", "1s2", "1 s", "--1s"])
def test_duration_without_a_unit_is_refused(text):
    with pytest.raises(FlagError):
        parse_duration_s(text)


@given(st.text())
def test_any_duration_gives_a_number_or_a_named_error(text):
    with suppress(FlagError):
        assert isinstance(parse_duration_s(text), float)


def test_every_default_is_a_value_of_its_flag():
    for flag in FLAGS:
        parse_value(flag, flag.default)
    assert len({flag.name for flag in FLAGS}) == len(FLAGS)


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("collect-res-used-interval", "1s"),
        ("collect-sys-metric-outdated-interval", "10s"),
        ("collect-node-cpu-info-interval", "60s"),
        ("collect-node-storage-info-interval", "1s"),
        ("psi-collector-interval", "10s"),
        ("enable-pagecache-collector", "false"),
        ("tsdb-retention-duration", "12h"),
        ("kubelet-read-only-port", "10255"),
    ],
)
def test_flag_has_the_references_default(name, default):
    assert next(flag.default for flag in FLAGS if flag.name == name) == default
