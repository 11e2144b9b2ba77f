"""CPU suppression where no recorded round is."""

from hypothesis import given
from hypothesis import strategies as st

from koord.api.qos import QoSClass
from koord.api.slo.threshold import ResourceThresholdStrategy
from koordlet.qos.cpu_pick import Cpu, pick
from koordlet.qos.cpu_suppress import Bound, NodeCpus, Round, decide

CPUS = [Cpu(cpu, core=cpu // 2, socket=0, node=cpu // 4) for cpu in range(8)]


def node(bound: list[Bound]) -> Round:
    cpus = NodeCpus(8000, 8000, 0, CPUS, frozenset(), static_manager=False)
    return Round(cpus, 1.0, [], [], bound, frozenset(range(8)), -1)


def test_a_node_whose_every_cpu_is_exclusive_keeps_what_best_effort_work_has():
    decision = decide(node([Bound(QoSClass.LSE, frozenset(range(8)))]), ResourceThresholdStrategy(enable=True))
    assert decision.cpuset.best_effort is None
    assert "no CPUs" in decision.reason


@given(st.integers(0, 12), st.sets(st.sampled_from(CPUS)))
def test_exactly_the_wanted_cpus_come_from_the_pool_or_none(count: int, pool: set[Cpu]):
    picked = pick(count, pool)
    assert picked <= {each.cpu for each in pool}
    assert len(picked) == (count if count <= len(pool) else 0)


@given(st.permutations(CPUS), st.integers(0, 8))
def test_the_order_of_the_pool_does_not_matter(pool: list[Cpu], count: int):
    assert pick(count, pool) == pick(count, CPUS)
