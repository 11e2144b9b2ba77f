"""`koord get` and `koord watch` with the rules of deploy/rbac: enough, and not more."""

import asyncio
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path

import orjson
import pytest
import yaml

from koord.api.meta import Object
from koord.cli import get
from koord.cli.kinds import kinds_named
from koord.kube.client import KubeClient
from tests.e2e import rbac
from tests.e2e.cluster import Cluster
from tests.e2e.rbac import Component, Permission
from tests.e2e.traffic import SPECS

KOORD = str(Path(sys.executable).parent / "koord")


def koord(viewer: Component, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [KOORD, *arguments, "--kubeconfig", str(viewer.kubeconfig)], capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def viewer(cluster: Cluster) -> Component:
    return rbac.install(cluster, "koord-viewer")


@pytest.fixture
async def samples(client: KubeClient, namespace: str) -> list[tuple[type[Object], str]]:
    """An object of each kind for which there is a specification."""
    made: list[tuple[type[Object], str]] = []
    for kind, spec in SPECS.items():
        name = f"sample-{namespace}"
        document = {"apiVersion": kind.RESOURCE.api_version, "kind": kind.RESOURCE.kind, "metadata": {"name": name}}
        await client.post(kind.RESOURCE.path(namespace), document | spec(7))
        made.append((kind, name))
    yield made
    for kind, name in made:
        await client.request("DELETE", kind.RESOURCE.path(namespace, name))


async def test_get_shows_objects_with_the_servers_columns(
    viewer: Component, namespace: str, samples: list[tuple[type[Object], str]]
) -> None:
    name = f"sample-{namespace}"
    done = await asyncio.to_thread(koord, viewer, "get", "reservations")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].split() == ["NAME", "PHASE", "AGE", "NODE", "TTL", "EXPIRES"]
    assert any(line.startswith(name) and "8h" in line for line in done.stdout.splitlines())
    done = await asyncio.to_thread(koord, viewer, "get", "podgroups", "-A")
    assert done.stdout.splitlines()[0].split()[:2] == ["NAMESPACE", "NAME"]
    for output, load in (("json", orjson.loads), ("yaml", yaml.safe_load)):
        done = await asyncio.to_thread(koord, viewer, "get", "reservation", name, "-o", output)
        assert load(done.stdout)["spec"]["ttl"] == "8h"
    done = await asyncio.to_thread(koord, viewer, "get", "pmj,nodeslo", "-o", "name")
    assert {f"podmigrationjob/{name}", f"nodeslo/{name}"} <= set(done.stdout.split())


async def test_watch_shows_which_fields_changed(
    viewer: Component, client: KubeClient, namespace: str, samples: list[tuple[type[Object], str]]
) -> None:
    process = await asyncio.create_subprocess_exec(
        *[KOORD, "watch", "all", "-A", "--kubeconfig", str(viewer.kubeconfig)],
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    async with asyncio.timeout(30):
        await process.stderr.readline()
        kind, name = next(sample for sample in samples if sample[0].RESOURCE.kind == "Reservation")
        await client.request(
            "PATCH",
            kind.RESOURCE.path("", name),
            body=b'{"spec":{"ttl":"9h"}}',
            media_type="application/merge-patch+json",
        )
        while b"spec.ttl" not in (line := await process.stdout.readline()):
            pass
        assert line.strip() == b'spec.ttl: "8h0m0s" -> "9h0m0s"'
    process.terminate()
    assert await process.wait() == 0


def test_what_it_may_not_see_is_said(viewer: Component) -> None:
    done = koord(viewer, "get", "pods", "-A")
    assert done.returncode == 1
    assert "403 Forbidden" in done.stderr
    assert viewer.refused() == ["list /api/v1/pods?limit=500"]


def test_wrong_use_is_told_apart_from_failure(viewer: Component) -> None:
    done = koord(viewer, "get", "bananas")
    assert done.returncode == 2
    assert "found 'bananas', allowed all, " in done.stderr
    assert koord(viewer, "get", "reservation", "absent").returncode == 1
    done = subprocess.run([KOORD, "get", "pmj", "--kubeconfig", "/absent"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "kubeconfig /absent: no such file" in done.stderr


def test_every_rule_is_used_and_no_other_is_missing(cluster: Cluster) -> None:
    viewer = rbac.install(cluster, "koord-viewer")
    cluster.audit_log.write_bytes(b"")
    for kind in kinds_named("all"):
        assert get.main([kind.RESOURCE.plural, "absent", "--kubeconfig", str(viewer.kubeconfig)]) == 1
    watching = [KOORD, "watch", "all", "-A", "--kubeconfig", str(viewer.kubeconfig)]
    with subprocess.Popen(watching, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        process.stderr.readline()
        subprocess.run(["sleep", "1"], check=True)
        process.terminate()
    assert viewer.refused() == []
    assert viewer.unused() == []


def test_a_rule_that_no_run_used_is_found(cluster: Cluster) -> None:
    viewer = rbac.install(cluster, "koord-viewer")
    cluster.audit_log.write_bytes(b"")
    koord(viewer, "get", "podgroups", "-A")
    unused = viewer.unused()
    assert Permission("list", "scheduling.sigs.k8s.io", "podgroups") not in unused
    assert Permission("watch", "scheduling.sigs.k8s.io", "podgroups") in unused
