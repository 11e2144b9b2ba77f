"""Reading: nulls as Go reads them, errors that name object, path, found and allowed values."""

import msgspec
import pytest

from koord.api.codec import decode, from_json
from koord.api.core.pod import Pod
from koord.api.duration import Duration
from koord.api.errors import ValidationError
from koord.api.meta import Condition, LabelSelector, RawList
from koord.api.quantity import Quantity
from koord.api.scheduling.device import Device, DeviceTopology
from koord.api.scheduling.podmigrationjob import PodMigrationJob
from koord.api.scheduling.reservation import Reservation
from koord.api.slo.nodemetric import NodeMetric
from koord.api.slo.nodeslo import NodeSLO
from koord.api.topology.noderesourcetopology import NodeResourceTopologyV1alpha1


def test_null_equals_absent_for_every_kind_of_field():
    given = decode(
        NodeSLO,
        b'{"apiVersion":null,"kind":null,"metadata":null,"spec":{"resourceUsedThresholdWithBE":null,'
        b'"systemStrategy":{"schedFeatures":null,"totalNetworkBandwidth":null,"watermarkScaleFactor":null},'
        b'"hostApplications":null,"extensions":null,"cpuBurstStrategy":{"policy":null}},"status":null}',
    )
    assert given == decode(NodeSLO, b'{"spec":{"systemStrategy":{},"cpuBurstStrategy":{}}}')


def test_null_in_a_list_or_map_is_the_zero_value():
    metric = decode(
        NodeMetric,
        b'{"status":{"nodeMetric":{"nodeUsage":{"resources":{"cpu":null}},'
        b'"aggregatedNodeUsages":[null],"numaUsages":[null]}}}',
    )
    node = metric.status.node_metric
    assert node.node_usage.resources == {"cpu": Quantity.parse("0")}
    assert node.aggregated_node_usages[0].usage == {}
    assert node.numa_usages[0].numa_node_id == 0


def test_an_absent_required_field_is_read_as_its_zero_value():
    topology = decode(NodeResourceTopologyV1alpha1, b'{"zones":[{"name":"node-0","resources":[{"name":"cpu"}]}]}')
    assert topology.topology_policies == []
    assert topology.zones[0].type == ""
    assert topology.zones[0].resources[0].capacity == Quantity.parse("0")
    condition = decode(Condition, b"{}")
    assert condition.last_transition_time.year == 1
    assert decode(DeviceTopology, b"{}") == DeviceTopology(socket_id=0, node_id=0, pcie_id="")


def test_items_of_a_list_get_the_kind_that_lists_leave_out():
    pod = decode(Pod, b'{"metadata":{"name":"a"},"spec":{"containers":[]}}')
    assert (pod.api_version, pod.kind, pod.subject) == ("v1", "Pod", "Pod a")


def test_one_broken_item_of_a_list_does_not_break_the_others():
    listed = decode(
        RawList, b'{"metadata":{"resourceVersion":"5","continue":"x"},"items":[{"metadata":{"name":1}},{}]}'
    )
    assert (listed.metadata.resource_version, listed.metadata.continue_) == ("5", "x")
    with pytest.raises(ValidationError):
        decode(Device, listed.items[0])
    assert decode(Device, listed.items[1]) == Device()
    assert decode(RawList, b'{"items":null}').items == ()


OBJECT = b'{"metadata":{"namespace":"ns","name":"n"},"spec":%s}'
BROKEN = [
    (Pod, b'{"containers":[{"name":"c","resources":{"limits":{"cpu":"1 Gi"}}}]}',
     "spec.containers[0].resources.limits[cpu]", "1 Gi", "a decimal number with a suffix"),
    (Reservation, b'{"template":{},"owners":[],"ttl":"1 day"}', "spec.ttl", "1 day", "numbers with a unit"),
    (Reservation, b'{"template":{},"owners":{}}', "spec.owners", {}, "`array`"),
    (Reservation, b'{"template":{},"owners":[],"expires":"today"}', "spec.expires", "today", "RFC3339"),
    (PodMigrationJob, b'{"podRef":{"name":7}}', "spec.podRef.name", 7, "`str`"),
    (Device, b'{"devices":[{"minor":2147483648}]}', "spec.devices[0].minor", 2147483648, "<= 2147483647"),
    (Device, b'{"devices":[{},{"labels":{"a":"b","c":5}}]}', "spec.devices[1].labels[c]", 5, "`str`"),
    (NodeSLO, b'{"cpuBurstStrategy":{"cpuBurstPercent":1.5}}', "spec.cpuBurstStrategy.cpuBurstPercent", 1.5, "`int"),
    (NodeSLO, b"7", "spec", 7, "`object"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "spec", "path", "found", "allowed"), BROKEN)
def test_a_wrong_type_is_an_error_that_names_object_path_found_and_allowed(kind, spec, path, found, allowed):
    with pytest.raises(ValidationError) as raised:
        decode(kind, OBJECT % spec)
    error = raised.value
    assert (error.subject, error.path, error.found) == (f"{kind.__name__} ns/n", path, found)
    assert allowed in error.allowed
    assert str(error).startswith(f"{kind.__name__} ns/n: {path}: found ")


@pytest.mark.parametrize("data", [b"", b"{", b"nope", b'{"a":1}x', b'{"metadata":{"name":"\xff"}}', b"[]"])
def test_bytes_that_are_no_object_are_an_error(data):
    with pytest.raises(ValidationError):
        decode(Device, data)


def test_a_parsed_document_is_read_like_bytes():
    document = {"metadata": {"name": "n", "labels": None}, "spec": {"podRef": {"name": "p"}, "ttl": "1m"}}
    job = from_json(PodMigrationJob, document)
    assert job.spec.ttl == Duration.of(minutes=1)
    assert job == decode(PodMigrationJob, msgspec.json.encode(document))


def test_values_out_of_bounds_can_be_read_as_in_go():
    slo = decode(NodeSLO, b'{"spec":{"resourceUsedThresholdWithBE":{"cpuSuppressThresholdPercent":150}}}')
    assert slo.spec.resource_used_threshold_with_be.cpu_suppress_threshold_percent == 150


def test_a_value_is_shared_by_equality_not_identity():
    assert LabelSelector(match_labels={"a": "b"}) == decode(LabelSelector, b'{"matchLabels":{"a":"b"},"new":1}')
