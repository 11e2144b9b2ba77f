"""The ConfigMap slo-controller-config: reading, keeping what was good, choosing for a node."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from koord.api.gojson import encode
from koord.api.sloconfig import colocationconfig, nodefeatureconfig, nodeslo
from koord.api.sloconfig.review import review


def text(document):
    return orjson.dumps(document).decode()


THRESHOLD = "resource-threshold-config"


def threshold_of(data, labels=None, last=nodeslo.DEFAULT):
    config, errors = nodeslo.read_config(data, last)
    spec, _ = nodeslo.node_slo_spec(config, "n", labels or {}, {})
    return encode(spec)["resourceUsedThresholdWithBE"], errors


DEFAULT_THRESHOLD = {
    "enable": False,
    "cpuSuppressThresholdPercent": 65,
    "cpuSuppressPolicy": "cpuset",
    "memoryEvictThresholdPercent": 70,
    "cpuEvictPolicy": "evictByRealLimit",
}


def test_without_config_map_every_part_has_its_defaults():
    config, errors = nodeslo.read_config(None)
    spec, _ = nodeslo.node_slo_spec(config, "n", {}, {})
    assert errors == []
    assert encode(spec) == {
        "resourceUsedThresholdWithBE": DEFAULT_THRESHOLD,
        "resourceQOSStrategy": {},
        "cpuBurstStrategy": {
            "policy": "none",
            "cpuBurstPercent": 1000,
            "cfsQuotaBurstPercent": 300,
            "cfsQuotaBurstPeriodSeconds": -1,
            "sharePoolThresholdPercent": 50,
        },
        "systemStrategy": {"totalNetworkBandwidth": "0"},
        "extensions": {"Object": {}},
    }


def test_node_entries_are_laid_over_the_cluster_strategy_and_the_first_match_wins():
    document = {
        "clusterStrategy": {"enable": True},
        "nodeStrategies": [
            {"name": "a", "nodeSelector": {"matchLabels": {"pool": "a"}}, "cpuEvictBEUsageThresholdPercent": 80},
            {"name": "rest", "nodeSelector": {}, "enable": False},
        ],
    }
    data = {THRESHOLD: text(document)}
    assert threshold_of(data, {"pool": "a"})[0] == DEFAULT_THRESHOLD | {
        "enable": True,
        "cpuEvictBEUsageThresholdPercent": 80,
    }
    assert threshold_of(data, {"pool": "b"})[0] == DEFAULT_THRESHOLD


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("", f"data[{THRESHOLD}]: found"),
        ("{bad", f"data[{THRESHOLD}]: found"),
        (
            '{"clusterStrategy":{"enable":"yes"}}',
            f'data[{THRESHOLD}].clusterStrategy.enable: found "yes", allowed true or',
        ),
        (
            '{"nodeStrategies":[{},{"cpuSuppressMinPercent":"1"}]}',
            f'data[{THRESHOLD}].nodeStrategies[1].cpuSuppressMinPercent: found "1", allowed an integer',
        ),
        (
            '{"nodeStrategies":[{"nodeSelector":{"matchLabels":[]}}]}',
            f"data[{THRESHOLD}].nodeStrategies[0].nodeSelector.matchLabels: found [], allowed an object",
        ),
        ('{"nodeStrategies":{}}', f"data[{THRESHOLD}].nodeStrategies: found {{}}, allowed an array"),
    ],
)
def test_a_broken_key_keeps_its_last_good_part_only_and_says_where(broken, message):
    good, _ = nodeslo.read_config({THRESHOLD: '{"clusterStrategy":{"enable":true}}'})
    config, errors = nodeslo.read_config({THRESHOLD: broken, "cpu-burst-config": "{}"}, good)
    assert config == good
    assert [str(error).startswith("ConfigMap koordinator-system/slo-controller-config: ") for error in errors] == [True]
    assert message in str(errors[0])


def test_a_missing_key_returns_to_the_defaults():
    good, _ = nodeslo.read_config({THRESHOLD: '{"clusterStrategy":{"enable":true}}'})
    assert nodeslo.read_config({}, good) == (nodeslo.DEFAULT, [])


def test_an_entry_without_any_strategy_field_keeps_the_cluster_bandwidth():
    document = {
        "clusterStrategy": {"totalNetworkBandwidth": "10G"},
        "nodeStrategies": [
            {"name": "empty", "nodeSelector": {"matchLabels": {"pool": "a"}}},
            {"name": "set", "nodeSelector": {}, "watermarkScaleFactor": 1},
        ],
    }
    config, _ = nodeslo.read_config({"system-config": text(document)})
    assert str(config.system.for_node({"pool": "a"}).total_network_bandwidth) == "10G"
    assert str(config.system.for_node({}).total_network_bandwidth) == "0"


def test_a_broken_bandwidth_annotation_removes_the_system_strategy_and_is_named():
    spec, errors = nodeslo.node_slo_spec(nodeslo.DEFAULT, "n1", {}, {"node.koordinator.sh/network-bandwidth": "fast"})
    assert spec.system_strategy is None
    assert str(errors[0]) == (
        'Node n1: metadata.annotations[node.koordinator.sh/network-bandwidth]: found "fast", '
        'allowed a quantity of bits per second such as "10G"'
    )


def test_host_applications_of_a_node_replace_those_of_the_cluster():
    document = {
        "applications": [{"name": "db", "priority": "koord-prod"}],
        "nodeConfigs": [{"nodeSelector": {"matchLabels": {"pool": "a"}}, "applications": [{"name": "yarn"}]}],
    }
    config, _ = nodeslo.read_config({"host-application-config": text(document)})
    assert [app.name for app in config.host_applications.for_node({"pool": "a"}).applications] == ["yarn"]
    assert [app.name for app in config.host_applications.for_node({}).applications] == ["db"]


def colocation(document, labels=None, annotations=None):
    config, errors = colocationconfig.read_colocation({"colocation-config": text(document)})
    assert config is not None
    strategy, more = colocationconfig.node_strategy(config, "n1", labels or {}, annotations or {})
    return strategy, errors + more


def test_labels_beat_the_annotation_which_beats_the_node_entry_which_beats_the_cluster():
    strategy, errors = colocation(
        {
            "cpuReclaimThresholdPercent": 70,
            "nodeConfigs": [{"nodeSelector": {}, "memoryReclaimThresholdPercent": 80}],
        },
        {"node.koordinator.sh/cpu-reclaim-ratio": "0.45"},
        {"node.koordinator.sh/colocation-strategy": '{"cpuReclaimThresholdPercent":50,"degradeTimeMinutes":5}'},
    )
    assert errors == []
    assert strategy.cpu_reclaim_threshold_percent == 45
    assert strategy.memory_reclaim_threshold_percent == 80
    assert strategy.degrade_time_minutes == 5
    assert strategy.update_time_threshold_seconds == 300


@pytest.mark.parametrize(
    ("ratio", "percent"), [("0.29", 28), ("0.57", 56), ("1.5", 150), ("0", 0), ("-0.1", 60), ("x", 60)]
)
def test_a_ratio_label_is_cut_off_to_a_percent(ratio, percent):
    strategy, errors = colocation({}, {"node.koordinator.sh/cpu-reclaim-ratio": ratio})
    assert strategy.cpu_reclaim_threshold_percent == percent
    assert bool(errors) is (percent == 60)


def test_a_broken_annotation_is_passed_over_and_named():
    strategy, errors = colocation({}, {}, {"node.koordinator.sh/colocation-strategy": '{"degradeTimeMinutes":"1"}'})
    assert strategy.degrade_time_minutes == 15
    assert str(errors[0]) == (
        "Node n1: metadata.annotations[node.koordinator.sh/colocation-strategy].degradeTimeMinutes: "
        'found "1", allowed an integer (int64)'
    )


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"degradeTimeMinutes": 0}, "degradeTimeMinutes"),
        ({"resourceDiffThreshold": -0.1}, "resourceDiffThreshold"),
        ({"midCPUThresholdPercent": 101}, "midCPUThresholdPercent"),
        ({"cpuReclaimThresholdPercent": -1}, "cpuReclaimThresholdPercent"),
        ({"metricMemoryCollectPolicy": ""}, "metricMemoryCollectPolicy"),
        ({"metricReportIntervalSeconds": "60"}, "metricReportIntervalSeconds"),
    ],
)
def test_cluster_values_out_of_range_keep_the_last_configuration(document, path):
    last, _ = colocationconfig.read_colocation({"colocation-config": '{"enable":true}'})
    config, errors = colocationconfig.read_colocation({"colocation-config": text(document)}, last)
    assert config is last
    assert errors[0].path == f"data[colocation-config].{path}"


def test_a_broken_first_configuration_leaves_none():
    assert colocationconfig.read_colocation({"colocation-config": "{"}, None)[0] is None


@pytest.mark.parametrize("data", [None, {}, {"colocation-config": ""}])
def test_a_missing_or_empty_colocation_key_gives_the_defaults(data):
    assert colocationconfig.read_colocation(data, None) == (colocationconfig.DEFAULT, [])


def test_a_node_entry_out_of_range_becomes_the_cluster_strategy():
    strategy, errors = colocation(
        {"cpuReclaimThresholdPercent": 70, "nodeConfigs": [{"nodeSelector": {}, "degradeTimeMinutes": 0}]}
    )
    assert strategy.degrade_time_minutes == 15
    assert strategy.cpu_reclaim_threshold_percent == 70
    assert errors[0].path == "data[colocation-config].nodeConfigs[0].degradeTimeMinutes"


@pytest.mark.parametrize(
    ("cluster", "node", "expected"),
    [(True, None, True), (True, False, False), (False, True, False), (None, True, False)],
)
def test_colocation_needs_the_switch_of_the_cluster_and_of_the_node(cluster, node, expected):
    document = {"nodeConfigs": [{"nodeSelector": {}} | ({} if node is None else {"enable": node})]}
    document |= {} if cluster is None else {"enable": cluster}
    config, _ = colocationconfig.read_colocation({"colocation-config": text(document)})
    assert config is not None
    assert colocationconfig.is_enabled(config, config.for_node({})) is expected


def test_normalization_models_merge_by_name_and_a_broken_key_keeps_the_last():
    document = {
        "enable": True,
        "ratioModel": {"x": {"baseRatio": 1.5}},
        "nodeConfigs": [{"nodeSelector": {}, "ratioModel": {"y": {"baseRatio": 2}}}],
    }
    config, error = nodefeatureconfig.read_normalization({"cpu-normalization-config": text(document)})
    assert error is None
    assert sorted(config.for_node({}).ratio_model) == ["x", "y"]
    assert nodefeatureconfig.read_normalization({"cpu-normalization-config": ""}, config)[0] is config
    assert nodefeatureconfig.read_normalization({}, config)[0] == nodefeatureconfig.DEFAULT_NORMALIZATION


def test_amplification_ratios_are_read():
    config, error = nodefeatureconfig.read_amplification(
        {"resource-amplification-config": '{"enable":true,"resourceAmplificationRatio":{"cpu":1.5}}'}
    )
    assert error is None
    assert config.cluster.resource_amplification_ratio == {"cpu": 1.5}


def test_unknown_fields_and_overlapping_selectors_are_reported():
    document = {
        "clusterStrategy": {"enabled": True},
        "nodeStrategies": [
            {"name": "a", "nodeSelector": {"matchLabels": {"pool": "a"}}, "cpuSupressPolicy": "cpuset"},
            {"name": "b", "nodeSelector": {"matchExpressions": [{"key": "gpu", "operator": "Exists"}]}},
            {"name": "c"},
            {"name": "d", "nodeSelector": {"matchExpressions": [{"key": "x", "operator": "Like"}]}},
        ],
        "extra": 1,
    }
    found = [
        str(error).removeprefix("ConfigMap koordinator-system/slo-controller-config: ")
        for error in review({THRESHOLD: text(document)})
    ]
    key = f"data[{THRESHOLD}]"
    ignored = "allowed a known field; this one is ignored"
    assert found == [
        f'{key}.extra: found "extra", {ignored}',
        f'{key}.clusterStrategy.enabled: found "enabled", {ignored}',
        f'{key}.nodeStrategies[0].cpuSupressPolicy: found "cpuSupressPolicy", {ignored}',
        f'{key}.nodeStrategies[1].nodeSelector: found "gpu=any,pool=a", '
        "allowed a selector that does not overlap nodeStrategies[0], which wins",
        f"{key}.nodeStrategies[2].nodeSelector: found null, allowed a selector; without one the entry matches no node",
        f"{key}.nodeStrategies[3].nodeSelector: found "
        f'"matchExpressions[0].operator: found "Like", allowed In, NotIn, Exists, DoesNotExist", '
        "allowed a valid selector; the entry is skipped",
    ]


def test_a_good_document_has_nothing_to_report():
    document = {
        "enable": True,
        "midCPUThresholdPercent": 10,
        "nodeConfigs": [
            {"name": "a", "nodeSelector": {"matchLabels": {"pool": "a"}}, "enable": False},
            {"name": "b", "nodeSelector": {"matchLabels": {"pool": "b"}}, "extensions": {"x": {"y": 1}}},
        ],
    }
    assert review({"colocation-config": text(document), "other-key": "{"}) == []


documents = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 200) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                [
                    "clusterStrategy",
                    "nodeStrategies",
                    "nodeConfigs",
                    "nodeSelector",
                    "enable",
                    "matchLabels",
                    "applications",
                    "lsClass",
                    "cpuQOS",
                    "totalNetworkBandwidth",
                    "policy",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)
KEYS = [
    "resource-threshold-config",
    "resource-qos-config",
    "cpu-burst-config",
    "system-config",
    "host-application-config",
    "colocation-config",
    "cpu-normalization-config",
    "resource-amplification-config",
]


@given(st.sampled_from(KEYS), documents)
def test_any_document_gives_a_configuration_or_keeps_the_last_and_names_the_key(key, document):
    data = {key: text(document)}
    _, slo = nodeslo.read_config(data)
    _, coloc = colocationconfig.read_colocation(data)
    _, normalization = nodefeatureconfig.read_normalization(data)
    _, amplification = nodefeatureconfig.read_amplification(data)
    review(data)
    for error in [*slo, *coloc, *filter(None, (normalization, amplification))]:
        assert error.path.startswith(f"data[{key}]")
