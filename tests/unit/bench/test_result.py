"""What a benchmark prints: the documented JSON, a judgement on the measured value, causes where there is none."""

import json

import pytest

from bench.harness.result import Report, as_json, judged, not_measurable, printed, table

REPORT = Report(
    "collect",
    {"kernel": "6.18.1", "cpus": 2, "load": 0.5},
    [
        judged("snapshot_ms", 0.3, "ms", "<=", 0.4),
        judged("speedup", 30, "x", ">=", 40),
        printed("baseline_ms", 98.04, "ms"),
        not_measurable("full_ms", "ms", "<=", 0.6, "controllers on v1"),
    ],
)


def test_json_is_one_line_with_the_documented_fields():
    line = as_json(REPORT)
    assert "\n" not in line
    report = json.loads(line)
    assert set(report) == {"bench", "machine", "results"}
    assert report["machine"] == {"kernel": "6.18.1", "cpus": 2, "load": 0.5}
    assert report["results"][0] == {
        "name": "snapshot_ms",
        "value": 0.3,
        "unit": "ms",
        "target": "<= 0.4",
        "ok": True,
        "why": "",
    }
    assert report["results"][3]["value"] is None
    assert report["results"][3]["ok"] is None


@pytest.mark.parametrize(
    ("value", "comparison", "target", "ok"),
    [
        (0.4, "<=", 0.4, True),
        (0.4004, "<=", 0.4, False),  # rounded for printing it would hold
        (40, ">=", 40, True),
        (39.99, ">=", 40, False),
        (80, "<", 80, False),
    ],
)
def test_judges_the_measured_value(value, comparison, target, ok):
    assert judged("name", value, "ms", comparison, target).ok is ok


@pytest.mark.parametrize(("value", "shown"), [(98.04, 98), (0.01234, 0.0123), (123456.7, 123457), (0, 0)])
def test_keeps_three_significant_digits_and_every_whole_one(value, shown):
    assert printed("name", value, "ms").value == shown


def test_the_table_has_a_line_per_result_and_names_missed_targets_and_causes():
    lines = table(REPORT).splitlines()
    assert lines[0] == "collect: kernel 6.18.1, cpus 2, load 0.5"
    assert len(lines) == 2 + len(REPORT.results)
    assert "MISSED" in lines[3]
    assert lines[5].endswith("not measurable: controllers on v1")
