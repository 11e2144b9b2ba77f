"""Metadata, times, JSON keys and paths."""

from datetime import UTC, datetime

import orjson
import pytest

from koord.api.base import json_key
from koord.api.codec import decode, decode_for_update, encode
from koord.api.core.lease import Lease, LeaseSpec
from koord.api.core.node import Node
from koord.api.core.nodeview import NodeView
from koord.api.core.pod import Pod
from koord.api.core.podview import PodView
from koord.api.kinds import BUILT_IN, CUSTOM, kind_of
from koord.api.meta import ObjectMeta, OwnerReference
from koord.api.sigs.podgroup import PodGroup

WHEN = datetime(2026, 11, 30, 13, 5, 7, 120000, tzinfo=UTC)


def test_a_time_is_written_in_whole_seconds_and_a_micro_time_with_six_digits():
    lease = Lease(metadata=ObjectMeta(name="l", creation_timestamp=WHEN), spec=LeaseSpec(renew_time=WHEN))
    written = orjson.loads(encode(lease))
    assert written["metadata"]["creationTimestamp"] == "2026-11-30T13:05:07Z"
    assert written["spec"]["renewTime"] == "2026-11-30T13:05:07.120000Z"


@pytest.mark.parametrize(
    ("text", "second"),
    [("2026-11-30T13:05:07Z", 7), ("2026-11-30T15:05:08+02:00", 8), ("2026-11-30T13:05:09.999999999Z", 10)],
)
def test_times_are_read_with_their_zone(text, second):
    meta = decode(ObjectMeta, orjson.dumps({"creationTimestamp": text}))
    assert meta.creation_timestamp.astimezone(UTC).replace(microsecond=0).second == second


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("api_version", "apiVersion"),
        ("uid", "uid"),
        ("pod_ips", "podIPs"),
        ("net_qos_policy", "netQOSPolicy"),
        ("resource_used_threshold_with_be", "resourceUsedThresholdWithBE"),
        ("continue_", "continue"),
        ("machine_id", "machineID"),
    ],
)
def test_keys_are_camel_case_with_initialisms(name, key):
    assert json_key(name) == key


def test_paths_of_collections_objects_and_subresources():
    assert Pod.RESOURCE.path() == "/api/v1/pods"
    assert Pod.RESOURCE.path("ns") == "/api/v1/namespaces/ns/pods"
    assert Pod.RESOURCE.path("ns", "a", "status") == "/api/v1/namespaces/ns/pods/a/status"
    assert Node.RESOURCE.path(name="n") == "/api/v1/nodes/n"
    assert PodGroup.RESOURCE.path("ns", "g") == "/apis/scheduling.sigs.k8s.io/v1alpha1/namespaces/ns/podgroups/g"


def test_kinds_are_found_by_api_version_and_name():
    assert kind_of("v1", "Pod") is Pod
    assert kind_of("v1", "Secret") is None
    assert len({kind.RESOURCE.path() for kind in (*CUSTOM, *BUILT_IN)}) == len(CUSTOM) + len(BUILT_IN)


def test_the_controller_is_the_owner_that_manages():
    owner = OwnerReference(api_version="apps/v1", kind="ReplicaSet", name="r", uid="u", controller=True)
    other = OwnerReference(api_version="v1", kind="Node", name="n", uid="v")
    meta = ObjectMeta(name="p", namespace="ns", owner_references=[other, owner])
    assert meta.controller is owner
    assert meta.key == "ns/p"


def test_a_view_holds_the_same_values_as_the_whole_object():
    data = b"""{"metadata":{"name":"p","namespace":"ns","labels":null,"managedFields":[{}]},"spec":{"nodeName":"n",
    "containers":[{"name":"c","resources":{"requests":{"cpu":"1500m"}}}],"tolerations":[{"key":"k","operator":"Exists"}]},
    "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastProbeTime":null}]}}"""
    view, whole = decode(PodView, data), decode_for_update(Pod, data)
    assert view.metadata.key == whole.metadata.key
    assert view.spec.containers[0].resources.requests == whole.spec.containers[0].resources.requests
    assert list(view.spec.tolerations) == whole.spec.tolerations
    assert view.status.conditions[0].type == whole.status.conditions[0].type
    with pytest.raises(AttributeError):
        view.spec.node_name = "m"


def test_a_view_of_a_node_reads_null_lists():
    view = decode(NodeView, b'{"metadata":{"name":"n"},"spec":{"taints":null},"status":{"allocatable":{"cpu":"4"}}}')
    assert view.spec.taints == ()
    assert view.status.allocatable["cpu"].milli_value() == 4000
