"""Nothing unknown is lost on a PUT: generated objects of every kind with extra fields at every depth."""

import copy
import os
from datetime import UTC, datetime, timedelta, timezone

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from koord.api.base import Record
from koord.api.codec import decode, decode_for_update, encode
from koord.api.duration import Duration
from koord.api.kinds import BUILT_IN, CUSTOM
from koord.api.meta import ObjectMeta
from koord.api.quantity import Quantity
from koord.api.scheduling.device import Device
from koord.api.scheduling.podmigrationjob import PodMigrationJob
from koord.api.scheduling.reservation import Reservation, ReservationOwner
from koord.api.slo.nodeslo import NodeSLO
from koord.api.slo.threshold import ResourceThresholdStrategy
from koord.api.typeinfo import Shape, TypeInfo, describe, fields_of

EXAMPLES = 300 if os.environ.get("KOORD_SOAK") else 8
JSON = st.sampled_from([None, True, 0, -7, 1.5, "", "text", [], {}, [None, {"a": []}], {"deep": [{"er": {"x": None}}]}])
EXTRA = st.dictionaries(st.sampled_from(["zUnknown", "zzOther"]), JSON, max_size=2)
SCALARS = {
    Shape.STRING: st.text(max_size=8),
    Shape.INT_OR_STRING: st.integers(0, 2**31 - 1) | st.text(max_size=5),
    Shape.INTEGER: st.integers(-(2**31), 2**31 - 1),
    Shape.BOOLEAN: st.booleans(),
    Shape.TIME: st.sampled_from(["2026-11-30T13:00:00Z", "2026-11-30T13:00:00.123456Z", "2026-11-30T15:00:00+02:00"]),
    Shape.QUANTITY: st.sampled_from(["1", "1000m", "1.5Gi", "0", "0.1", 3, "1e3"]),
    Shape.DURATION: st.sampled_from(["24h", "5m0s", "0s", "1.5s"]),
    Shape.ANY: JSON,
}


@st.composite
def documents(draw, info: TypeInfo, depth: int = 0):
    """JSON that the type can hold, sometimes with nulls, with unknown fields in each of its objects."""
    if info.shape is Shape.STRUCT:
        fields = fields_of(info.struct)
        keys = [field.key for field in fields]
        chosen = draw(st.sets(st.sampled_from(keys), max_size=4)) if keys and depth < 7 else ()
        document = draw(EXTRA)
        for field in fields:
            if field.required or field.key in chosen:
                null = draw(st.integers(0, 5)) == 0
                document[field.key] = None if null else draw(documents(field.type, depth + 1))
        return document
    if info.shape is Shape.LIST:
        return [draw(documents(info.item, depth + 1)) for _ in range(draw(st.integers(0, 2)))]
    if info.shape is Shape.MAP:
        return {key: draw(documents(info.item, depth + 1)) for key in draw(st.sets(st.text(max_size=4), max_size=2))}
    return draw(SCALARS[info.shape])


@pytest.mark.parametrize("kind", [*CUSTOM, *BUILT_IN], ids=lambda kind: kind.__name__)
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_a_put_of_a_changed_object_differs_in_the_changed_field_alone(kind, data):
    document = data.draw(documents(describe(kind)))
    document |= {"apiVersion": "a/v1", "kind": "K"}
    if not isinstance(document.get("metadata"), dict):
        document["metadata"] = {}
    record = decode_for_update(kind, orjson.dumps(document))
    assert orjson.loads(encode(record)) == document
    record.metadata.name = "changed"
    assert orjson.loads(encode(record)) == document | {"metadata": document["metadata"] | {"name": "changed"}}
    assert orjson.loads(encode(copy.deepcopy(record))) == orjson.loads(encode(record))


def test_unknown_fields_follow_their_element_when_a_list_is_reordered():
    record = decode_for_update(
        Reservation,
        b'{"spec":{"template":{},"owners":[{"object":{"name":"a","new":1},"x":1},{"object":{"name":"b"},"x":2}]}}',
    )
    first, second = record.spec.owners
    record.spec.owners = [second, ReservationOwner(object=first.object), first]
    assert orjson.loads(encode(record))["spec"]["owners"] == [
        {"object": {"name": "b"}, "x": 2},
        {"object": {"name": "a", "new": 1}},
        {"object": {"name": "a", "new": 1}, "x": 1},
    ]


def test_a_cleared_field_disappears_and_an_explicit_zero_that_stands_stays():
    record = decode_for_update(
        NodeSLO,
        b'{"spec":{"resourceUsedThresholdWithBE":{"enable":false,"cpuSuppressPolicy":"","memoryEvictLowerPercent":1}}}',
    )
    record.spec.resource_used_threshold_with_be.memory_evict_lower_percent = None
    assert orjson.loads(encode(record))["spec"] == {
        "resourceUsedThresholdWithBE": {"enable": False, "cpuSuppressPolicy": ""}
    }
    record.spec.resource_used_threshold_with_be = None
    assert orjson.loads(encode(record))["spec"] == {}


def test_a_pointer_to_zero_is_written_and_a_plain_zero_is_not():
    strategy = ResourceThresholdStrategy(enable=False, cpu_suppress_min_percent=0, cpu_suppress_policy="")
    record = NodeSLO()
    record.spec.resource_used_threshold_with_be = strategy
    assert orjson.loads(encode(record)) == {
        "apiVersion": "slo.koordinator.sh/v1alpha1",
        "kind": "NodeSLO",
        "spec": {"resourceUsedThresholdWithBE": {"enable": False, "cpuSuppressMinPercent": 0}},
    }


def test_an_unchanged_value_keeps_its_text_and_a_changed_one_is_canonical():
    record = decode_for_update(
        Reservation,
        b'{"spec":{"template":{},"owners":[],"ttl":"24h","expires":"2026-12-02T02:00:00+02:00"},'
        b'"status":{"allocatable":{"cpu":"1000m","memory":1024},"allocated":{"cpu":"1000m"}}}',
    )
    unchanged = orjson.loads(encode(record))
    assert unchanged["spec"]["ttl"] == "24h"
    assert unchanged["spec"]["expires"] == "2026-12-02T02:00:00+02:00"
    assert unchanged["status"]["allocatable"] == {"cpu": "1000m", "memory": 1024}
    record.spec.ttl = Duration.parse("48h")
    record.spec.expires = datetime(2026, 12, 3, 1, 30, 0, 999999, tzinfo=timezone(timedelta(hours=1)))
    record.status.allocated["cpu"] = Quantity.parse("1500m") + Quantity.parse("500m")
    changed = orjson.loads(encode(record))
    assert changed["spec"]["ttl"] == "48h0m0s"
    assert changed["spec"]["expires"] == "2026-12-03T00:30:00Z"
    assert changed["status"]["allocated"] == {"cpu": "2"}


def test_an_object_that_carries_nothing_is_not_written_over_the_one_on_the_server():
    record = decode(Device, b'{"metadata":{"name":"n","resourceVersion":"7"},"spec":{"unknown":1}}')
    with pytest.raises(TypeError, match="decode_for_update"):
        encode(record)


def test_a_new_object_is_written_with_its_kind_and_required_fields():
    record = Device(metadata=ObjectMeta(name="n", creation_timestamp=datetime(2026, 1, 1, tzinfo=UTC)))
    assert orjson.loads(encode(record)) == {
        "apiVersion": "scheduling.koordinator.sh/v1alpha1",
        "kind": "Device",
        "metadata": {"name": "n", "creationTimestamp": "2026-01-01T00:00:00Z"},
    }


def test_a_copy_of_a_record_carries_the_same_document():
    record = decode_for_update(PodMigrationJob, b'{"spec":{"podRef":{"name":"a","new":1},"more":2},"x":3}')
    for copied in (copy.copy(record), copy.deepcopy(record)):
        assert isinstance(copied, Record)
        assert encode(copied) == encode(record)
