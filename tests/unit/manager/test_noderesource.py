"""Batch and mid resources of a node: worked examples, publishing, and when a node is written."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koord.api.codec import from_json
from koord.api.core.node import Node
from koord.api.core.pod import Pod
from koord.api.quantity import Quantity
from koord.api.slo.nodemetric import NodeMetric
from koord.api.sloconfig.colocation import ColocationStrategy
from koord.api.topology.zones import Zone
from manager.noderesource.amounts import is_different
from manager.noderesource.batch import Batch, batch, node_load
from manager.noderesource.batchzones import updated_zones, zone_batches
from manager.noderesource.highpriority import high_priority_use
from manager.noderesource.mid import mid
from manager.noderesource.nodeload import is_degraded
from manager.noderesource.normalization import normalized, parse_ratio, ratio_differs
from manager.noderesource.pods import live_demands
from manager.noderesource.publish import with_batch, with_mid
from manager.noderesource.sync import sync_need

G = 10**9
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BATCH_CPU, BATCH_MEMORY = "kubernetes.io/batch-cpu", "kubernetes.io/batch-memory"


def amounts(cpu, memory):
    return {"cpu": str(cpu), "memory": str(memory)}


def node(capacity=(100, "120G"), allocatable=None, annotations=None):
    status = {"capacity": amounts(*capacity), "allocatable": amounts(*(allocatable or capacity))}
    return from_json(Node, {"metadata": {"name": "n", "annotations": annotations or {}}, "status": status})


def pod(name, *requests, qos="", phase="Running", priority="", numa=None):
    labels = {"koordinator.sh/qosClass": qos} | ({"koordinator.sh/priority-class": priority} if priority else {})
    annotations = {}
    if numa is not None:
        annotations["scheduling.koordinator.sh/resource-status"] = f'{{"numaNodeResources":[{{"node":{numa}}}]}}'
    containers = [{"name": f"c{i}", "resources": {"requests": amounts(*one)}} for i, one in enumerate(requests)]
    metadata = {"name": name, "namespace": "d", "labels": labels, "annotations": annotations}
    return from_json(Pod, {"metadata": metadata, "spec": {"containers": containers}, "status": {"phase": phase}})


def metric(system=(7, "12G"), pods=(), hosts=(), **status):
    document = {
        "updateTime": "2026-03-01T12:00:00Z",
        "nodeMetric": {"systemUsage": {"resources": amounts(*system)}},
        "podsMetric": [
            {"name": name, "namespace": "d", "priority": priority, "podUsage": {"resources": amounts(*use)}}
            for name, priority, use in pods
        ],
        "hostApplicationMetric": [
            {"name": "h", "priority": priority, "usage": {"resources": amounts(*use)}} for priority, use in hosts
        ],
    }
    return from_json(NodeMetric, {"status": document | status}).status


def strategy(**fields):
    return from_json(ColocationStrategy, fields)


def reclaim(cpu, memory, cpu_policy="usage", memory_policy="usage", **more):
    return strategy(
        cpuReclaimThresholdPercent=cpu,
        memoryReclaimThresholdPercent=memory,
        cpuCalculatePolicy=cpu_policy,
        memoryCalculatePolicy=memory_policy,
        **more,
    )


PODS = (
    pod("a", (20, "20G"), qos="LS"),
    pod("b", (10, "10G"), qos="BE"),
    pod("c", (10, "20G"), (10, "20G"), phase="Pending"),
    pod("d", (10, "10G"), qos="BE", phase="Succeeded"),
)
USES = (("a", "", (11, "11G")), ("b", "", (10, "10G")), ("c", "", (22, "22G")))
RESERVATION = "node.koordinator.sh/reservation"


@pytest.mark.parametrize(
    ("policy", "of_node", "of_metric", "cpu", "memory_g"),
    [
        (reclaim(65, 65), {}, {}, 25000, 33),
        (reclaim(65, 65), {"annotations": {RESERVATION: '{"reservedCPUs":"0-19"}'}}, {}, 12000, 33),
        (
            reclaim(65, 65),
            {
                "annotations": {RESERVATION: '{"resources":{"cpu":"2","memory":"5G"}}'},
                "allocatable": (90, "100G"),
            },
            {},
            22000,
            25,
        ),
        (reclaim(65, 65), {"annotations": {RESERVATION: "{broken"}}, {}, 25000, 33),
        (reclaim(70, 80, memory_policy="request"), {}, {}, 30000, 36),
        (reclaim(70, 80, "maxUsageRequest", "request"), {}, {}, 21000, 36),
        (reclaim(150, 120, "maxUsageRequest", "request"), {}, {}, 101000, 84),
        (
            reclaim(
                150,
                120,
                "maxUsageRequest",
                "request",
                batchCPUThresholdPercent=100,
                batchMemoryThresholdPercent=100,
            ),
            {},
            {},
            100000,
            84,
        ),
        (reclaim(150, 120, "usage", "maxUsageRequest"), {}, {}, 110000, 72),
        (reclaim(65, 65), {}, {"system": (4, "6G"), "hosts": [("koord-prod", (3, "6G"))]}, 25000, 33),
        (reclaim(65, 65), {}, {"hosts": [("koord-batch", (3, "6G")), ("", (3, "6G"))]}, 25000, 33),
        (reclaim(65, 65, "request"), {"allocatable": (150, "200G")}, {}, 25000, 33),
    ],
)
def test_batch_is_what_high_priority_pods_the_system_and_the_margin_leave(policy, of_node, of_metric, cpu, memory_g):
    one = metric(pods=USES, **of_metric)
    use = high_priority_use(live_demands(PODS), one)
    found = batch(node_load(node(**of_node), one, use), policy)
    assert (found.cpu.value(), found.memory.value()) == (cpu, memory_g * G)


ZONES = [
    from_json(
        Zone,
        {
            "name": name,
            "type": "Node",
            "resources": [
                {"name": resource, "capacity": amount, "allocatable": amount, "available": amount}
                for resource, amount in (("cpu", "50"), ("memory", memory))
            ],
        },
    )
    for name, memory in (("node-0", "62G"), ("node-1", "58G"))
]
LSE_USES = (("e", "", (5, "5G")), ("p", "", (6, "6G")), ("l", "", (1, "1G")), ("m", "", (22, "22G")))


def lse_pods(qos, numa=None):
    return (
        pod("e", (10, "10G"), qos=qos, numa=numa),
        pod("p", (10, "10G"), priority="koord-prod"),
        pod("l", (10, "10G"), qos="BE", priority="koord-batch"),
        pod("m", (20, "40G"), priority="koord-mid"),
    )


def test_cpus_of_an_lse_pod_count_whole_and_its_memory_as_used():
    one = metric(pods=LSE_USES)
    use = high_priority_use(live_demands(lse_pods("LSE")), one)
    found = batch(node_load(node(), one, use), reclaim(65, 65))
    assert (found.cpu.value(), found.memory.value()) == (20000, 33 * G)


def test_zones_share_what_has_no_place_and_take_pods_where_they_are():
    one = metric(pods=LSE_USES)
    use = high_priority_use(live_demands(lse_pods("LS", numa=0)), one)
    found = zone_batches(node(), ZONES, one, use, reclaim(65, 65))
    assert {name: (each.cpu.value(), each.memory.value()) for name, each in found.items()} == {
        "node-0": (10000, 15_300_000_000),
        "node-1": (15000, 17_700_000_000),
    }


def test_pods_without_a_metric_count_by_request_and_metrics_without_a_pod_by_use():
    one = metric(pods=(("p", "", (6, "6G")), ("m", "", (22, "22G")), ("gone", "koord-prod", (2, "4G"))))
    use = high_priority_use(live_demands(lse_pods("LSE", numa=0)), one)
    policy = reclaim(65, 65, memory_policy="request")
    found = batch(node_load(node(), one, use), policy)
    zones = zone_batches(node(), ZONES, one, use, policy)
    assert (found.cpu.value(), found.memory.value()) == (18000, 18 * G)
    assert [each.cpu.value() for each in zones.values()] == [4000, 14000]
    assert [each.memory.value() for each in zones.values()] == [5_300_000_000, 12_700_000_000]


def test_zones_without_cpu_and_memory_give_no_result():
    empty = [from_json(Zone, {"name": "node-0", "type": "Node"})]
    assert zone_batches(node(), empty, metric(), high_priority_use([], metric()), strategy()) == {}


def test_a_zone_without_a_result_is_zeroed_unless_there_is_no_result_at_all():
    batches = {"node-0": Batch(Quantity(1000), Quantity(G))}
    filled = updated_zones(ZONES, batches | {"node-1": batches["node-0"]}, None, 0.1)
    emptied = updated_zones(filled, batches, None, 0.1)
    values = [{one.name: str(one.allocatable) for one in zone.resources} for zone in emptied]
    assert [value[BATCH_CPU] for value in values] == ["1k", "0"]
    assert updated_zones(filled, {}, None, 0.1) == filled


def test_small_changes_of_a_zone_are_not_written():
    before = updated_zones(ZONES, {"node-0": Batch(Quantity(1000), Quantity(G))}, None, 0.1)
    after = updated_zones(before, {"node-0": Batch(Quantity(1100), Quantity(2 * G))}, None, 0.1)
    assert {one.name: str(one.available) for one in after[0].resources}[BATCH_CPU] == "1k"
    assert {one.name: str(one.available) for one in after[0].resources}[BATCH_MEMORY] == "2G"


@pytest.mark.parametrize(("age_minutes", "degraded"), [(0, False), (15, False), (15.1, True)])
def test_a_metric_degrades_when_it_is_older_than_the_limit(age_minutes, degraded):
    one = metric()
    assert is_degraded(one, strategy(), NOW + timedelta(minutes=age_minutes)) is degraded


def test_a_node_without_a_metric_is_degraded():
    assert is_degraded(from_json(NodeMetric, {}).status, strategy(), NOW)


MID_PODS = (pod("a", (20, "40G"), qos="LS", priority="koord-prod"), pod("b", (5, "5G"), priority="koord-batch"))


@pytest.mark.parametrize(
    ("policy", "node_use", "cpu", "memory_g"),
    [
        ({}, (20, "45G"), 10000, 15),
        (
            {
                "midReclaimMode": "static",
                "midStaticCPUReservedPercent": 10,
                "midStaticMemoryReservedPercent": 10,
                "midCPUThresholdPercent": 10,
                "midMemoryThresholdPercent": 20,
            },
            (20, "45G"),
            10000,
            21,
        ),
        (
            {
                "midReclaimMode": "static",
                "midStaticCPUReservedPercent": 100,
                "midStaticMemoryReservedPercent": 100,
                "midCPUThresholdPercent": 10,
                "midMemoryThresholdPercent": 20,
            },
            (20, "45G"),
            10000,
            42,
        ),
        ({"midUnallocatedPercent": 10}, (20, "45G"), 18000, 31),
        ({}, None, 0, 0),
    ],
)
def test_mid_is_what_prod_pods_will_not_use_and_a_share_of_the_unallocated(policy, node_use, cpu, memory_g):
    one = metric(
        system=(0, "0"),
        nodeMetric={"nodeUsage": {"resources": amounts(*node_use) if node_use else {"memory": "45G"}}},
        prodReclaimableMetric={"resource": {"resources": amounts(10, "15G")}},
    )
    found = mid(node((100, "210G"), (100, "200G")), one, live_demands(MID_PODS), strategy(**policy))
    assert (found.cpu.value(), found.memory.value()) == (cpu, memory_g * G)


def test_mid_without_a_reclaimable_metric_is_zero():
    found = mid(node(), metric(), live_demands(MID_PODS), strategy())
    assert (found.cpu.value(), found.memory.value()) == (0, 0)


def test_third_parties_reduce_what_the_node_shows_and_the_origin_keeps_it():
    third = (
        '{"allocations":[{"name":"yarn","priority":"koord-batch","resources":'
        '{"kubernetes.io/batch-cpu":"10000","kubernetes.io/batch-memory":"10Gi"}},'
        '{"name":"x","priority":"koord-mid","resources":{"kubernetes.io/batch-cpu":"1"}}]}'
    )
    of_node = node(annotations={"node.koordinator.sh/thirdPartyAllocations": third})
    published = with_batch(of_node, Batch(Quantity(50000), Quantity.parse("120Gi")), None)
    assert str(published.node.status.allocatable[BATCH_CPU]) == "40k"
    assert str(published.node.status.capacity[BATCH_MEMORY]) == "110Gi"
    assert published.node.metadata.annotations["node.koordinator.sh/originExtendedAllocatable"] == (
        '{"resources":{"kubernetes.io/batch-cpu":"50k","kubernetes.io/batch-memory":"120Gi"}}'
    )
    assert BATCH_CPU not in of_node.status.allocatable


def test_an_unreadable_list_of_third_parties_takes_nothing_off_and_is_named():
    of_node = node(annotations={"node.koordinator.sh/thirdPartyAllocations": "{broken"})
    published = with_batch(of_node, Batch(Quantity(5), Quantity(6)), None)
    assert str(published.node.status.allocatable[BATCH_CPU]) == "5"
    assert "Node n: metadata.annotations[node.koordinator.sh/thirdPartyAllocations]: found" in str(published.error)


def test_degraded_resources_are_removed():
    published = with_batch(node(), Batch(Quantity(5), Quantity(6)), None).node
    removed = with_mid(with_batch(published, None, None).node, None)
    assert sorted(removed.status.allocatable) == ["cpu", "memory"]


def test_a_faster_cpu_has_more_batch_cpu():
    published = with_batch(node(), Batch(Quantity(25000), Quantity(1)), parse_ratio("1.20")).node
    assert published.status.allocatable[BATCH_CPU].value() == 30000
    assert normalized(Quantity(7), 0.9) == Quantity(7)
    assert with_batch(node(), Batch(Quantity(7), Quantity(1)), 1.1).node.status.allocatable[BATCH_CPU] == Quantity(8)


@pytest.mark.parametrize(
    ("old", "new", "differs"),
    [
        ("1.20", "1.21", False),
        ("1.00", "1.21", True),
        ("1.21", "1.00", True),
        (None, "1.00", True),
        ("1.00", None, True),
        (None, None, False),
        ("bad", "1.00", True),
        ("-1", "bad", True),
        ("1.00", "bad", False),
        (None, "bad", False),
    ],
)
def test_a_new_ratio_is_written_when_it_differs_enough(old, new, differs):
    assert ratio_differs(old, new) is differs


def test_a_status_is_due_without_a_record_and_after_the_period():
    same = node()
    assert sync_need(same, same, 0.1, 300, None).status_needed
    assert sync_need(same, same, 0.1, 300, 301).status_needed
    assert not sync_need(same, same, 0.1, 300, 300).status_needed
    changed = with_batch(same, Batch(Quantity(1), Quantity(1)), None).node
    assert sync_need(same, changed, 0.1, 300, 1).status == {
        "MidResource": False,
        "BatchResource": True,
        "GPUDeviceResource": False,
        "RDMADeviceResource": False,
    }


@given(st.integers(0, 10**15), st.integers(0, 10**15), st.floats(0.001, 1))
def test_no_change_is_never_a_difference_and_a_difference_exceeds_the_share(old, new, threshold):
    assert not is_different(Quantity(old), Quantity(old), threshold)
    if is_different(Quantity(old), Quantity(new), threshold):
        assert abs(new - old) * 1000 > float(old * 1000) * threshold
