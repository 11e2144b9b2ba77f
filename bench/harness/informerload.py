"""Loads what a server has and says what that cost: `python -m bench.harness.informerload (list|store|size) KUBECONFIG`.

A process of its own, so that its memory is that of the measured thing alone.
"""

import asyncio
import gc
import os
import resource
import sys
import time
from pathlib import Path

import orjson

from koord.api.codec import decode
from koord.api.core.nodeview import NodeView
from koord.api.core.podview import PodView
from koord.api.meta import RawList
from koord.kube.client import KubeClient
from koord.kube.credentials import Kubeconfig
from koord.kube.informer import Informer, running
from koord.kube.listing import list_all


async def timed_list(client: KubeClient) -> dict[str, float]:
    """Seconds to list and decode all pods, and the peak of memory above what the process had before."""
    await client.request("GET", "/api/v1/nodes", query={"limit": "1"})
    before, start, cpu = _peak_bytes(), time.perf_counter(), time.process_time()
    listing = await list_all(client, PodView)
    took, cpu_took = time.perf_counter() - start, time.process_time() - cpu
    return {"seconds": took, "cpu": cpu_took, "pods": len(listing.items), "peak_bytes": _peak_bytes() - before}


async def filled_store(client: KubeClient) -> dict[str, float]:
    """Seconds until pods and nodes are in the stores of informers, and the memory of the process then."""
    start = time.perf_counter()
    pods = Informer(client, PodView, indexes={"node": lambda pod: (pod.spec.node_name,)})
    nodes = Informer(client, NodeView)
    async with running(pods, nodes):
        took = time.perf_counter() - start
        gc.collect()
        return {"seconds": took, "pods": len(pods.store), "nodes": len(nodes.store), "bytes": _held_bytes()}


async def listed_bytes(client: KubeClient) -> dict[str, float]:
    """The size of all pods as the server sends them."""
    size, query = 0, dict[str, str]()
    while True:
        page = await client.request("GET", PodView.RESOURCE.path(), query=query)
        size += len(page)
        token = decode(RawList, page).metadata.continue_
        if not token:
            return {"bytes": size}
        query["continue"] = token


def _held_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


async def _measure(what: str, kubeconfig: str) -> dict[str, float]:
    async with KubeClient(Kubeconfig(kubeconfig)) as client:
        return await MEASURES[what](client)


MEASURES = {"list": timed_list, "store": filled_store, "size": listed_bytes}

if __name__ == "__main__":
    print(orjson.dumps(asyncio.run(_measure(sys.argv[1], sys.argv[2]))).decode())
