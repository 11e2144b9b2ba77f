"""Our CRDs on a real API server: manifests come back unchanged, defaults appear, bad values are refused by path."""

import copy
import functools
import operator

import orjson
import pytest

from koord.api.codec import decode_for_update, encode
from koord.api.kinds import CUSTOM
from koord.api.schema import openapi_schema
from koord.api.validation import violations
from koord.kube.client import KubeClient
from koord.kube.errors import ApiError
from tests.unit.api.rules import IDENTITY, bad_documents, complete, manifest, places, shown, without

SERVER_FIELDS = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields")
KINDS = pytest.mark.parametrize("kind", CUSTOM, ids=lambda kind: kind.__name__)


def without_server_fields(document):
    document = copy.deepcopy(document)
    for key in SERVER_FIELDS:
        document["metadata"].pop(key, None)
    return document


def written(kind, document, namespace):
    """The kind's document, to be written into the namespace."""
    document = without_server_fields(document)
    # The garbage collector would take what the owner is not there for.
    document["metadata"].pop("ownerReferences", None)
    if kind.RESOURCE.namespaced:
        document["metadata"]["namespace"] = namespace
    else:
        document["metadata"]["name"] = namespace
    return document


@pytest.fixture
async def send(client: KubeClient):
    async def send(method, path, document, **query):
        query["fieldValidation"] = "Strict"
        return orjson.loads(await client.request(method, path, query=query, body=orjson.dumps(document)))

    return send


@pytest.fixture
async def check(kind, send, client, namespace):
    """Has the server check a complete document that was changed at a path, and shows what it would store."""
    collection = kind.RESOURCE.path(namespace)
    stored = await send("POST", collection, written(kind, complete(kind), namespace))
    path = f"{collection}/{stored['metadata']['name']}"

    async def check(document, changed_at):
        part = "/status" if changed_at[0] == "status" and kind.RESOURCE.status_subresource else ""
        return await send("PUT", path + part, document | {"metadata": stored["metadata"]}, dryRun="All")

    yield check
    await client.request("DELETE", path)


@KINDS
async def test_a_manifest_is_stored_unchanged_and_comes_back_unchanged_from_a_put(kind, send, client, namespace):
    given = written(kind, manifest(kind), namespace)
    name = given["metadata"]["name"]
    collection = kind.RESOURCE.path(namespace)
    created = await send("POST", collection, given)
    try:
        if kind.RESOURCE.status_subresource and "status" in given:
            created = await send("PUT", f"{collection}/{name}/status", created | {"status": given["status"]})
        assert without_server_fields(created) == given
        body = await client.request("GET", f"{collection}/{name}")
        again = await send("PUT", f"{collection}/{name}", orjson.loads(encode(decode_for_update(kind, body))))
        assert without_server_fields(again) == given
    finally:
        await client.request("DELETE", f"{collection}/{name}")


@KINDS
async def test_what_our_schema_refuses_the_server_refuses_with_the_same_path(kind, check):
    schema = openapi_schema(kind)
    tried = set()
    for path, bad in bad_documents(schema, complete(kind)):
        if path[0] in IDENTITY:
            continue
        ours = {error.path for error in violations(kind, bad)}
        with pytest.raises(ApiError) as raised:
            await check(bad, path)
        assert raised.value.code == 422, (path, raised.value)
        theirs = {cause.field for cause in raised.value.details.causes}
        assert shown(path, schema) in ours
        assert dotted(shown(path, schema)) in {dotted(field) for field in theirs}
        tried.add(path[0])
    assert tried == schema["properties"].keys() - IDENTITY


def dotted(path):
    """A path in one spelling: the server writes some indexes and keys with dots and some in brackets."""
    return path.replace("[", ".").replace("]", "")


@KINDS
async def test_each_default_appears_where_its_parent_is(kind, check):
    document = complete(kind)
    for path, rule, _ in places(openapi_schema(kind), document):
        if "default" in rule:
            stored = await check(without(document, path), path)
            assert functools.reduce(operator.getitem, path, stored) == rule["default"], path
