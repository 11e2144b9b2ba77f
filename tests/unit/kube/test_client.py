"""Requests, refusals and credentials."""

import socket
import sys
from pathlib import Path

import orjson
import pytest
from aiohttp import web

from koord.api.core.configmap import ConfigMap
from koord.api.meta import ObjectMeta
from koord.kube import errors
from koord.kube.client import KubeClient
from koord.kube.connection import Connection
from koord.kube.credentials import Kubeconfig, ServiceAccount
from koord.kube.patches import apply, json_patch, merge_patch, strategic_patch
from tests.unit.kube.scripted import (
    HEADERS,
    Answer,
    ScriptedServer,
    Thing,
    a_list,
    refusal,
    serving,
    thing,
    write_kubeconfig,
)


def gives(document: object) -> Answer:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(body=orjson.dumps(document), headers=HEADERS)

    return answer


def config_map(version: int, **data: str) -> dict[str, object]:
    metadata = {"name": "c", "namespace": "ns", "uid": "u", "resourceVersion": str(version), "unknown": "kept"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


@pytest.mark.parametrize(
    ("code", "reason", "error"),
    [
        (400, "BadRequest", errors.BadRequestError),
        (403, "Forbidden", errors.ForbiddenError),
        (404, "NotFound", errors.NotFoundError),
        (409, "Conflict", errors.ConflictError),
        (409, "AlreadyExists", errors.AlreadyExistsError),
        (410, "Expired", errors.ExpiredError),
        (422, "Invalid", errors.InvalidError),
        (500, "InternalError", errors.ApiError),
    ],
)
async def test_a_refusal_is_an_error_of_its_kind_with_all_that_the_server_said(
    server: ScriptedServer, client: KubeClient, code: int, reason: str, error: type[errors.ApiError]
) -> None:
    cause = {"reason": "FieldValueInvalid", "message": "must be positive", "field": "spec.size"}
    server.others = [refusal(code, reason, details={"name": "a", "causes": [cause]})]
    with pytest.raises(error) as caught:
        await client.get(Thing, "a", "ns")
    assert type(caught.value) is error
    assert (caught.value.code, caught.value.reason) == (code, reason)
    assert caught.value.causes[0].field == "spec.size"
    assert f"GET {Thing.RESOURCE.path('ns', 'a')}: {code} {reason}" in str(caught.value)


async def test_a_refusal_without_a_status_shows_what_came(server: ScriptedServer, client: KubeClient) -> None:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=502, text="<html>bad gateway</html>")

    server.others = [answer]
    with pytest.raises(errors.ApiError, match="502 Unknown: <html>bad gateway</html>"):
        await client.get(Thing, "a", "ns")


async def test_a_server_that_is_not_there_is_unreachable(tmp_path: Path) -> None:
    credentials = write_kubeconfig(tmp_path / "kubeconfig", "http://127.0.0.1:1", {"token": "secret"})
    async with KubeClient(credentials) as client:
        with pytest.raises(errors.UnreachableError, match=r"GET .*things/a"):
            await client.get(Thing, "a", "ns")


async def test_an_answer_that_does_not_come_in_time_is_unreachable(server: ScriptedServer, tmp_path: Path) -> None:
    async def never(_: web.Request) -> web.Response:
        import asyncio

        await asyncio.sleep(30)
        return web.Response()

    server.others = [never]
    async with serving(server, tmp_path) as credentials, KubeClient(credentials, request_timeout_s=0.2) as client:
        with pytest.raises(errors.UnreachableError):
            await client.get(Thing, "a", "ns")


@pytest.mark.parametrize(
    ("patch", "media_type", "body", "query"),
    [
        (json_patch([{"op": "remove", "path": "/size"}]), "json-patch+json", [{"op": "remove", "path": "/size"}], {}),
        (merge_patch({"size": None}), "merge-patch+json", {"size": None}, {}),
        (strategic_patch({"size": 2}), "strategic-merge-patch+json", {"size": 2}, {}),
        (apply({"kind": "Thing"}, "koord"), "apply-patch+yaml", {"kind": "Thing"}, {"fieldManager": "koord"}),
        (
            apply({"kind": "Thing"}, "koord", force=True),
            "apply-patch+yaml",
            {"kind": "Thing"},
            {"fieldManager": "koord", "force": "true"},
        ),
    ],
    ids=["json", "merge", "strategic", "apply", "forced apply"],
)
async def test_patches_go_out_with_their_media_type(
    server: ScriptedServer, client: KubeClient, patch: object, media_type: str, body: object, query: dict[str, str]
) -> None:
    server.others = [gives(thing("a", 2))]
    await client.patch(Thing, "a", patch, "ns", subresource="status")
    [request] = server.requests
    assert (request.method, request.path) == ("PATCH", Thing.RESOURCE.path("ns", "a", "status"))
    assert request.headers["Content-Type"] == f"application/{media_type}"
    assert orjson.loads(server.bodies[0]) == body
    assert dict(request.query) == query


async def test_modify_reads_anew_on_a_conflict_and_keeps_what_it_does_not_know(
    server: ScriptedServer, client: KubeClient
) -> None:
    server.others = [
        gives(config_map(1, a="1")),
        refusal(409, "Conflict"),
        gives(config_map(2, a="1", b="2")),
        gives(config_map(3, a="1", b="2", c="3")),
    ]

    def change(record: ConfigMap) -> None:
        record.data = record.data | {"c": "3"}

    changed = await client.modify(ConfigMap, "c", "ns", change)
    assert changed.metadata.resource_version == "3"
    assert [request.method for request in server.requests] == ["GET", "PUT", "GET", "PUT"]
    sent = orjson.loads(server.bodies[3])
    assert sent["data"] == {"a": "1", "b": "2", "c": "3"}
    assert sent["metadata"]["unknown"] == "kept"
    assert sent["metadata"]["resourceVersion"] == "2"


async def test_modify_gives_up_after_its_tries(server: ScriptedServer, client: KubeClient) -> None:
    server.others = [gives(config_map(1)), refusal(409, "Conflict")] * 2
    with pytest.raises(errors.ConflictError):
        await client.modify(ConfigMap, "c", "ns", lambda _: None, tries=2)


async def test_modify_sends_nothing_when_there_is_nothing_to_change(server: ScriptedServer, client: KubeClient) -> None:
    server.others = [gives(config_map(1))]
    await client.modify(ConfigMap, "c", "ns", lambda _: False)
    assert [request.method for request in server.requests] == ["GET"]


async def test_delete_takes_preconditions(server: ScriptedServer, client: KubeClient) -> None:
    server.others = [gives({})]
    await client.delete(Thing, "a", "ns", uid="u", resource_version="7", grace_period_s=0, propagation="Foreground")
    assert orjson.loads(server.bodies[0]) == {
        "apiVersion": "v1",
        "kind": "DeleteOptions",
        "preconditions": {"uid": "u", "resourceVersion": "7"},
        "gracePeriodSeconds": 0,
        "propagationPolicy": "Foreground",
    }


async def test_create_sends_the_record_to_its_collection(server: ScriptedServer, client: KubeClient) -> None:
    server.others = [gives(config_map(1, a="1"))]
    made = await client.create(ConfigMap(metadata=ObjectMeta(name="c", namespace="ns"), data={"a": "1"}))
    assert made.metadata.resource_version == "1"
    assert server.requests[0].path == "/api/v1/namespaces/ns/configmaps"


async def test_a_token_file_is_read_again_when_it_changes(server: ScriptedServer, tmp_path: Path) -> None:
    server.others = [gives(thing("a", 1))] * 2
    token = tmp_path / "token"
    token.write_text("first\n")
    async with serving(server, tmp_path):
        address = f"http://127.0.0.1:{server.port}"
        credentials = write_kubeconfig(tmp_path / "with-file", address, {"tokenFile": "token"})
        async with KubeClient(credentials) as client:
            await client.get(Thing, "a", "ns")
            token.write_text("second one\n")
            client._connection._checked_at -= 2
            await client.get(Thing, "a", "ns")
    assert [request.headers["Authorization"] for request in server.requests] == ["Bearer first", "Bearer second one"]


async def test_credentials_are_read_again_on_401(server: ScriptedServer, tmp_path: Path) -> None:
    """The file's time and size may tell nothing, as with a token of equal length within one tick of the clock."""
    server.others = [refusal(401, "Unauthorized"), gives(thing("a", 1))]
    async with serving(server, tmp_path) as credentials, KubeClient(credentials) as client:
        await client._connection._current()
        client._connection._loaded_at -= 2
        path = Path(str(credentials.path))
        path.write_text(path.read_text().replace("secret", "newone"))
        assert (await client.get(Thing, "a", "ns")).metadata.name == "a"
    assert [request.headers["Authorization"] for request in server.requests] == ["Bearer secret", "Bearer newone"]


async def test_a_401_with_fresh_credentials_is_final(server: ScriptedServer, client: KubeClient) -> None:
    server.others = [refusal(401, "Unauthorized")] * 9
    with pytest.raises(errors.UnauthorizedError):
        await client.get(Thing, "a", "ns")
    assert len(server.requests) <= 2


PLUGIN = """
import datetime, json, pathlib, sys
calls = pathlib.Path(sys.argv[1])
count = len(calls.read_text()) + 1 if calls.exists() else 1
calls.write_text("x" * count)
until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=float(sys.argv[2]))
print(json.dumps({"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
    "status": {"token": f"token-{count}", "expirationTimestamp": until.isoformat()}}))
"""


def plugin(tmp_path: Path, lifetime_s: float) -> dict[str, object]:
    (tmp_path / "plugin.py").write_text(PLUGIN)
    arguments = [str(tmp_path / "plugin.py"), str(tmp_path / "calls"), str(lifetime_s)]
    return {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": sys.executable, "args": arguments}}


@pytest.mark.parametrize(("lifetime_s", "tokens"), [(3600, 1), (20, 2)], ids=["long-lived", "about to expire"])
async def test_a_credential_plugin_runs_again_before_its_token_expires(
    server: ScriptedServer, tmp_path: Path, lifetime_s: float, tokens: int
) -> None:
    server.others = [gives(thing("a", 1))] * 2
    async with serving(server, tmp_path):
        address = f"http://127.0.0.1:{server.port}"
        credentials = write_kubeconfig(tmp_path / "with-plugin", address, plugin(tmp_path, lifetime_s))
        async with KubeClient(credentials) as client:
            for _ in range(2):
                await client.get(Thing, "a", "ns")
                client._connection._checked_at -= 2
    assert [request.headers["Authorization"] for request in server.requests][1] == f"Bearer token-{tokens}"


async def test_a_plugin_that_fails_is_named(tmp_path: Path) -> None:
    user = {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "/bin/false"}}
    credentials = write_kubeconfig(tmp_path / "kubeconfig", "http://127.0.0.1:1", user)
    with pytest.raises(errors.ConfigurationError, match="/bin/false"):
        await credentials.load()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file"),
        ("", "kubeconfig .*config"),
        ("apiVersion: v1\nkind: Config\n", "current-context"),
        ("a: [", "kubeconfig .*config"),
    ],
    ids=["absent", "empty", "without a context", "no YAML"],
)
async def test_an_unusable_kubeconfig_is_named(tmp_path: Path, content: str | None, message: str) -> None:
    path = tmp_path / "config"
    if content is not None:
        path.write_text(content)
    with pytest.raises(errors.ConfigurationError, match=message):
        await Kubeconfig(str(path)).load()


async def test_a_kubeconfig_that_is_half_written_leaves_the_credentials_in_use(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.others = [gives(thing("a", 1))] * 2
    async with serving(server, tmp_path) as credentials, KubeClient(credentials) as client:
        await client.get(Thing, "a", "ns")
        Path(str(credentials.path)).write_text("a: [")
        client._connection._checked_at -= 2
        await client.get(Thing, "a", "ns")
    assert len(server.requests) == 2


async def test_a_service_account_is_read_from_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    (tmp_path / "token").write_text("secret\n")
    (tmp_path / "ca.crt").write_text("PEM")
    loaded = await ServiceAccount(tmp_path).load()
    assert loaded.files == (tmp_path / "token", tmp_path / "ca.crt")
    assert loaded.configuration.api_key == {"BearerToken": "bearer secret"}


async def test_a_service_account_without_a_token_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    with pytest.raises(errors.ConfigurationError, match=str(tmp_path)):
        await ServiceAccount(tmp_path).load()


async def test_a_new_certificate_gets_new_connections_while_old_streams_go_on(
    server: ScriptedServer, tmp_path: Path
) -> None:
    async with serving(server, tmp_path) as credentials:
        connection = Connection(credentials)
        async with connection.api() as before:
            path = Path(str(credentials.path))
            path.write_text(path.read_text().replace("127.0.0.1", "localhost"))
            connection._checked_at -= 2
            async with connection.api() as after:
                assert after is not before
                assert after.configuration.host != before.configuration.host
            before.rest_client.pool_manager = before.rest_client._create_pool_manager()
            assert not before.rest_client.pool_manager.closed
        assert before.rest_client.pool_manager.closed
        await connection.close()


async def test_connections_notice_a_peer_that_vanished(server: ScriptedServer, client: KubeClient) -> None:
    server.others = [gives(thing("a", 1))]
    await client.get(Thing, "a", "ns")
    async with client._connection.api() as api:
        connector = api.rest_client.pool_manager.connector
        [(protocol, _)] = next(iter(connector._conns.values()))
        sock = protocol.transport.get_extra_info("socket")
    assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 30
    assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 60_000


async def test_answers_are_asked_for_without_compression(server: ScriptedServer, client: KubeClient) -> None:
    server.lists = [a_list(1)]
    await client.request("GET", Thing.RESOURCE.path(), query={"limit": "500"})
    assert server.requests[0].headers["Accept-Encoding"] == "identity"
