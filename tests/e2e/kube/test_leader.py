"""Leader election on a real server."""

import asyncio
import time

import pytest

from koord.api.core.lease import Lease
from koord.kube.client import KubeClient
from koord.kube.leader import LeaderElector
from koord.kube.lease import LeaseSettings
from tests.e2e.cluster import Cluster
from tests.e2e.conftest import StartProxy
from tests.e2e.faultproxy import Fault, Plan


def settings(namespace: str, identity: str) -> LeaseSettings:
    return LeaseSettings(namespace, "leader", identity, duration_s=4, renew_deadline_s=2.5, retry_s=0.4)


async def holder(client: KubeClient, namespace: str) -> str | None:
    return (await client.get(Lease, "leader", namespace)).spec.holder_identity


async def test_one_of_two_leads_and_the_other_follows_at_once_when_it_gives_back(
    cluster: Cluster, client: KubeClient, namespace: str
) -> None:
    first = LeaderElector(cluster.admin, settings(namespace, "first"))
    second = LeaderElector(cluster.admin, settings(namespace, "second"))
    async with second_after(first, second):
        assert first.is_leader
        assert not second.is_leader
        assert await holder(client, namespace) == "first"
        began = time.monotonic()
        await first.__aexit__()
        async with asyncio.timeout(10):
            await second.acquired()
        assert time.monotonic() - began < 3
        assert not first.is_leader
        lease = await client.get(Lease, "leader", namespace)
        assert (lease.spec.holder_identity, lease.spec.lease_transitions) == ("second", 1)
    assert await holder(client, namespace) == ""


class second_after:  # noqa: N801 -- used like a function
    """Both candidacies, the first one leading; leaving ends the second."""

    def __init__(self, first: LeaderElector, second: LeaderElector) -> None:
        self._first, self._second = first, second

    async def __aenter__(self) -> None:
        await self._first.__aenter__()
        async with asyncio.timeout(10):
            await self._first.acquired()
        await self._second.__aenter__()

    async def __aexit__(self, *_: object) -> None:
        await self._second.__aexit__()


async def test_a_follower_takes_over_from_a_leader_that_is_cut_off_which_knows_it_before(
    cluster: Cluster, client: KubeClient, namespace: str, proxy: StartProxy
) -> None:
    gate = await proxy()
    behind = cluster.kubeconfig_behind(gate.address)
    cut_off = LeaderElector(behind, settings(namespace, "cut off"))
    follower = LeaderElector(cluster.admin, settings(namespace, "follower"))
    await cut_off.__aenter__()
    async with asyncio.timeout(10):
        await cut_off.acquired()
    async with follower:
        await asyncio.sleep(0.5)
        gate.freeze()
        async with asyncio.timeout(15):
            await follower.acquired()
            assert not cut_off.is_leader
            await cut_off.lost()
        assert await holder(client, namespace) == "follower"
    await cut_off.__aexit__()


async def test_a_busy_event_loop_does_not_lose_the_lease(cluster: Cluster, client: KubeClient, namespace: str) -> None:
    elector = LeaderElector(cluster.admin, settings(namespace, "busy"))
    async with elector:
        async with asyncio.timeout(10):
            await elector.acquired()
        before = (await client.get(Lease, "leader", namespace)).spec.renew_time
        end = time.monotonic() + 6
        while time.monotonic() < end:
            sum(range(1000))  # more than the lease lasts without giving way to anything on this loop
        assert elector.is_leader
        after = await client.get(Lease, "leader", namespace)
        assert after.spec.holder_identity == "busy"
        assert before is not None
        assert after.spec.renew_time is not None
        assert after.spec.renew_time > before


async def test_a_slow_api_server_does_not_lose_the_lease(cluster: Cluster, namespace: str, proxy: StartProxy) -> None:
    gate = await proxy()
    slow = LeaseSettings(namespace, "leader", "slow", duration_s=15, renew_deadline_s=10, retry_s=2)
    elector = LeaderElector(cluster.kubeconfig_behind(gate.address), slow)
    async with elector:
        async with asyncio.timeout(10):
            await elector.acquired()
        gate.latency_s = 2.0
        await asyncio.sleep(8)
        assert elector.is_leader
        gate.latency_s = 0.0


async def test_an_unreachable_server_is_waited_for(cluster: Cluster, namespace: str, proxy: StartProxy) -> None:
    gate = await proxy(Plan({Fault.REFUSE: 1.0}))
    elector = LeaderElector(cluster.kubeconfig_behind(gate.address), settings(namespace, "patient"))
    async with elector:
        await asyncio.sleep(1)
        assert not elector.is_leader
        gate.plan = Plan({Fault.NONE: 1.0})
        async with asyncio.timeout(10):
            await elector.acquired()


@pytest.mark.parametrize(("duration", "deadline", "retry"), [(10, 10.0, 2.0), (15, 2.0, 2.0), (15, 10.0, 0.0)])
def test_a_rhythm_that_cannot_work_is_refused(duration: int, deadline: float, retry: float) -> None:
    with pytest.raises(ValueError, match="lease ns/leader: found retry"):
        LeaseSettings("ns", "leader", "me", duration_s=duration, renew_deadline_s=deadline, retry_s=retry)
