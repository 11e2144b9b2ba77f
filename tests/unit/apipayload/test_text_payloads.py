"""Labels and annotations that hold plain texts."""

import pytest

from koord.api.payloads.payload import Place
from koord.api.payloads.registry import PAYLOADS

S = "scheduling.koordinator.sh/"
N = "node.koordinator.sh/"
K = "koordinator.sh/"
Q = "quota.scheduling.koordinator.sh/"
G = "gang.scheduling.koordinator.sh/"
I = "internal.scheduling.koordinator.sh/"  # noqa: E741


@pytest.mark.parametrize(
    ("place", "key", "text", "value", "written"),
    [
        ("labels", f"{K}qosClass", "LSR", "LSR", "LSR"),
        ("labels", f"{K}priority-class", "koord-mid", "koord-mid", "koord-mid"),
        ("labels", f"{K}priority", "9100", 9100, "9100"),
        ("labels", f"{S}preemption-policy", "Never", "Never", "Never"),
        ("labels", f"{S}disable-preemptible", "True", False, "false"),
        ("labels", f"{K}core-sched-group-id", "", "", ""),
        ("labels", f"{K}core-sched-policy", "", "", ""),
        ("labels", f"{K}core-sched-policy", "exclusive", "exclusive", "exclusive"),
        ("annotations", f"{K}oom-score-adj", "-1000", -1000, "-1000"),
        ("labels", f"{K}eviction-enabled", "true", True, "true"),
        ("annotations", f"{K}eviction-priority", "-5", -5, "-5"),
        (
            "annotations",
            "pod.koordinator.sh/replace-resources",
            " cpu : x ,bad,a:b:c,m:",
            (("cpu", "x"), ("m", "")),
            "cpu:x,m:",
        ),
        ("labels", f"{N}cpu-bind-policy", "FullPCPUsOnly", "FullPCPUsOnly", "FullPCPUsOnly"),
        ("labels", f"{N}numa-allocate-strategy", "MostAllocated", "MostAllocated", "MostAllocated"),
        ("labels", f"{N}numa-topology-policy", "", "", ""),
        ("labels", f"{N}gpu-partition-policy", "Honor", "Honor", "Honor"),
        ("labels", f"{N}secondary-device-well-planned", "false", False, "false"),
        ("annotations", f"{S}gpu-minors", "0,1", ("0", "1"), "0,1"),
        ("annotations", f"{S}bind-timestamp", "1767366245000000000", 1767366245000000000, "1767366245000000000"),
        ("labels", f"{S}reservation-order", "-2", -2, "-2"),
        ("labels", f"{S}operating-mode", "Reservation", "Reservation", "Reservation"),
        ("annotations", f"{G}min-available", "3", 3, "3"),
        ("annotations", f"{G}mode", "NonStrict", "NonStrict", "NonStrict"),
        ("annotations", f"{G}match-policy", "once-satisfied", "once-satisfied", "once-satisfied"),
        ("annotations", f"{G}network-topology-index", "0", 0, "0"),
        ("annotations", f"{I}bind-gang-group-id", "d/a,d/b", ("d/a", "d/b"), "d/a,d/b"),
        ("labels", f"{Q}allow-lent-resource", "no", True, "true"),
        ("labels", f"{Q}allow-lent-resource", "false", False, "false"),
        ("labels", f"{Q}preemptible", "false", False, "false"),
        ("labels", f"{Q}is-parent", "false", False, "false"),
        ("annotations", f"{N}cpu-normalization-ratio", "1.2", 1.2, "1.20"),
        ("labels", f"{N}cpu-normalization-enabled", "T", True, "true"),
        (
            "annotations",
            f"{N}resource-amplification-ratio",
            '{"memory":2.1,"cpu":1}',
            {"memory": 2.1, "cpu": 1.0},
            '{"cpu":1.00,"memory":2.10}',
        ),
        ("labels", f"{N}cpu-reclaim-ratio", "0.45", 0.45, "0.45"),
        ("annotations", f"{S}eviction-cost", "-7", -7, "-7"),
        ("annotations", f"{S}eviction-cost", "-07", -7, "-7"),
        ("annotations", f"{S}eviction-cost", "0", 0, "0"),
        ("labels", f"{K}evict-policy", "SoftEviction", "SoftEviction", "SoftEviction"),
        ("annotations", "descheduler.alpha.kubernetes.io/evict", "", True, "true"),
        ("annotations", f"{I}scheduling-hint", "", None, ""),
        ("annotations", f"{S}gpu-partitions", "", {}, "{}"),
    ],
)
def test_a_text_is_read_and_written_in_its_canonical_form(place, key, text, value, written):
    payload = PAYLOADS[Place(place), key]
    found = payload.parse(text, "object")
    assert found == value
    assert payload.format(found) == written
