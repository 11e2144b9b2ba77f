"""Never more evictions than needed."""

from koordlet.qos.eviction import Status, Target, Task, Victim, run

GIB = 1 << 30


def need(release: int, victims: dict[str, int], gate: str = "BEMemoryEvict", target: Target = Target.USED) -> Task:
    frees = [Victim(uid, {"memory": amount}) for uid, amount in victims.items()]
    return Task(gate, Status.TRIGGERED, target, {"memory": release}, frees)


def succeed(_uid: str, _task: Task) -> bool:
    return True


def test_one_victim_that_frees_enough_is_the_only_one():
    task = need(int(2.4 * GIB), {"a": 3 * GIB, "b": 3 * GIB, "c": 3 * GIB})
    assert run([task], [], succeed) == ["a"]


def test_a_victim_that_is_still_terminating_counts_as_released():
    task = need(int(2.4 * GIB), {"a": 3 * GIB, "b": 3 * GIB, "c": 3 * GIB})
    assert run([task], ["a"], succeed) == []


def test_a_refused_eviction_passes_on_to_the_next_victim():
    task = need(GIB, {"a": 3 * GIB, "b": 3 * GIB})
    assert run([task], [], lambda uid, _: uid != "a") == ["b"]


def test_nothing_is_evicted_when_every_eviction_is_refused():
    assert run([need(GIB, {"a": GIB, "b": GIB})], [], lambda *_: False) == []


def test_tasks_share_what_a_victim_frees():
    first = need(GIB, {"a": GIB})
    second = need(GIB, {"a": GIB, "b": GIB}, gate="MemoryEvict")
    assert run([first, second], [], succeed) == ["a"]


def test_a_gate_that_did_not_trigger_evicts_nobody():
    assert run([Task("BEMemoryEvict", Status.IDLE, victims=[Victim("a", {"memory": GIB})])], [], succeed) == []
