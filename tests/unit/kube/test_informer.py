"""What an informer does with what servers and networks do."""

import asyncio
import logging
import time
from collections.abc import Callable

import pytest

from koord.kube.changes import Change
from koord.kube.client import KubeClient
from koord.kube.informer import Informer, running, wait_all_synced
from koord.kube.reflector import WatchOptions
from tests.unit.kube.scripted import (
    ScriptedServer,
    Thing,
    a_list,
    a_watch,
    bookmark,
    event,
    refusal,
    status,
    thing,
)

QUICK = WatchOptions(first_backoff_s=0.01, most_backoff_s=0.02, silence_s=5.0)


class Recorder:
    """A handler that writes down what it is told."""

    def __init__(self) -> None:
        self.changes: list[Change[Thing]] = []

    def __call__(self, change: Change[Thing]) -> None:
        self.changes.append(change)

    @property
    def told(self) -> list[str]:
        """`+name@version`, `name@old>new` and `-name@version`."""
        return [_say(change) for change in self.changes]

    async def until(self, wanted: Callable[["Recorder"], bool]) -> None:
        async with asyncio.timeout(10):
            while not wanted(self):
                await asyncio.sleep(0.005)


def _say(change: Change[Thing]) -> str:
    at = change.subject.metadata
    if change.old is None:
        return f"+{at.name}@{at.resource_version}"
    if change.new is None:
        return f"-{at.name}@{at.resource_version}"
    return f"{at.name}@{change.old.metadata.resource_version}>{at.resource_version}"


def make(client: KubeClient, options: WatchOptions = QUICK, **more: object) -> tuple[Informer[Thing], Recorder]:
    informer, recorder = Informer(client, Thing, options=options, **more), Recorder()
    informer.add_handler(recorder)
    return informer, recorder


async def test_lists_then_watches_from_the_lists_version(server: ScriptedServer, client: KubeClient) -> None:
    server.lists = [a_list(10, thing("a", 1), thing("b", 2))]
    server.watches = [
        a_watch(
            event("ADDED", thing("c", 11)), event("MODIFIED", thing("a", 12, size=5)), event("DELETED", thing("b", 13))
        )
    ]
    informer, recorder = make(client)
    async with running(informer):
        await recorder.until(lambda it: len(it.told) == 5)
    assert recorder.told == ["+a@1", "+b@2", "+c@11", "a@1>12", "-b@13"]
    assert [change.initial for change in recorder.changes] == [True, True, False, False, False]
    assert sorted(informer.store.keys()) == ["ns/a", "ns/c"]
    [query] = server.queries(watch=True)
    assert query["resourceVersion"] == "10"
    assert query["allowWatchBookmarks"] == "true"
    assert 300 <= int(query["timeoutSeconds"]) <= 600


async def test_lists_in_pages(server: ScriptedServer, client: KubeClient) -> None:
    server.lists = [a_list(10, thing("a", 1), token="next"), a_list(10, thing("b", 2))]
    informer, recorder = make(client)
    async with running(informer):
        assert recorder.told == ["+a@1", "+b@2"]
    first, second = server.queries(watch=False)
    assert first == {"limit": "500"}
    assert second == {"limit": "500", "continue": "next"}


async def test_an_expired_page_token_starts_the_list_again_in_one_piece(
    server: ScriptedServer, client: KubeClient
) -> None:
    server.lists = [
        a_list(10, thing("a", 1), token="next"),
        refusal(410, "Expired"),
        a_list(20, thing("a", 1), thing("b", 11)),
    ]
    informer, recorder = make(client)
    async with running(informer):
        assert recorder.told == ["+a@1", "+b@11"]
    assert server.queries(watch=False)[2] == {}


@pytest.mark.parametrize(
    "gone",
    [refusal(410, "Expired"), a_watch(event("ERROR", status(410, "Expired")), then="close")],
    ids=["as HTTP status", "as ERROR event"],
)
async def test_a_410_lists_anew_and_tells_what_went_away_meanwhile(
    server: ScriptedServer, client: KubeClient, gone: object
) -> None:
    server.lists = [
        a_list(10, thing("a", 1), thing("b", 2), thing("c", 3)),
        a_list(20, thing("a", 1), thing("b", 15), thing("d", 16)),
    ]
    server.watches = [gone]
    informer, recorder = make(client)
    async with running(informer):
        await recorder.until(lambda it: "+d@16" in it.told)
    assert recorder.told == ["+a@1", "+b@2", "+c@3", "-c@3", "b@2>15", "+d@16"]
    assert sorted(informer.store.keys()) == ["ns/a", "ns/b", "ns/d"]


async def test_resumes_after_a_cut_without_listing_and_without_repeating(
    server: ScriptedServer, client: KubeClient
) -> None:
    server.lists = [a_list(10, thing("a", 1))]
    server.watches = [
        a_watch(event("MODIFIED", thing("a", 11)), event("MODIFIED", thing("a", 12))[:40], then="cut"),
        a_watch(event("MODIFIED", thing("a", 12))),
    ]
    informer, recorder = make(client)
    async with running(informer):
        await recorder.until(lambda it: len(it.told) == 3)
    assert recorder.told == ["+a@1", "a@1>11", "a@11>12"]
    assert len(server.queries(watch=False)) == 1
    assert [query["resourceVersion"] for query in server.queries(watch=True)][:2] == ["10", "11"]


async def test_resumes_from_a_bookmark(server: ScriptedServer, client: KubeClient) -> None:
    server.lists = [a_list(10)]
    server.watches = [a_watch(bookmark(500), then="close"), a_watch(event("ADDED", thing("a", 501)))]
    informer, recorder = make(client)
    async with running(informer):
        await recorder.until(lambda it: len(it.told) == 1)
    assert [query["resourceVersion"] for query in server.queries(watch=True)] == ["10", "500"]


async def test_an_event_that_comes_twice_is_told_once(server: ScriptedServer, client: KubeClient) -> None:
    server.lists = [a_list(10, thing("a", 1))]
    server.watches = [
        a_watch(
            event("ADDED", thing("a", 1)),
            event("DELETED", thing("gone", 5)),
            event("ADDED", thing("b", 11)),
            event("ADDED", thing("b", 11)),
            event("ADDED", thing("c", 12)),
        )
    ]
    informer, recorder = make(client)
    async with running(informer):
        await recorder.until(lambda it: "+c@12" in it.told)
    assert recorder.told == ["+a@1", "+b@11", "+c@12"]


async def test_an_object_recreated_unseen_is_told_as_deletion_and_addition(
    server: ScriptedServer, client: KubeClient
) -> None:
    server.lists = [a_list(10, thing("a", 1, uid="old")), a_list(20, thing("a", 15, uid="new"))]
    server.watches = [refusal(410, "Expired")]
    informer, recorder = make(client)
    async with running(informer):
        await recorder.until(lambda it: "+a@15" in it.told)
    assert recorder.told == ["+a@1", "-a@1", "+a@15"]


async def test_a_silent_stream_is_closed_and_resumed(server: ScriptedServer, client: KubeClient) -> None:
    server.lists = [a_list(10)]
    server.watches = [a_watch(event("ADDED", thing("a", 11))), a_watch(event("ADDED", thing("b", 12)))]
    informer, recorder = make(client, WatchOptions(first_backoff_s=0.01, most_backoff_s=0.02, silence_s=0.2))
    began = time.monotonic()
    async with running(informer):
        await recorder.until(lambda it: "+b@12" in it.told)
    assert 0.2 <= time.monotonic() - began < 2
    assert len(server.queries(watch=False)) == 1


async def test_stops_within_a_second_while_a_stream_is_idle(server: ScriptedServer, client: KubeClient) -> None:
    server.lists = [a_list(10)]
    informer, _ = make(client)
    async with running(informer):
        await asyncio.sleep(0.1)
        began = time.monotonic()
    assert time.monotonic() - began < 1


async def test_waits_as_long_as_an_overloaded_server_asks(server: ScriptedServer, client: KubeClient) -> None:
    server.lists = [refusal(429, "TooManyRequests", {"Retry-After": "1"}), a_list(10, thing("a", 1))]
    informer, recorder = make(client)
    began = time.monotonic()
    async with running(informer):
        assert recorder.told == ["+a@1"]
    assert time.monotonic() - began >= 1


async def test_a_server_that_closes_every_stream_at_once_is_not_asked_in_a_loop(
    server: ScriptedServer, client: KubeClient
) -> None:
    server.lists = [a_list(10)]
    server.watches = [a_watch(then="close") for _ in range(1000)]
    informer, _ = make(client, WatchOptions(first_backoff_s=0.1, most_backoff_s=0.2))
    async with running(informer):
        await asyncio.sleep(1)
    assert 3 <= len(server.queries(watch=True)) <= 11


async def test_a_broken_object_is_skipped_counted_and_named_once(
    server: ScriptedServer, client: KubeClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "koord.kube")
    server.lists = [a_list(10, thing("good", 1), thing("bad", 2, size="large"))]
    server.watches = [a_watch(event("MODIFIED", thing("bad", 11, size="large")), event("ADDED", thing("next", 12)))]
    informer, recorder = make(client)
    async with running(informer):
        await recorder.until(lambda it: "+next@12" in it.told)
    assert recorder.told == ["+good@1", "+next@12"]
    assert informer.broken.seen == 2
    assert list(informer.broken.current) == ["ns/bad"]
    [message] = [record.getMessage() for record in caplog.records]
    assert "ns/bad" in message
    assert "size" in message
    assert "large" in message


async def test_the_last_good_version_stays_while_an_object_is_broken_and_is_replaced_when_it_heals(
    server: ScriptedServer, client: KubeClient
) -> None:
    server.lists = [a_list(10, thing("a", 1, size=7)), a_list(20, thing("a", 11, size="x"))]
    server.watches = [
        a_watch(event("MODIFIED", thing("a", 11, size="x")), event("ERROR", status(410, "Expired")), then="close"),
        a_watch(event("MODIFIED", thing("a", 21, size=8))),
    ]
    informer, recorder = make(client)
    async with running(informer):
        await recorder.until(lambda it: "a@1>21" in it.told)
    assert recorder.told == ["+a@1", "a@1>21"]
    assert informer.broken.current == {}


async def test_a_broken_object_that_is_deleted_or_recreated_does_not_stay(
    server: ScriptedServer, client: KubeClient
) -> None:
    server.lists = [a_list(10, thing("a", 1), thing("b", 2))]
    server.watches = [
        a_watch(
            event("DELETED", thing("a", 11, size="x")),
            event("ADDED", thing("b", 12, uid="new", size="x")),
            event("ADDED", thing("c", 13)),
        )
    ]
    informer, recorder = make(client)
    async with running(informer):
        await recorder.until(lambda it: "+c@13" in it.told)
    assert recorder.told == ["+a@1", "+b@2", "-a@1", "-b@2", "+c@13"]
    assert list(informer.broken.current) == ["ns/b"]


async def test_garbage_in_a_stream_reconnects_and_at_last_lists(server: ScriptedServer, client: KubeClient) -> None:
    server.lists = [a_list(10), a_list(20, thing("a", 15))]
    server.watches = [a_watch(b"<html>\n") for _ in range(3)]
    informer, recorder = make(client)
    async with running(informer):
        await recorder.until(lambda it: "+a@15" in it.told)
    assert [query["resourceVersion"] for query in server.queries(watch=True)[:3]] == ["10", "10", "10"]


async def test_a_line_of_many_megabytes_is_read_and_one_beyond_the_bound_is_skipped(
    server: ScriptedServer, client: KubeClient
) -> None:
    large = thing("large", 11) | {"data": "x" * 20_000_000}
    larger = thing("larger", 12) | {"data": "x" * 40_000_000}
    server.lists = [a_list(10)]
    server.watches = [a_watch(event("ADDED", large), event("ADDED", larger), event("ADDED", thing("small", 13)))]
    options = WatchOptions(first_backoff_s=0.01, most_line_bytes=30_000_000)
    informer, recorder = make(client, options)
    async with running(informer):
        await recorder.until(lambda it: "+small@13" in it.told)
    assert recorder.told == ["+large@11", "+small@13"]
    assert list(informer.broken.current) == ["ns/larger"]


async def test_synced_means_that_every_handler_has_processed_its_initial_list(
    server: ScriptedServer, client: KubeClient
) -> None:
    server.lists = [a_list(10, thing("a", 1), thing("b", 2))]
    informer, _ = make(client)
    gate, seen = asyncio.Event(), []

    async def slow(change: Change[Thing]) -> None:
        await gate.wait()
        seen.append(change)

    informer.add_handler(slow)
    task = asyncio.create_task(informer.run())
    async with asyncio.timeout(10):
        while len(informer.store) < 2:
            await asyncio.sleep(0.005)
    assert not informer.synced
    gate.set()
    async with asyncio.timeout(5):
        await wait_all_synced([informer])
    assert informer.synced
    assert len(seen) == 2
    task.cancel()


async def test_a_handler_added_late_starts_from_what_is_known(server: ScriptedServer, client: KubeClient) -> None:
    server.lists = [a_list(10, thing("a", 1))]
    server.watches = [a_watch(event("ADDED", thing("b", 11)))]
    informer, first = make(client)
    async with running(informer):
        await first.until(lambda it: len(it.told) == 2)
        late = Recorder()
        registration = informer.add_handler(late)
        async with asyncio.timeout(5):
            await registration.wait_synced()
        assert late.told == ["+a@1", "+b@11"]
        assert all(change.initial for change in late.changes)


async def test_a_handler_that_raises_gets_the_next_change_and_stops_no_other(
    server: ScriptedServer, client: KubeClient, caplog: pytest.LogCaptureFixture
) -> None:
    server.lists = [a_list(10, thing("a", 1), thing("b", 2))]
    informer, recorder = make(client)
    seen: list[str] = []

    def fails(change: Change[Thing]) -> None:
        seen.append(change.subject.metadata.name)
        raise RuntimeError("no")

    informer.add_handler(fails, "failing")
    async with running(informer):
        pass
    assert seen == ["a", "b"]
    assert recorder.told == ["+a@1", "+b@2"]
    assert "handler failing of things failed" in caplog.text


async def test_resync_reminds_handlers_of_every_object(server: ScriptedServer, client: KubeClient) -> None:
    server.lists = [a_list(10, thing("a", 1))]
    informer, recorder = make(client, resync_s=0.05)
    async with running(informer):
        await recorder.until(lambda it: len(it.changes) >= 3)
    assert recorder.told[:3] == ["+a@1", "a@1>1", "a@1>1"]
    assert [change.resync for change in recorder.changes[:3]] == [False, True, True]


async def test_an_unreachable_server_is_waited_for(client: KubeClient, server: ScriptedServer) -> None:
    server.lists = [refusal(500, "InternalError"), refusal(503, "ServiceUnavailable"), a_list(10, thing("a", 1))]
    informer, recorder = make(client)
    async with running(informer):
        assert recorder.told == ["+a@1"]


async def test_a_server_restored_from_a_backup_is_listed_anew(server: ScriptedServer, client: KubeClient) -> None:
    causes = {"details": {"causes": [{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}]}}
    server.lists = [a_list(1000, thing("a", 900)), a_list(500, thing("a", 400))]
    server.watches = [refusal(504, "Timeout", **causes)]
    informer, recorder = make(client)
    async with running(informer):
        await recorder.until(lambda it: len(it.told) == 2)
    assert recorder.told == ["+a@900", "a@900>400"]
