"""Annotations that hold JSON: read and written without loss."""

import orjson
import pytest

from koord.api.errors import ValidationError
from koord.api.payloads.payload import Place
from koord.api.payloads.registry import PAYLOADS

S = "scheduling.koordinator.sh/"
N = "node.koordinator.sh/"
K = "koordinator.sh/"
Q = "quota.scheduling.koordinator.sh/"
G = "gang.scheduling.koordinator.sh/"
I = "internal.scheduling.koordinator.sh/"  # noqa: E741

JSON_TEXTS = [
    (f"{K}cpuBurst", {"policy": "auto", "cpuBurstPercent": 0, "cfsQuotaBurstPeriodSeconds": -1}),
    (f"{K}cpuQOS", {"enable": True, "groupIdentity": -1, "schedIdle": 0, "coreExpeller": False}),
    (f"{K}memoryQOS", {"policy": "auto", "wmarkRatio": 0, "pageCacheEnable": False, "oomKillGroup": 1}),
    (
        f"{K}blkioQOS",
        {"blocks": [{"name": "data", "type": "podvolume", "ioCfg": {"readIOPS": 0, "writeBPS": 1048576}}]},
    ),
    (f"{K}networkQOS", {"ingressLimit": "10M", "egressLimit": "20M"}),
    (
        f"{N}resctrl",
        {
            "llc": {"schemata": {"range": [0, 30]}, "schemataPerCache": [{"cacheID": 1, "range": [0, 50]}]},
            "mb": {"schemata": {"percent": 30}, "schemataPerCache": [{"cacheID": 1, "percent": 20}]},
        },
    ),
    (f"{K}oom-score-adj-spec", {"main": -998, "side": 1000}),
    (f"{K}eviction-policy", ["CPUEvict", "BEMemoryEvict"]),
    (f"{K}eviction-policy", []),
    (
        f"{N}extended-resource-spec",
        {
            "containers": {
                "main": {"limits": {"kubernetes.io/batch-cpu": "1k"}, "requests": {"kubernetes.io/batch-memory": "1Gi"}}
            }
        },
    ),
    (f"{N}extended-resource-spec", {}),
    (f"{S}resource-spec", {"requiredCPUBindPolicy": "FullPCPUs", "preferredCPUExclusivePolicy": "PCPULevel"}),
    (f"{S}numa-topology-spec", {"numaTopologyPolicy": "SingleNUMANode", "singleNUMANodeExclusive": "Required"}),
    (
        f"{S}resource-status",
        {"cpuset": "0-3,8", "numaNodeResources": [{"node": 0, "resources": {"cpu": "4", "memory": "8Gi"}}]},
    ),
    (f"{S}resource-status", {"numaNodeResources": [{"node": 0}]}),
    (
        f"{S}device-allocated",
        {
            "gpu": [{"minor": 0, "resources": {"koordinator.sh/gpu-core": "100"}}],
            "rdma": [
                {
                    "minor": 1,
                    "resources": {},
                    "id": "0000:1f:00.0",
                    "extension": {"vfs": [{"minor": 2, "busID": "0000:1f:00.2"}], "gpuSharedResourceTemplate": "t"},
                }
            ],
        },
    ),
    (
        f"{S}device-allocate-hint",
        {"rdma": {"selector": {"matchLabels": {"type": "fast"}}, "vfSelector": {}, "allocateStrategy": "ApplyForAll"}},
    ),
    (f"{S}device-joint-allocate", {"deviceTypes": ["gpu", "rdma"], "requiredScope": "SamePCIe"}),
    (f"{S}gpu-partition-spec", {"allocatePolicy": "Restricted", "ringBusBandwidth": "200Gi"}),
    (
        f"{S}gpu-partitions",
        {"2": [{"minors": [0, 1], "gpuLinkType": "NVLink", "ringBusBandwidth": "200Gi", "allocationScore": 1}]},
    ),
    (f"{S}gpu-partitions", {"1": [{"minors": []}]}),
    (f"{S}reservation-allocated", {"name": "r", "uid": "u"}),
    (
        f"{S}reservation-affinity",
        {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "reservationSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}]
            },
            "tolerations": [{"key": "k", "operator": "Exists"}],
        },
    ),
    (f"{S}reservation-affinity", {"name": "r"}),
    (f"{S}reservation-restricted-options", {"resources": ["cpu"]}),
    (f"{S}exact-match-reservation", {"resourceNames": ["cpu"]}),
    (f"{S}reservation-resize-allocatable", {"resources": {"cpu": "2"}}),
    (
        f"{S}reservation-owners",
        [{"object": {"kind": "Pod", "name": "p"}}, {"labelSelector": {"matchLabels": {"a": "b"}}}],
    ),
    (f"{S}reservation-current-owner", {"kind": "Pod", "namespace": "d", "name": "p", "uid": "u"}),
    (f"{G}groups", ["default/a", "default/b"]),
    (
        f"{G}network-topology-spec",
        {"gatherStrategy": [{"layer": "spine", "strategy": "MustGather", "podCountMultiple": 4}]},
    ),
    *(
        (Q + key, {"cpu": "10", "memory": "20Gi"})
        for key in (
            "shared-weight",
            "runtime",
            "request",
            "child-request",
            "guaranteed",
            "allocated",
            "non-preemptible-request",
            "non-preemptible-used",
            "unschedulable-resource",
            "total-resource",
            "admission",
        )
    ),
    (f"{Q}resource-keys", ["cpu", "memory"]),
    (f"{Q}namespaces", ["a"]),
    (f"{Q}max-strict-check-resource-keys", ["cpu"]),
    (
        f"{S}usage-thresholds",
        {
            "usageThresholds": {"cpu": 65},
            "prodUsageThresholds": {"memory": 0},
            "aggregatedUsage": {
                "usageThresholds": {"cpu": 60},
                "usageAggregationType": "p95",
                "usageAggregatedDuration": "5m0s",
            },
        },
    ),
    (f"{S}load-estimated-scaling-factors", {"cpu": 85, "memory": 70}),
    (
        f"{N}reservation",
        {"resources": {"cpu": "2"}, "reservedCPUs": "0-5", "applyPolicy": "ReservedCPUsOnly"},
    ),
    (f"{N}system-qos-resource", {"cpuset": "0-1", "cpusetExclusive": False}),
    (f"{N}cpu-basic-info", {"cpuModel": "X", "hyperThreadEnabled": True, "catL3CbmMask": "fff", "vendorID": "Intel"}),
    (f"{N}raw-allocatable", {"cpu": "8", "memory": "16Gi"}),
    (
        f"{N}colocation-strategy",
        {"enable": True, "midCPUThresholdPercent": 0, "metricAggregatePolicy": {"durations": ["5m0s"]}},
    ),
    (f"{N}originExtendedAllocatable", {"resources": {"kubernetes.io/batch-cpu": "50k"}}),
    (
        f"{N}thirdPartyAllocations",
        {"allocations": [{"name": "yarn", "priority": "koord-batch", "resources": {"kubernetes.io/batch-cpu": "10k"}}]},
    ),
    (f"{N}thirdPartyAllocations", {"allocations": [{"name": "", "priority": ""}]}),
    (f"{N}cpu-topology", {"detail": [{"id": 0, "core": 0, "socket": 0, "node": 0}]}),
    (f"{N}cpu-shared-pools", [{"socket": 0, "node": 0, "cpuset": "0-15"}]),
    (f"{N}be-cpu-shared-pools", []),
    ("kubelet.koordinator.sh/cpu-manager-policy", {"policy": "static", "options": {"a": "b"}, "reservedCPUs": "0-1"}),
    (
        f"{N}pod-cpu-allocs",
        [{"namespace": "d", "name": "p", "uid": "u", "cpuset": "1", "managedByKubelet": True}],
    ),
    (f"{N}pod-cpu-allocs", None),
    (
        f"{S}soft-eviction",
        {
            "timestamp": "2026-01-02T15:04:05Z",
            "deleteOptions": {"gracePeriodSeconds": 0},
            "initiator": "d",
            "reason": "r",
        },
    ),
    (f"{I}scheduling-hint", {"nodeNames": ["a"], "preferredNodeNames": ["b"], "extensions": {"x": 1}}),
]


@pytest.mark.parametrize(("key", "document"), JSON_TEXTS)
def test_a_json_annotation_is_read_and_written_without_loss(key, document):
    payload = PAYLOADS[Place.ANNOTATION, key]
    text = orjson.dumps(document).decode()
    value = payload.parse(text, "Pod d/p")
    assert orjson.loads(payload.format(value)) == document
    assert payload.review(text, "Pod d/p") == []


def test_every_json_annotation_is_in_the_table():
    tested = {key for key, _ in JSON_TEXTS}
    for (place, key), payload in PAYLOADS.items():
        try:
            payload.parse('{"', "object")
        except ValidationError as error:
            if place is Place.ANNOTATION and error.allowed.startswith("JSON"):
                assert key in tested | {f"{N}resource-amplification-ratio", f"{S}scheduling-hint"}
