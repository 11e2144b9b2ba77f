"""Labels and annotations: what is refused, what is found odd, and any text at all."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koord.api.errors import ValidationError
from koord.api.payloads.payload import Place
from koord.api.payloads.registry import PAYLOADS, review_metadata

S = "scheduling.koordinator.sh/"
N = "node.koordinator.sh/"
K = "koordinator.sh/"
Q = "quota.scheduling.koordinator.sh/"
G = "gang.scheduling.koordinator.sh/"
I = "internal.scheduling.koordinator.sh/"  # noqa: E741


@pytest.mark.parametrize(
    ("place", "key", "text", "message"),
    [
        ("annotations", f"{K}cpuQOS", '{"groupIdentity":3}', "].groupIdentity: found 3, allowed -1 to 2"),
        ("annotations", f"{K}cpuQOS", "{", ']: found "{", allowed JSON ('),
        ("annotations", f"{K}oom-score-adj", "1001", ']: found "1001", allowed a decimal integer from -1000 to 1000'),
        ("annotations", f"{K}oom-score-adj", "+5 ", ']: found "+5 ", allowed a decimal integer'),
        (
            "annotations",
            f"{K}oom-score-adj-spec",
            '{"a":1001}',
            "].a: found 1001, allowed an integer from -1000 to 1000",
        ),
        ("annotations", f"{K}networkQOS", '{"ingressLimit":10}', "].ingressLimit: found 10, allowed a string"),
        (
            "annotations",
            f"{K}networkQOS",
            '{"egressLimit":"x"}',
            '].egressLimit: found "x", allowed a quantity of bits',
        ),
        ("annotations", f"{S}resource-status", '{"cpuset":"3-1"}', '].cpuset: found "3-1", allowed a CPU list'),
        ("annotations", f"{N}reservation", '{"reservedCPUs":"a"}', '].reservedCPUs: found "a", allowed a CPU list'),
        ("annotations", f"{N}cpu-shared-pools", '[{"cpuset":"x"}]', '][0].cpuset: found "x", allowed a CPU list'),
        (
            "annotations",
            f"{S}device-allocated",
            '{"gpu":[{"minor":"0"}]}',
            '].gpu[0].minor: found "0", allowed an integer',
        ),
        ("annotations", f"{S}gpu-partitions", "null", "]: found null, allowed an object from card counts"),
        ("annotations", f"{S}gpu-partitions", '{"two":[]}', '].two: found "two", allowed a number of cards'),
        (
            "annotations",
            f"{S}device-allocate-hint",
            '{"gpu":{"selector":{"matchExpressions":[{"key":"a","operator":"Is"}]}}}',
            '].gpu.selector: found "matchExpressions[0].operator: found "Is"',
        ),
        (
            "annotations",
            f"{S}reservation-owners",
            "[{}]",
            "][0]: found null, allowed object, controller or labelSelector",
        ),
        ("annotations", f"{G}groups", '["a"]', '][0]: found "a", allowed namespace/name'),
        ("annotations", f"{G}waiting-time", "10", ']: found "10", allowed a duration'),
        ("annotations", f"{G}network-topology-index", "-1", ']: found "-1", allowed a decimal integer from 0'),
        ("annotations", f"{N}cpu-normalization-ratio", "0", ']: found "0", allowed a number above 0'),
        ("labels", f"{N}cpu-normalization-enabled", "yes", ']: found "yes", allowed true or false'),
        ("annotations", f"{N}network-bandwidth", "", ']: found "", allowed a quantity'),
        ("annotations", f"{S}eviction-cost", "+1", ']: found "+1", allowed a decimal integer (int32) without plus'),
        ("annotations", f"{S}eviction-cost", "07", ']: found "07", allowed a decimal integer'),
        ("annotations", f"{S}eviction-cost", "2147483648", ']: found "2147483648", allowed a decimal integer'),
        ("labels", f"{K}qosClass", "ls", ']: found "ls", allowed LSE or LSR or LS or BE or SYSTEM'),
        ("labels", f"{K}core-sched-policy", "x", ']: found "x", allowed "" or none or exclusive'),
        ("annotations", f"{I}scheduling-hint", '{"nodeNames":"a"}', '].nodeNames: found "a", allowed an array'),
    ],
)
def test_a_bad_value_names_object_key_path_found_and_allowed(place, key, text, message):
    with pytest.raises(ValidationError) as caught:
        PAYLOADS[Place(place), key].parse(text, "Pod default/web")
    assert str(caught.value).startswith(f"Pod default/web: metadata.{place}[{key}" + message[: message.index("]") + 1])
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("key", "text", "finding"),
    [
        (f"{K}cpuQOS", '{"groupIdentity":-1}', "enable: found null, allowed true: without it"),
        (f"{K}cpuBurst", '{"policy":"max"}', 'policy: found "max", allowed none, cpuBurstOnly'),
        (f"{K}memoryQOS", '{"wmarkMinAdj":60}', "wmarkMinAdj: found 60, allowed -25 to 50"),
        (f"{K}blkioQOS", '{"blocks":[{"type":"device"}]}', 'blocks[0].type: found "device", allowed podvolume'),
        (f"{N}resctrl", '{"llc":{"schemata":{"range":[1]}}}', "llc.schemata.range: found [1], allowed two percentages"),
        (f"{K}eviction-policy", '["Evict"]', '[0]: found "Evict", allowed BECPUEvict, '),
        (
            f"{S}resource-spec",
            '{"requiredCPUBindPolicy":"Full"}',
            'requiredCPUBindPolicy: found "Full", allowed Default, ',
        ),
        (
            f"{S}reservation-affinity",
            '{"name":"r","reservationSelector":{"a":"b"}}',
            'name: found "r", allowed no name',
        ),
        (f"{N}resource-amplification-ratio", '{"cpu":0.5}', "cpu: found 0.5, allowed 1 or more"),
        (f"{N}colocation-strategy", '{"degradeTimeMinutes":0}', "degradeTimeMinutes: found 0, allowed 1 or more"),
        (
            f"{S}usage-thresholds",
            '{"aggregatedUsage":{"usageThresholds":{"cpu":1}}}',
            "allowed both usageThresholds and",
        ),
        (f"{Q}runtime", '{"cpu":"-1"}', 'cpu: found "-1", allowed 0 or more'),
    ],
)
def test_a_readable_but_odd_value_is_found_by_a_review_of_the_object(key, text, finding):
    found = review_metadata({}, {key: text, "example.com/other": "{"}, "Pod default/web")
    assert len(found) == 1
    assert finding in str(found[0])


words = st.sampled_from(
    [
        "",
        "a",
        "policy",
        "cpu",
        "cpuset",
        "containers",
        "gpu",
        "minor",
        "blocks",
        "llc",
        "schemata",
        "range",
        "resources",
        "name",
        "allocations",
        "detail",
        "ioCfg",
        "usageThresholds",
        "0-3",
        "1Gi",
        "true",
        "-1",
    ]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**64), 2**65) | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=10,
)
texts = st.one_of(json_values.map(json.dumps), st.text(max_size=12), words)


@given(st.sampled_from(sorted(PAYLOADS)), texts)
def test_any_text_of_any_key_is_read_or_refused_by_name_and_what_is_read_can_be_written_again(where, text):
    payload = PAYLOADS[where]
    payload.review(text, "Pod d/p")
    try:
        value = payload.parse(text, "Pod d/p")
    except ValidationError as error:
        assert error.path.startswith(f"metadata.{payload.place}[{payload.key}]")  # noqa: PT017
        return
    written = payload.format(value)
    assert payload.format(payload.parse(written, "Pod d/p")) == written
