"""Our CRDs on a real API server: manifests come back unchanged, defaults appear, bad values are refused by path."""

import copy

import orjson
import pytest

from koord.api.codec import decode_for_update, encode
from koord.api.kinds import CUSTOM
from koord.api.schema import openapi_schema
from koord.api.validation import violations
from koord.kube.client import KubeClient
from koord.kube.errors import ApiError
from tests.unit.api.rules import bad_documents, manifest, shown

SERVER_FIELDS = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields")
KINDS = pytest.mark.parametrize("kind", CUSTOM, ids=lambda kind: kind.__name__)


def without_server_fields(document):
    document = copy.deepcopy(document)
    for key in SERVER_FIELDS:
        document["metadata"].pop(key, None)
    return document


def written(kind, namespace):
    """The kind's manifest, to be written into the namespace."""
    document = without_server_fields(manifest(kind))
    document["metadata"].pop(
        "ownerReferences", None
    )  # the garbage collector would take what the owner is not there for
    if kind.RESOURCE.namespaced:
        document["metadata"]["namespace"] = namespace
    else:
        document["metadata"]["name"] = namespace
    return document


def is_separate(kind, path):
    """Whether the server takes this part through the status subresource alone."""
    return path[0] == "status" and kind.RESOURCE.status_subresource


@pytest.fixture
async def send(client: KubeClient):
    async def send(method, path, document, **query):
        query["fieldValidation"] = "Strict"
        return orjson.loads(await client.request(method, path, query=query, body=orjson.dumps(document)))

    return send


@KINDS
async def test_a_manifest_is_stored_unchanged_and_comes_back_unchanged_from_a_put(kind, send, client, namespace):
    given = written(kind, namespace)
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
async def test_what_our_schema_refuses_the_server_refuses_with_the_same_path(kind, send, namespace):
    schema, given = openapi_schema(kind), written(kind, namespace)
    tried = 0
    for path, bad in bad_documents(schema, given):
        if path[0] in ("metadata", "apiVersion", "kind") or is_separate(kind, path):
            continue
        ours = {error.path for error in violations(kind, bad)}
        with pytest.raises(ApiError) as raised:
            await send("POST", kind.RESOURCE.path(namespace), bad, dryRun="All")
        assert raised.value.code == 422, (path, raised.value)
        theirs = {cause.field for cause in raised.value.details.causes}
        assert shown(path, schema) in ours
        assert shown(path, schema).replace("[", ".").replace("]", "") in {
            field.replace("[", ".").replace("]", "") for field in theirs
        }
        tried += 1
    assert tried > 0


def defaults(schema, path=()):
    """Every default of a schema with the path of its field; lists and maps are passed by."""
    for key, field in schema.get("properties", {}).items():
        if "default" in field:
            yield (*path, key), field["default"]
        yield from defaults(field, (*path, key))


@KINDS
async def test_each_default_appears_where_its_parent_is(kind, send, namespace):
    for path, default in defaults(openapi_schema(kind)):
        if is_separate(kind, path):
            continue
        document = written(kind, namespace)
        parent = document
        for step in path[:-1]:
            parent = parent.setdefault(step, {})
        parent.pop(path[-1], None)
        value = await send("POST", kind.RESOURCE.path(namespace), document, dryRun="All")
        for step in path:
            value = value[step]
        assert value == default, path
