"""What admission demands of the ConfigMap's documents."""

import orjson
import pytest

from koord.api.sloconfig.admission import Reason, refusal


def text(document):
    return orjson.dumps(document).decode()


THRESHOLD, QOS, BURST = "resource-threshold-config", "resource-qos-config", "cpu-burst-config"
SYSTEM, COLOCATION = "system-config", "colocation-config"


def layered(strategy, *entries):
    return {"clusterStrategy": strategy, "nodeStrategies": list(entries)}


@pytest.mark.parametrize(
    ("key", "strategy", "path", "found", "allowed"),
    [
        (THRESHOLD, {"cpuSuppressThresholdPercent": 101}, "cpuSuppressThresholdPercent", 101, "0 to 100"),
        (THRESHOLD, {"cpuEvictTimeWindowSeconds": 0}, "cpuEvictTimeWindowSeconds", 0, "1 or more"),
        (
            THRESHOLD,
            {"allocatableEvictPriorityThreshold": 8000},
            "allocatableEvictPriorityThreshold",
            8000,
            "0 to 7999",
        ),
        (
            THRESHOLD,
            {"memoryEvictThresholdPercent": 70},
            "memoryEvictLowerPercent",
            None,
            "a value, since memoryEvictThresholdPercent is given",
        ),
        (
            THRESHOLD,
            {"cpuEvictLowerPercent": 70, "cpuEvictThresholdPercent": 70},
            "cpuEvictLowerPercent",
            70,
            "less than cpuEvictThresholdPercent (70)",
        ),
        (
            THRESHOLD,
            {"memoryAllocatableEvictLowerPercent": 0},
            "memoryAllocatableEvictThresholdPercent",
            None,
            "a value, since memoryAllocatableEvictLowerPercent is given",
        ),
        (QOS, {"lsClass": {"cpuQOS": {"groupIdentity": 3}}}, "lsClass.cpuQOS.groupIdentity", 3, "-1 to 2"),
        (QOS, {"beClass": {"memoryQOS": {"wmarkMinAdj": -26}}}, "beClass.memoryQOS.wmarkMinAdj", -26, "-25 to 50"),
        (
            QOS,
            {"lsrClass": {"resctrlQOS": {"catRangeEndPercent": 10}}},
            "lsrClass.resctrlQOS.catRangeStartPercent",
            None,
            "a value, since catRangeEndPercent is given",
        ),
        (
            QOS,
            {"beClass": {"networkQOS": {"ingressLimit": 101}}},
            "beClass.networkQOS.ingressLimit",
            101,
            "0 to 100 percent, or a quantity of bits per second as text",
        ),
        (BURST, {"cpuBurstPercent": 0}, "cpuBurstPercent", 0, "1 to 10000"),
        (BURST, {"cfsQuotaBurstPeriodSeconds": -2}, "cfsQuotaBurstPeriodSeconds", -2, "-1 or more"),
        (SYSTEM, {"watermarkScaleFactor": 401}, "watermarkScaleFactor", 401, "1 to 400"),
    ],
)
def test_values_out_of_range_are_refused_in_the_cluster_part_and_in_entries(key, strategy, path, found, allowed):
    refused = refusal(key, text(layered(strategy)))
    assert refused is not None
    assert refused.reason is Reason.INVALID
    [error] = refused.errors
    assert (error.path, error.found, error.allowed) == (f"data[{key}].clusterStrategy.{path}", found, allowed)
    entry = {"nodeSelector": {"matchLabels": {"a": "b"}}} | strategy
    refused = refusal(key, text(layered({}, entry)))
    assert refused is not None
    assert refused.errors[0].path == f"data[{key}].nodeStrategies[0].{path}"


@pytest.mark.parametrize(
    ("strategy", "path"),
    [
        ({"midStaticCPUReservedPercent": 101}, "midStaticCPUReservedPercent"),
        ({"resourceDiffThreshold": 1.5}, "resourceDiffThreshold"),
        ({"degradeTimeMinutes": 0}, "degradeTimeMinutes"),
    ],
)
def test_admission_is_stricter_than_the_run_time_with_colocation(strategy, path):
    refused = refusal(COLOCATION, text(strategy))
    assert refused is not None
    assert refused.errors[0].path == f"data[{COLOCATION}].{path}"


def test_both_bounds_in_order_are_accepted():
    strategy = {"memoryEvictThresholdPercent": 70, "memoryEvictLowerPercent": 0}
    assert refusal(THRESHOLD, text(layered(strategy))) is None


def entry(name, **labels):
    return {"name": name, "nodeSelector": {"matchLabels": labels}, "enable": True}


@pytest.mark.parametrize(
    ("entries", "reason", "path"),
    [
        ([{"enable": True}], Reason.INVALID, "nodeStrategies[0].nodeSelector"),
        ([{"nodeSelector": {}, "enable": True}], Reason.INVALID, "nodeStrategies[0].nodeSelector"),
        (
            [{"nodeSelector": {"matchExpressions": [{"key": "a", "operator": "Is"}]}}],
            Reason.INVALID,
            "nodeStrategies[0].nodeSelector",
        ),
        ([entry("a", pool="a"), entry("b", zone="z")], Reason.OVERLAP, "nodeStrategies[1].nodeSelector"),
        ([{"nodeSelector": 1}], Reason.PARSE_FAILED, "nodeStrategies[0].nodeSelector"),
    ],
)
def test_entries_need_selectors_that_are_valid_and_do_not_overlap(entries, reason, path):
    refused = refusal(THRESHOLD, text(layered({}, *entries)))
    assert refused is not None
    assert (refused.reason, refused.errors[0].path) == (reason, f"data[{THRESHOLD}].{path}")


def test_names_are_only_looked_at_when_they_are_required():
    entries = [entry("a", pool="a"), entry("a", pool="b"), entry("", pool="c")]
    assert refusal(THRESHOLD, text(layered({}, *entries))) is None
    refused = refusal(THRESHOLD, text(layered({}, *entries)), names_required=True)
    assert refused is not None
    assert [error.path for error in refused.errors] == [
        f"data[{THRESHOLD}].nodeStrategies[1].name",
        f"data[{THRESHOLD}].nodeStrategies[2].name",
    ]


def test_other_keys_pass_unread():
    assert refusal("host-application-config", "{broken") is None
