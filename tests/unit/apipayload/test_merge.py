"""One strategy laid over another."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from koord.api.gojson import decode, encode
from koord.api.slo.cpuburst import CPUBurstStrategy
from koord.api.slo.resourceqos import ResourceQOS, ResourceQOSStrategy
from koord.api.slo.system import SystemStrategy
from koord.api.slo.threshold import ResourceThresholdStrategy
from koord.api.sloconfig import defaults
from koord.api.sloconfig.colocation import ColocationStrategy
from koord.api.sloconfig.merge import merged
from koord.api.sloconfig.nodefeatures import CPUNormalizationStrategy


@pytest.mark.parametrize(
    ("kind", "base", "override", "expected"),
    [
        (CPUBurstStrategy, {"cpuBurstPercent": 7}, {}, {"cpuBurstPercent": 7}),
        (CPUBurstStrategy, {"cpuBurstPercent": 7}, {"cpuBurstPercent": 0}, {"cpuBurstPercent": 0}),
        (ResourceThresholdStrategy, {"enable": True}, {"enable": False}, {"enable": False}),
        (CPUBurstStrategy, {"policy": "auto"}, {"policy": ""}, {"policy": "auto"}),
        (
            ResourceQOS,
            {"cpuQOS": {"enable": True, "groupIdentity": 2}},
            {"cpuQOS": {"groupIdentity": 0}, "memoryQOS": {}},
            {"cpuQOS": {"enable": True, "groupIdentity": 0}, "memoryQOS": {}},
        ),
        (
            ResourceQOS,
            {"blkioQOS": {"blocks": [{"name": "a", "ioCfg": {"readIOPS": 1}}, {"name": "b", "ioCfg": {}}]}},
            {"blkioQOS": {"blocks": [{"type": "device", "ioCfg": {"writeIOPS": 0}}]}},
            {"blkioQOS": {"blocks": [{"name": "a", "type": "device", "ioCfg": {"readIOPS": 1, "writeIOPS": 0}}]}},
        ),
        (
            ResourceQOS,
            {"blkioQOS": {"blocks": [{"name": "a", "ioCfg": {}}]}},
            {"blkioQOS": {"enable": True, "blocks": []}},
            {"blkioQOS": {"enable": True, "blocks": [{"name": "a", "ioCfg": {}}]}},
        ),
        (
            ResourceQOS,
            {"blkioQOS": {"blocks": [{"name": "a", "ioCfg": {}}]}},
            {"blkioQOS": {"blocks": [{}, {"name": "n", "ioCfg": {}}]}},
            {"blkioQOS": {"blocks": [{"name": "a", "ioCfg": {}}, {"name": "n", "ioCfg": {}}]}},
        ),
        (
            ColocationStrategy,
            {"metricAggregatePolicy": {"durations": ["5m0s", "10m0s"]}},
            {"metricAggregatePolicy": {"durations": ["1m0s"]}},
            {"metricAggregatePolicy": {"durations": ["1m0s"]}},
        ),
        (
            SystemStrategy,
            {"schedFeatures": {"A": True, "B": True}, "totalNetworkBandwidth": "1G"},
            {"schedFeatures": {"B": False, "C": True}, "totalNetworkBandwidth": "2G"},
            {"schedFeatures": {"A": True, "B": False, "C": True}, "totalNetworkBandwidth": "2G"},
        ),
        (
            SystemStrategy,
            {"totalNetworkBandwidth": "1G", "watermarkScaleFactor": 3},
            {"minFreeKbytesFactor": 1},
            {"totalNetworkBandwidth": "0", "watermarkScaleFactor": 3, "minFreeKbytesFactor": 1},
        ),
        (
            CPUNormalizationStrategy,
            {"ratioModel": {"m": {"baseRatio": 1.5, "turboEnabledRatio": 1.8}, "n": {"baseRatio": 2.0}}},
            {"ratioModel": {"m": {"baseRatio": 1.1}}},
            {"ratioModel": {"m": {"baseRatio": 1.1}, "n": {"baseRatio": 2.0}}},
        ),
    ],
)
def test_an_overlay_follows_the_rules_per_kind_of_field(kind, base, override, expected):
    below, above = decode(base, kind), decode(override, kind)
    before = orjson.dumps([encode(below), encode(above)])
    assert encode(merged(below, above)) == expected
    assert orjson.dumps([encode(below), encode(above)]) == before


def zeros_or_values(value):
    return st.none() | st.just(value) | st.integers(0, 100)


thresholds = st.builds(
    ResourceThresholdStrategy,
    enable=st.none() | st.booleans(),
    cpu_suppress_threshold_percent=zeros_or_values(0),
    memory_evict_threshold_percent=zeros_or_values(0),
    cpu_evict_time_window_seconds=zeros_or_values(0),
    cpu_suppress_policy=st.sampled_from(["", "cpuset", "cfsQuota"]),
)
FIELDS = ResourceThresholdStrategy.__struct_fields__


@given(thresholds)
def test_merging_with_defaults_never_loses_a_set_value_not_even_zero(strategy):
    result = merged(defaults.RESOURCE_THRESHOLD, strategy)
    for name in FIELDS:
        given_value, default = getattr(strategy, name), getattr(defaults.RESOURCE_THRESHOLD, name)
        is_set = given_value is not None and given_value != ""
        assert getattr(result, name) == (given_value if is_set else default)


@given(thresholds, thresholds, thresholds)
def test_overlays_can_be_grouped_in_any_way(one, two, three):
    assert merged(merged(one, two), three) == merged(one, merged(two, three))


@given(thresholds)
def test_laying_a_strategy_over_itself_changes_nothing(strategy):
    assert merged(strategy, strategy) == strategy


blocks = st.lists(
    st.fixed_dictionaries(
        {"ioCfg": st.fixed_dictionaries({}, optional={"readIOPS": st.integers(0, 5), "writeBPS": st.integers(0, 5)})},
        optional={"name": st.sampled_from(["", "a", "b"])},
    ),
    max_size=3,
)
strategies = st.fixed_dictionaries(
    {},
    optional={
        "lsClass": st.fixed_dictionaries({}, optional={"blkioQOS": st.fixed_dictionaries({"blocks": blocks})}),
        "policies": st.fixed_dictionaries({}, optional={"cpuPolicy": st.sampled_from(["", "coreSched"])}),
    },
).map(lambda document: decode(document, ResourceQOSStrategy))


def overlaid_as_json(base, override):
    """The rule in plain JSON: what merging means, without knowing the types."""
    if isinstance(base, dict) and isinstance(override, dict):
        return base | {key: overlaid_as_json(base.get(key), value) for key, value in override.items()}
    if isinstance(base, list) and isinstance(override, list):
        filled = [*base, *([None] * len(override))]
        return [overlaid_as_json(old, new) for old, new in zip(filled, override, strict=False)]
    return override


@given(strategies, strategies)
def test_an_overlay_equals_decoding_the_upper_json_over_the_lower_one(base, override):
    assert encode(merged(base, override)) == overlaid_as_json(encode(base), encode(override))
