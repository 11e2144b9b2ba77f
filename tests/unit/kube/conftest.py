"""A scripted API server and a client of it for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from koord.kube.client import KubeClient
from tests.unit.kube.scripted import ScriptedServer, serving


@pytest.fixture
def server() -> ScriptedServer:
    return ScriptedServer()


@pytest.fixture
async def client(server: ScriptedServer, tmp_path: Path) -> AsyncIterator[KubeClient]:
    async with serving(server, tmp_path) as credentials, KubeClient(credentials) as made:
        yield made
