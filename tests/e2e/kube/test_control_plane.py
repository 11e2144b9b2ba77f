"""The test cluster itself."""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import orjson

from koord.api.apps.deployment import Deployment
from koord.api.core.pod import Pod
from koord.kube.client import KubeClient
from tests.e2e.cluster import Cluster
from tests.e2e.nodes import SimulatedKubelets, add_node


def test_it_starts_within_15_seconds_and_leaves_nothing_behind(cluster: Cluster) -> None:
    assert cluster.started_in_s < 15
    with Cluster() as second:
        folder, processes = second.folder, [program.process.pid for program in second.programs]
        assert second.kubectl("get", "namespaces", "-o", "name").startswith("namespace/default")
    assert not folder.exists()
    assert [pid for pid in processes if Path(f"/proc/{pid}").exists()] == []


def test_it_dies_with_the_process_that_started_it() -> None:
    script = (
        "from tests.e2e.cluster import Cluster\nimport os, signal\nwith Cluster() as c:\n"
        " print(c.folder, *[p.process.pid for p in c.programs], flush=True)\n os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    folder, *processes = done.stdout.split()
    shutil.rmtree(folder)
    subprocess.run(["sleep", "1"], check=True)
    assert len(processes) == 3
    assert [pid for pid in processes if Path(f"/proc/{pid}/exe").exists()] == []


def test_client_and_server_have_the_same_version(cluster: Cluster) -> None:
    versions = orjson.loads(cluster.kubectl("version", "-o", "json"))
    assert versions["clientVersion"]["gitVersion"] == versions["serverVersion"]["gitVersion"] == "v1.35.4"
    assert versions["serverVersion"]["minor"] == "35"


async def test_kubernetes_own_scheduler_can_be_started_for_comparison(
    cluster: Cluster, client: KubeClient, namespace: str
) -> None:
    node = await add_node(client, f"node-of-{namespace}")
    pod = {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "main", "image": "web"}]}}
    await client.post(Pod.RESOURCE.path(namespace), {"apiVersion": "v1", "kind": "Pod"} | pod)
    cluster.start_scheduler()
    try:
        async with asyncio.timeout(30):
            while not (bound := (await client.get(Pod, "p", namespace)).spec.node_name):
                await asyncio.sleep(0.1)
        assert bound == node.metadata.name
    finally:
        cluster.stop_program("kube-scheduler")
        await client.request("DELETE", f"/api/v1/nodes/{node.metadata.name}")


async def test_a_deployment_runs_on_simulated_nodes_and_goes_with_its_namespace(
    cluster: Cluster, client: KubeClient, namespace: str
) -> None:
    node = await add_node(client, f"node-of-{namespace}", extended={"kubernetes.io/batch-cpu": "8000"})
    assert node.status.allocatable["kubernetes.io/batch-cpu"].milli_value() == 8_000_000
    template = {
        "metadata": {"labels": {"app": "web"}},
        "spec": {"nodeName": node.metadata.name, "containers": [{"name": "main", "image": "web"}]},
    }
    spec = {"replicas": 3, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    path = Deployment.RESOURCE.path(namespace)
    kubelets = asyncio.create_task(SimulatedKubelets(client).run())
    try:
        await client.post(
            path, {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}
        )
        async with asyncio.timeout(30):
            while (await client.get(Deployment, "web", namespace)).status.ready_replicas != 3:
                await asyncio.sleep(0.1)
        await client.delete(Deployment, "web", namespace, propagation="Foreground")
        pods = f"/api/v1/namespaces/{namespace}/pods"
        async with asyncio.timeout(30):
            while orjson.loads(await client.request("GET", pods))["items"]:
                await asyncio.sleep(0.1)
    finally:
        kubelets.cancel()
        await asyncio.gather(kubelets, return_exceptions=True)
        await client.request("DELETE", f"/api/v1/nodes/{node.metadata.name}")
