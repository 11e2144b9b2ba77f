"""Quantities of a pod's spec come back from a real API server in the text that we would write."""

import orjson
import pytest

from koord.api.codec import decode
from koord.api.core.pod import Pod
from koord.api.quantity import Quantity
from koord.kube.client import KubeClient

CPU = ["1000m", "0.1", "1500m", "2", "1.5", "1.500", "+1", "0.5", "1e0", "1k", "1Ki", "001", "0.001", "12e-1"]
MEMORY = [
    "1Gi",
    "1024Ki",
    "1025Ki",
    "1.5Gi",
    "0.5Gi",
    "128974848",
    "128974848000m",
    "129e6",
    "129M",
    "123Mi",
    "1E3",
    "1T",
]
AMOUNTS = [("cpu", text) for text in CPU] + [("memory", text) for text in MEMORY]


@pytest.fixture
async def amounts_on_the_server(client: KubeClient, namespace: str):
    containers = [
        {"name": f"c{index}", "image": "none", "resources": {"requests": {resource: text}}}
        for index, (resource, text) in enumerate(AMOUNTS)
    ]
    pod = {"metadata": {"name": "amounts"}, "spec": {"containers": containers, "automountServiceAccountToken": False}}
    await client.post(Pod.RESOURCE.path(namespace), pod)
    return await client.request("GET", Pod.RESOURCE.path(namespace, "amounts"))


async def test_the_server_writes_amounts_as_we_do(amounts_on_the_server: bytes):
    containers = orjson.loads(amounts_on_the_server)["spec"]["containers"]
    answers = [one["resources"]["requests"][resource] for one, (resource, _) in zip(containers, AMOUNTS, strict=True)]
    assert answers == [str(Quantity.parse(text)) for _, text in AMOUNTS]


async def test_amounts_read_from_the_server_are_the_ones_that_were_sent(amounts_on_the_server: bytes):
    containers = decode(Pod, amounts_on_the_server).spec.containers
    for container, (resource, text) in zip(containers, AMOUNTS, strict=True):
        assert container.resources.requests[resource] == Quantity.parse(text)
