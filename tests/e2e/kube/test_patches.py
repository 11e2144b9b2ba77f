"""Changing objects on a real server."""

import asyncio

import pytest

from koord.api.core.configmap import ConfigMap
from koord.api.core.pod import Pod
from koord.api.meta import ObjectMeta
from koord.api.scheduling.reservation import Reservation
from koord.kube import errors
from koord.kube.client import KubeClient
from koord.kube.patches import apply, json_patch, merge_patch, strategic_patch


async def config_map(client: KubeClient, namespace: str, **data: str) -> ConfigMap:
    return await client.create(ConfigMap(metadata=ObjectMeta(name="c", namespace=namespace), data=data))


async def test_a_json_patch_applies_as_a_whole_or_not_at_all(client: KubeClient, namespace: str) -> None:
    await config_map(client, namespace, a="1")
    add = {"op": "add", "path": "/data/b", "value": "2"}
    with pytest.raises(errors.ApiError):
        await client.patch(
            ConfigMap, "c", json_patch([add, {"op": "test", "path": "/data/a", "value": "9"}]), namespace
        )
    assert (await client.get(ConfigMap, "c", namespace)).data == {"a": "1"}
    changed = await client.patch(
        ConfigMap, "c", json_patch([{"op": "test", "path": "/data/a", "value": "1"}, add]), namespace
    )
    assert changed.data == {"a": "1", "b": "2"}


async def test_a_merge_patch_removes_by_null(client: KubeClient, namespace: str) -> None:
    await config_map(client, namespace, a="1", b="2")
    changed = await client.patch(ConfigMap, "c", merge_patch({"data": {"a": None, "c": "3"}}), namespace)
    assert changed.data == {"b": "2", "c": "3"}


async def test_a_strategic_patch_merges_lists_by_their_key_and_is_refused_for_custom_kinds(
    client: KubeClient, namespace: str
) -> None:
    containers = [{"name": "one", "image": "a"}, {"name": "two", "image": "b"}]
    await client.post(
        Pod.RESOURCE.path(namespace),
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": containers}},
    )
    patch = strategic_patch({"spec": {"containers": [{"name": "two", "image": "c"}]}})
    changed = await client.patch(Pod, "p", patch, namespace)
    assert [(container.name, container.image) for container in changed.spec.containers] == [("one", "a"), ("two", "c")]
    name = f"r-{namespace}"
    spec = {"owners": [{"object": {"name": "x"}}], "template": {}}
    document = {"apiVersion": Reservation.RESOURCE.api_version, "kind": "Reservation", "metadata": {"name": name}}
    await client.post(Reservation.RESOURCE.path(), document | {"spec": spec})
    with pytest.raises(errors.ApiError) as refused:
        await client.patch(Reservation, name, strategic_patch({"spec": {"ttl": "1h"}}))
    assert refused.value.code == 415
    await client.delete(Reservation, name)


async def test_appliers_own_their_fields_and_a_conflict_names_them(client: KubeClient, namespace: str) -> None:
    def document(**data: str) -> dict[str, object]:
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": data}

    made = await client.patch(ConfigMap, "c", apply(document(a="1", b="1"), "first"), namespace)
    assert made.data == {"a": "1", "b": "1"}
    with pytest.raises(errors.ConflictError) as refused:
        await client.patch(ConfigMap, "c", apply(document(a="2"), "second"), namespace)
    assert [cause.field for cause in refused.value.causes] == [".data.a"]
    forced = await client.patch(ConfigMap, "c", apply(document(a="2"), "second", force=True), namespace)
    assert forced.data == {"a": "2", "b": "1"}
    dropped = await client.patch(ConfigMap, "c", apply(document(), "first"), namespace)
    assert dropped.data == {"a": "2"}


async def test_twenty_writers_at_once_lose_no_change(client: KubeClient, namespace: str) -> None:
    await config_map(client, namespace)

    async def add(number: int) -> None:
        def change(record: ConfigMap) -> None:
            record.data = record.data | {str(number): "x"}

        await client.modify(ConfigMap, "c", namespace, change, tries=100)

    await asyncio.gather(*(add(number) for number in range(20)))
    assert len((await client.get(ConfigMap, "c", namespace)).data) == 20


async def test_an_update_of_what_changed_meanwhile_is_a_conflict(client: KubeClient, namespace: str) -> None:
    stale = await config_map(client, namespace, a="1")
    await client.patch(ConfigMap, "c", merge_patch({"data": {"a": "2"}}), namespace)
    stale.data = {"a": "3"}
    with pytest.raises(errors.ConflictError):
        await client.update(stale)


async def test_a_refused_object_names_the_field(client: KubeClient) -> None:
    document = {"apiVersion": Reservation.RESOURCE.api_version, "kind": "Reservation", "metadata": {"name": "bad"}}
    with pytest.raises(errors.InvalidError) as refused:
        await client.post(Reservation.RESOURCE.path(), document | {"spec": {"owners": [], "template": {}}})
    assert "spec.owners" in [cause.field for cause in refused.value.causes]


async def test_deleting_with_the_uid_of_another_is_a_conflict(client: KubeClient, namespace: str) -> None:
    made = await config_map(client, namespace)
    with pytest.raises(errors.ConflictError):
        await client.delete(ConfigMap, "c", namespace, uid="another")
    await client.delete(ConfigMap, "c", namespace, uid=made.metadata.uid)
    with pytest.raises(errors.NotFoundError):
        await client.get(ConfigMap, "c", namespace)


async def test_creating_what_exists_is_told_apart_from_a_conflict(client: KubeClient, namespace: str) -> None:
    await config_map(client, namespace)
    with pytest.raises(errors.AlreadyExistsError):
        await config_map(client, namespace)
