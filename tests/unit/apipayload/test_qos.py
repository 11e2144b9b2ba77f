"""QoS and priority classes: the table of the rules."""

import pytest

from koord.api.qos import (
    KubernetesQoS,
    PriorityClass,
    QoSClass,
    class_value,
    default_priority_class,
    default_priority_value,
    default_qos,
    kubernetes_qos,
    may_combine,
    priority_class_of_value,
    raw_priority_class,
    raw_qos,
    resource_name,
    sub_priority,
)
from koord.api.quantity import Quantity

G, B, E = KubernetesQoS.GUARANTEED, KubernetesQoS.BURSTABLE, KubernetesQoS.BEST_EFFORT
PROD, MID, BATCH, FREE, NONE = (
    PriorityClass.PROD,
    PriorityClass.MID,
    PriorityClass.BATCH,
    PriorityClass.FREE,
    PriorityClass.NONE,
)
QOS = "koordinator.sh/qosClass"
CLASS = "koordinator.sh/priority-class"


@pytest.mark.parametrize(
    ("labels", "kubernetes", "raw", "default"),
    [
        ({QOS: "LSE"}, E, "LSE", "LSE"),
        ({QOS: "LSR"}, E, "LSR", "LSR"),
        ({QOS: "LS"}, G, "LS", "LS"),
        ({QOS: "BE"}, G, "BE", "BE"),
        ({QOS: "SYSTEM"}, B, "SYSTEM", "SYSTEM"),
        ({QOS: "be"}, G, "", "LSR"),
        ({QOS: ""}, B, "", "LS"),
        ({}, G, "", "LSR"),
        ({}, B, "", "LS"),
        ({}, E, "", "BE"),
    ],
)
def test_qos_class_is_the_labels_and_else_follows_from_the_kubernetes_class(labels, kubernetes, raw, default):
    assert raw_qos(labels) == raw
    assert default_qos(labels, kubernetes) == default


@pytest.mark.parametrize(
    ("priority", "expected"),
    [
        (None, NONE),
        (0, NONE),
        (-1, NONE),
        (2999, NONE),
        (3000, FREE),
        (3999, FREE),
        (4000, NONE),
        (4999, NONE),
        (5000, BATCH),
        (5999, BATCH),
        (6000, NONE),
        (6999, NONE),
        (7000, MID),
        (7999, MID),
        (8000, NONE),
        (8999, NONE),
        (9000, PROD),
        (9999, PROD),
        (10000, NONE),
        (2000000000, NONE),
    ],
)
def test_bands_of_priorities_are_inclusive_and_their_gaps_are_class_none(priority, expected):
    assert priority_class_of_value(priority) is expected


@pytest.mark.parametrize(
    ("labels", "priority", "expected"),
    [
        ({}, 9500, PROD),
        ({CLASS: "koord-batch"}, 9500, BATCH),
        ({CLASS: "koord-mid"}, None, MID),
        ({CLASS: ""}, 9500, NONE),
        ({CLASS: "prod"}, 9500, NONE),
        ({CLASS: "koord-free"}, 5500, FREE),
    ],
)
def test_the_priority_class_label_wins_over_the_number_whatever_it_says(labels, priority, expected):
    assert raw_priority_class(labels, priority) is expected


@pytest.mark.parametrize(
    ("labels", "priority", "kubernetes", "expected", "value"),
    [
        ({}, None, E, BATCH, 5500),
        ({}, None, B, PROD, 9500),
        ({}, None, G, PROD, 9500),
        ({QOS: "SYSTEM"}, None, E, PROD, 9500),
        ({QOS: "LSE"}, 0, E, PROD, 9500),
        ({QOS: "LS"}, 7100, E, MID, 7100),
        ({QOS: "BE"}, 6500, E, BATCH, 6500),
        ({CLASS: "koord-free"}, None, B, FREE, 3500),
        ({CLASS: "koord-free"}, 9100, B, FREE, 9100),
        ({CLASS: "unknown"}, 9500, E, BATCH, 9500),
    ],
)
def test_class_and_value_with_default_fall_back_on_the_qos_class(labels, priority, kubernetes, expected, value):
    assert default_priority_class(labels, priority, kubernetes) is expected
    assert default_priority_value(labels, priority, kubernetes) == value


def test_every_class_has_its_number():
    assert [class_value(one) for one in (PROD, MID, BATCH, FREE, NONE)] == [9500, 7500, 5500, 3500, 0]


@pytest.mark.parametrize(
    ("qos", "allowed"),
    [
        (QoSClass.LSE, {PROD, MID, BATCH, FREE, NONE}),
        (QoSClass.LSR, {PROD}),
        (QoSClass.LS, {PROD, MID, BATCH, FREE, NONE}),
        (QoSClass.BE, {MID, BATCH, FREE}),
        (QoSClass.SYSTEM, {PROD, MID, BATCH, FREE, NONE}),
        (QoSClass.NONE, {PROD, MID, BATCH, FREE, NONE}),
    ],
)
def test_admission_refuses_exactly_the_forbidden_pairs(qos, allowed):
    assert {priority for priority in PriorityClass if may_combine(qos, priority)} == allowed


@pytest.mark.parametrize(
    ("priority", "cpu", "memory"),
    [
        (PROD, "cpu", "memory"),
        (NONE, "cpu", "memory"),
        (MID, "kubernetes.io/mid-cpu", "kubernetes.io/mid-memory"),
        (BATCH, "kubernetes.io/batch-cpu", "kubernetes.io/batch-memory"),
        (FREE, "", ""),
    ],
)
def test_resource_names_follow_the_class(priority, cpu, memory):
    assert (resource_name("cpu", priority), resource_name("memory", priority)) == (cpu, memory)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("7", 7), ("-3", -3), ("0x10", None), ("", None), ("1.5", None), ("99999999999999999999", None)],
)
def test_sub_priority_is_a_plain_decimal_number(text, expected):
    assert sub_priority({"koordinator.sh/priority": text}) == expected


def test_sub_priority_without_label_is_none():
    assert sub_priority({}) is None


def amounts(**by_name):
    return {name: Quantity.parse(text) for name, text in by_name.items()}


@pytest.mark.parametrize(
    ("containers", "expected"),
    [
        ([], E),
        ([({}, {})], E),
        ([(amounts(cpu="0"), amounts(memory="0"))], E),
        ([({"nvidia.com/gpu": Quantity(1)}, {"nvidia.com/gpu": Quantity(1)})], E),
        ([(amounts(cpu="1", memory="1Gi"), amounts(cpu="1", memory="1Gi"))], G),
        ([(amounts(cpu="1000m", memory="1024Mi"), amounts(cpu="1", memory="1Gi"))], G),
        ([(amounts(cpu="1", memory="1Gi"), amounts(cpu="2", memory="1Gi"))], B),
        ([(amounts(cpu="1"), amounts(cpu="1"))], B),
        ([({}, amounts(cpu="1", memory="1Gi"))], B),
        ([(amounts(cpu="1", memory="1Gi"), amounts(cpu="1", memory="1Gi")), ({}, {})], B),
        ([(amounts(memory="1Gi"), {})], B),
    ],
)
def test_kubernetes_qos_class_follows_from_cpu_and_memory_of_all_containers(containers, expected):
    assert kubernetes_qos(containers) is expected
