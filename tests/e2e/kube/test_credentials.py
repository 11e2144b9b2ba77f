"""Tokens and certificates that change while a component runs, against a real server."""

import asyncio
import shutil
from pathlib import Path

import pytest
import yaml

from koord.api.core.configmap import ConfigMap
from koord.api.meta import ObjectMeta
from koord.kube import errors
from koord.kube.client import KubeClient
from koord.kube.credentials import Kubeconfig
from koord.kube.informer import Informer, running
from koord.kube.objects import Selection
from koord.kube.reflector import WatchOptions
from tests.e2e import rbac
from tests.e2e.certificates import Authority
from tests.e2e.cluster import Cluster

NODE_METRICS = "/apis/slo.koordinator.sh/v1alpha1/nodemetrics"


def token_kubeconfig(cluster: Cluster, folder: Path, ca: Path) -> Kubeconfig:
    path = cluster.client_kubeconfig(f"files-{folder.name}", {"tokenFile": str(folder / "token")})
    document = yaml.safe_load(path.read_text())
    document["clusters"][0]["cluster"]["certificate-authority"] = str(ca)
    path.write_text(yaml.safe_dump(document))
    return Kubeconfig(str(path))


async def test_a_replaced_token_is_used_from_the_next_request(cluster: Cluster, tmp_path: Path) -> None:
    viewer = rbac.install(cluster, "koord-viewer")
    good = yaml.safe_load(viewer.kubeconfig.read_text())["users"][0]["user"]["token"]
    (tmp_path / "token").write_text("not.a.token")
    async with KubeClient(token_kubeconfig(cluster, tmp_path, cluster.ca)) as client:
        with pytest.raises(errors.UnauthorizedError):
            await client.request("GET", NODE_METRICS)
        (tmp_path / "new").write_text(good + "\n")
        (tmp_path / "new").rename(tmp_path / "token")
        await asyncio.sleep(1.1)
        assert await client.request("GET", NODE_METRICS)


async def test_a_replaced_authority_is_trusted_from_the_next_request(cluster: Cluster, tmp_path: Path) -> None:
    viewer = rbac.install(cluster, "koord-viewer")
    token = yaml.safe_load(viewer.kubeconfig.read_text())["users"][0]["user"]["token"]
    (tmp_path / "token").write_text(token)
    (tmp_path / "other").mkdir()
    trusted = tmp_path / "ca.crt"
    shutil.copy(Authority(tmp_path / "other").certificate, trusted)
    async with KubeClient(token_kubeconfig(cluster, tmp_path, trusted)) as client:
        with pytest.raises(errors.UnreachableError, match="certificate verify failed"):
            await client.request("GET", NODE_METRICS)
        shutil.copy(cluster.ca, trusted)
        await asyncio.sleep(1.1)
        assert await client.request("GET", NODE_METRICS)


async def test_an_informer_goes_on_after_the_api_server_was_restarted(
    cluster: Cluster, client: KubeClient, namespace: str
) -> None:
    """The restarted server does not know the old version any more, so that this is also a real 410."""
    options = WatchOptions(selection=Selection(namespace), first_backoff_s=0.1, most_backoff_s=0.5)
    informer = Informer(client, ConfigMap, options=options)
    await client.create(ConfigMap(metadata=ObjectMeta(name="before", namespace=namespace)))
    async with running(informer):
        assert list(informer.store) == [f"{namespace}/before"]
        await asyncio.to_thread(cluster.stop_program, "kube-apiserver")
        with pytest.raises(errors.UnreachableError):
            await client.get(ConfigMap, "before", namespace)
        cluster.start_apiserver()
        await client.delete(ConfigMap, "before", namespace)
        await client.create(ConfigMap(metadata=ObjectMeta(name="after", namespace=namespace)))
        async with asyncio.timeout(20):
            while list(informer.store) != [f"{namespace}/after"]:
                await asyncio.sleep(0.05)
