"""A control plane for the whole session, and what each test gets of it."""

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from itertools import count

import pytest

from koord.kube.client import KubeClient
from tests.e2e import build
from tests.e2e.cluster import Cluster
from tests.e2e.faultproxy import NO_FAULTS, FaultProxy, Plan

StartProxy = Callable[..., Awaitable[FaultProxy]]
_numbers = count(1)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """The running control plane with Koord's kinds."""
    if not build.is_built():
        # Building takes minutes, which are not the first test's: `make test` has it as a step of its own.
        if shutil.which("go") is None:
            pytest.skip("building the control plane needs Go")
        pytest.fail("build the control plane first: python -m tests.e2e.build")
    with Cluster() as running:
        running.apply_crds()
        yield running


@pytest.fixture
async def client(cluster: Cluster) -> AsyncIterator[KubeClient]:
    """A client that may do everything."""
    async with KubeClient(cluster.admin) as made:
        yield made


@pytest.fixture
async def namespace(client: KubeClient) -> AsyncIterator[str]:
    """A namespace of the test's own; deleted with all that is in it."""
    name = f"test-{os.getpid()}-{next(_numbers)}"
    await client.post("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    yield name
    await client.request("DELETE", f"/api/v1/namespaces/{name}")


@pytest.fixture
async def proxy(cluster: Cluster) -> AsyncIterator[StartProxy]:
    """Starts fault proxies in front of the API server."""
    started: list[FaultProxy] = []

    async def start(plan: Plan = NO_FAULTS, seed: int = 0) -> FaultProxy:
        made = FaultProxy(cluster.port, cluster.server_certificate("proxy"), cluster.ca, cluster.admin_pair, plan, seed)
        await made.__aenter__()
        started.append(made)
        return made

    yield start
    for made in started:
        await made.__aexit__()
