"""Labels and annotations: what single keys do beyond reading and writing."""

from koord.api.payloads import devices, eviction, gang, node, qos, reservation, scheduler, topology

S = "scheduling.koordinator.sh/"
N = "node.koordinator.sh/"
K = "koordinator.sh/"
Q = "quota.scheduling.koordinator.sh/"
G = "gang.scheduling.koordinator.sh/"
I = "internal.scheduling.koordinator.sh/"  # noqa: E741


def test_a_missing_key_is_none_and_a_default_serves_for_missing_and_broken():
    assert qos.CPU_QOS.read({}, "Pod d/p") is None
    assert eviction.EVICTION_PRIORITY.read_or({}, "Pod d/p", 0) == (0, None)
    assert eviction.EVICTION_PRIORITY.read_or({"koordinator.sh/eviction-priority": "7"}, "Pod d/p", 0) == (7, None)
    value, error = eviction.EVICTION_PRIORITY.read_or({"koordinator.sh/eviction-priority": "high"}, "Pod d/p", 0)
    assert value == 0
    assert str(error) == (
        'Pod d/p: metadata.annotations[koordinator.sh/eviction-priority]: found "high", '
        "allowed a decimal integer (int32)"
    )


def test_an_empty_reservation_affinity_counts_as_present():
    value = reservation.RESERVATION_AFFINITY.read({f"{S}reservation-affinity": ""}, "Pod d/p")
    assert value == reservation.ReservationAffinity()


def test_empty_cpu_allocations_are_written_as_null():
    assert topology.POD_CPU_ALLOCS.format([]) == "null"


def test_keys_of_network_limits_match_without_regard_to_case():
    value = qos.NETWORK_QOS.parse('{"IngressLimit":"10M"}', "Pod d/p")
    assert value.ingress is not None
    assert value.ingress.value() == 10_000_000
    assert value.egress is None


def test_system_cpus_are_exclusive_unless_said_otherwise():
    assert node.SYSTEM_QOS_RESOURCE.parse('{"cpuset":"0"}', "Node n").exclusive
    assert not node.SYSTEM_QOS_RESOURCE.parse('{"cpuset":"0","cpusetExclusive":false}', "Node n").exclusive


def test_a_sync_barrier_holds_a_time_with_nanoseconds():
    barrier = scheduler.sync_barrier("koord-scheduler")
    assert barrier.key == "scheduling.koordinator.sh/sync-barrier-koord-scheduler"
    assert barrier.format(barrier.parse("2026-01-02T15:04:05.123456789Z", "Pod d/p")) == "2026-01-02T15:04:05.123456Z"
    assert barrier.format(barrier.parse("2026-01-02T15:04:05+01:00", "Pod d/p")) == "2026-01-02T14:04:05Z"


def test_gpu_partitions_are_keyed_by_the_number_of_cards():
    table = devices.GPU_PARTITIONS.parse('{"8":[{"minors":[0]}],"4":[]}', "Device n")
    assert sorted(table) == [4, 8]


def test_a_gang_waiting_time_is_written_as_go_writes_durations():
    assert gang.GANG_WAITING_TIME.format(gang.GANG_WAITING_TIME.parse("90s", "Pod d/p")) == "1m30s"
