"""P01: a network that is gone without a word is noticed, nothing is lost, and ending takes no longer than otherwise."""

import asyncio
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path

import orjson

from koord.api.core.configmap import ConfigMap
from koord.api.meta import ObjectMeta
from koord.kube.client import KubeClient
from koord.kube.informer import Informer, running
from koord.kube.objects import Selection
from koord.kube.reflector import WatchOptions
from tests.e2e.cluster import Cluster
from tests.e2e.conftest import StartProxy
from tests.e2e.mirror import Mirror

KOORD = str(Path(sys.executable).parent / "koord")
SILENCE_S = 3.0


async def put(client: KubeClient, namespace: str, *names: str) -> None:
    for name in names:
        await client.create(ConfigMap(metadata=ObjectMeta(name=name, namespace=namespace)))


async def test_a_stream_that_falls_silent_is_resumed_by_its_deadline_without_a_lost_change(
    cluster: Cluster, client: KubeClient, namespace: str, proxy: StartProxy
) -> None:
    gate = await proxy()
    options = WatchOptions(selection=Selection(namespace), silence_s=SILENCE_S, first_backoff_s=0.1)
    async with KubeClient(cluster.kubeconfig_behind(gate.address)) as behind:
        informer, mirror = Informer(behind, ConfigMap, options=options), Mirror[ConfigMap]("mirror")
        informer.add_handler(mirror)
        async with running(informer):
            await put(client, namespace, "before")
            gate.freeze()
            await put(client, namespace, "during-1", "during-2")
            gate.thaw()
            began = time.monotonic()
            async with asyncio.timeout(30):
                while len(mirror.copy) < 3:
                    await asyncio.sleep(0.02)
            assert time.monotonic() - began <= SILENCE_S + 3
            await client.delete(ConfigMap, "before", namespace)
            async with asyncio.timeout(5):
                while len(mirror.copy) > 2:
                    await asyncio.sleep(0.02)
            began = time.monotonic()
            gate.freeze()
        assert time.monotonic() - began < 1
    assert mirror.faults == []
    assert set(mirror.told.values()) == {1}


async def test_sigterm_ends_a_component_within_two_seconds_while_its_network_is_gone(
    cluster: Cluster, client: KubeClient, namespace: str, proxy: StartProxy
) -> None:
    gate = await proxy()
    config = cluster.kubeconfig_behind(gate.address)
    process = await asyncio.create_subprocess_exec(
        *[KOORD, "watch", "cm,all", "-n", namespace, "-o", "json", "--silence", str(SILENCE_S)],
        *["--kubeconfig", str(config.path)],
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    async with asyncio.timeout(30):
        assert (await process.stderr.readline()).startswith(b"ready: ")
        await put(client, namespace, "before")
        assert orjson.loads(await process.stdout.readline())["name"] == "before"
        gate.freeze()
        await put(client, namespace, "during")
        gate.thaw()
        assert orjson.loads(await process.stdout.readline())["name"] == "during"
        gate.freeze()
    await asyncio.sleep(0.5)
    began = time.monotonic()
    process.terminate()
    assert await process.wait() == 0
    assert time.monotonic() - began < 2
    assert await process.stderr.read() == b""


def test_the_standard_deadline_outlasts_the_servers_bookmarks_and_resumes_within_100_seconds() -> None:
    standard = WatchOptions()
    assert 60 < standard.silence_s < 100 - 2 * standard.first_backoff_s
    assert (standard.shortest_s, standard.longest_s) == (300, 600)
