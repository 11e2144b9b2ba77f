"""Events on a real server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from koord.api.core.event import Event
from koord.api.meta import ObjectReference
from koord.kube.client import KubeClient
from koord.kube.events import EventRecorder
from koord.kube.listing import list_all
from koord.kube.objects import Selection
from tests.e2e.cluster import Cluster


@asynccontextmanager
async def recording(client: KubeClient) -> AsyncIterator[EventRecorder]:
    recorder = EventRecorder(client, "koord-test", "host-1")
    task = asyncio.create_task(recorder.run())
    try:
        yield recorder
        async with asyncio.timeout(20):
            await recorder.flush()
    finally:
        task.cancel()


def about(namespace: str, name: str = "web") -> ObjectReference:
    return ObjectReference(kind="Pod", api_version="v1", namespace=namespace, name=name, uid=f"uid-{name}")


async def events(client: KubeClient, namespace: str) -> list[Event]:
    return (await list_all(client, Event, Selection(namespace))).items


async def test_equal_events_are_one_object_that_counts(client: KubeClient, cluster: Cluster, namespace: str) -> None:
    async with recording(client) as recorder:
        for _ in range(7):
            recorder.record(about(namespace), "Warning", "Throttled", "throttled half of the time")
        recorder.record(about(namespace), "Normal", "Calm", "no longer throttled")
    found = {event.reason: event for event in await events(client, namespace)}
    assert {reason: event.count for reason, event in found.items()} == {"Throttled": 7, "Calm": 1}
    assert found["Throttled"].source.component == "koord-test"
    assert "throttled half of the time" in cluster.kubectl("-n", namespace, "get", "events")


async def test_many_different_messages_of_one_reason_are_combined(client: KubeClient, namespace: str) -> None:
    async with recording(client) as recorder:
        for number in range(20):
            recorder.record(about(namespace), "Warning", "Evicted", f"evicted for the {number}th time")
    found = await events(client, namespace)
    assert len(found) == 11
    [combined] = [event for event in found if event.message.startswith("(combined from similar events): ")]
    assert combined.count == 10
    assert combined.message.endswith("evicted for the 19th time")


async def test_an_object_in_a_bad_loop_cannot_fill_the_store(client: KubeClient, namespace: str) -> None:
    async with recording(client) as recorder:
        for number in range(100):
            recorder.record(about(namespace, "loop"), "Warning", f"Reason{number}", "again")
            recorder.record(about(namespace, f"calm-{number % 5}"), "Normal", "Fine", "fine")
    found = await events(client, namespace)
    assert len([event for event in found if event.involved_object.name == "loop"]) == 25
    assert len([event for event in found if event.involved_object.name.startswith("calm")]) == 5


async def test_an_event_that_expired_is_made_anew(client: KubeClient, namespace: str) -> None:
    async with recording(client) as recorder:
        recorder.record(about(namespace), "Normal", "Again", "again")
        await recorder.flush()
        [first] = await events(client, namespace)
        await client.delete(Event, first.metadata.name, namespace)
        recorder.record(about(namespace), "Normal", "Again", "again")
    [second] = await events(client, namespace)
    assert second.metadata.name != first.metadata.name
    assert second.count == 1


async def test_a_refused_event_stops_nothing(client: KubeClient, namespace: str) -> None:
    async with recording(client) as recorder:
        recorder.record(about("no-such-namespace"), "Normal", "Lost", "lost")
        recorder.record(about(namespace), "Normal", "Kept", "kept")
    assert [event.reason for event in await events(client, namespace)] == ["Kept"]
