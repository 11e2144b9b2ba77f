"""Informers and `koord watch` behind fault proxies while a server is written to; in the end all must agree.

`python -m tests.e2e.soak --seconds 3600` runs it on a cluster of its own and prints one JSON line.
"""

import argparse
import asyncio
import os
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson

from koord.api.meta import Object
from koord.kube.client import KubeClient
from koord.kube.credentials import Kubeconfig
from koord.kube.informer import Informer, running
from koord.kube.listing import list_all
from koord.kube.objects import Selection, key_of
from koord.kube.reflector import WatchOptions
from tests.e2e.cluster import Cluster
from tests.e2e.faultproxy import ALL_FAULTS, NETWORK_FAULTS, NO_FAULTS, FaultProxy, Plan
from tests.e2e.mirror import Mirror
from tests.e2e.traffic import SPECS, Traffic

# A client that failed often waits up to a minute before its next try.
SETTLE_S = 120.0
MOST_BYTES, LIFETIME_BYTES = 1000, 60_000
WATCHED = ",".join(kind.RESOURCE.plural for kind in SPECS)


@dataclass
class Report:
    """What was done to the connections and what came of it; nothing may stand in `faults`."""

    seconds: float = 0.0
    writes: int = 0
    connections: int = 0
    broken: dict[str, int] = field(default_factory=dict[str, int])
    changes_told: int = 0
    rss_mib: list[int] = field(default_factory=list[int])
    faults: list[str] = field(default_factory=list[str])


class Observer:
    """Informers of all kinds behind one proxy, each with two mirrors."""

    def __init__(self, name: str, client: KubeClient, selection: Selection) -> None:
        # The server ends streams after seconds instead of minutes: the good end is met as often as the bad ones.
        options = WatchOptions(
            selection=selection,
            page_size=10,
            shortest_s=1,
            longest_s=4,
            silence_s=2.0,
            first_backoff_s=0.02,
            most_backoff_s=0.5,
        )
        self.name = name
        self.informers = {kind: Informer(client, kind, options=options) for kind in SPECS}
        self.mirrors = {kind: [Mirror(f"{name} {kind.RESOURCE.plural}") for _ in range(2)] for kind in SPECS}
        for kind, informer in self.informers.items():
            for mirror in self.mirrors[kind]:
                informer.add_handler(mirror, "mirror")

    def differs(self, truth: dict[type[Object], dict[str, Object]]) -> list[str]:
        """Where stores or mirrors are not the truth."""
        found: list[str] = []
        for kind, objects in truth.items():
            store = self.informers[kind].store
            copies = [dict(store), *(mirror.copy for mirror in self.mirrors[kind])]
            for which, copy in zip(("store", "mirror 1", "mirror 2"), copies, strict=True):
                found += [
                    f"{self.name} {kind.RESOURCE.plural} {which} {key}: {_version(copy.get(key))}, truth "
                    f"{_version(objects.get(key))}"
                    for key in copy.keys() | objects.keys()
                    if copy.get(key) != objects.get(key)
                ]
        return found

    def faults(self) -> list[str]:
        """What the mirrors objected to."""
        return [fault for mirrors in self.mirrors.values() for mirror in mirrors for fault in mirror.faults]

    def missed(self, traffic: Traffic) -> list[str]:
        """Changes that were lost, told twice or invented; only meaningful where nothing made it list anew."""
        found: list[str] = []
        for kind, mirrors in self.mirrors.items():
            for mirror in mirrors:
                wanted = Counter(traffic.versions[kind])
                if mirror.told != wanted:
                    found.append(f"{mirror.name}: lost {wanted - mirror.told}, too many {mirror.told - wanted}")
                gone = Counter(traffic.deletions[kind])
                if mirror.deleted != gone:
                    found.append(f"{mirror.name}: deletions {gone - mirror.deleted}, {mirror.deleted - gone}")
        return found


class WatchCommand:
    """`koord watch` as a process; its output is folded into what it says exists."""

    def __init__(self, kubeconfig: Path, selector: str) -> None:
        self._arguments = [
            str(Path(sys.executable).parent / "koord"),
            "watch",
            WATCHED,
            "-A",
            "-l",
            selector,
            "-o",
            "json",
            "--silence",
            "3",
            "--kubeconfig",
            str(kubeconfig),
        ]
        self.versions: dict[tuple[str, str], str] = {}
        self.faults: list[str] = []
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "WatchCommand":
        self._process = await asyncio.create_subprocess_exec(
            *self._arguments, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, limit=2**24
        )
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._process is not None
        assert self._reading is not None
        began = time.monotonic()
        if self._process.returncode is not None:
            self.faults.append(f"koord watch ended by itself with {self._process.returncode}")
        else:
            self._process.terminate()
        code = await self._process.wait()
        if code != 0 or time.monotonic() - began > 2:
            self.faults.append(f"koord watch ended with {code} after {time.monotonic() - began:.1f} s")
        await self._reading

    def differs(self, truth: dict[type[Object], dict[str, Object]]) -> list[str]:
        """Where what it printed is not the truth."""
        wanted = {
            (kind.RESOURCE.kind, key): found.metadata.resource_version
            for kind, objects in truth.items()
            for key, found in objects.items()
        }
        return [
            f"koord watch {key}: {self.versions.get(key)}, truth {wanted.get(key)}"
            for key in wanted.keys() | self.versions.keys()
            if wanted.get(key) != self.versions.get(key)
        ]

    async def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            told = orjson.loads(line)
            key = (told["kind"], f"{told['namespace']}/{told['name']}".lstrip("/"))
            if told["type"] == "updated" and told["oldVersion"] != self.versions.get(key):
                self.faults.append(f"koord watch {key}: updated {told['oldVersion']}, told {self.versions.get(key)}")
            if told["type"] == "added" and key in self.versions:
                self.faults.append(f"koord watch {key}: added twice")
            if told["type"] == "deleted":
                if self.versions.pop(key, None) is None:
                    self.faults.append(f"koord watch {key}: deleted twice")
            else:
                self.versions[key] = told["resourceVersion"]


async def soak(cluster: Cluster, namespace: str, seconds: float, *, per_second: float = 60.0, seed: int = 1) -> Report:
    """Write for so long behind faults, wait until everybody agrees with the server, and report."""
    report, began = Report(), time.monotonic()
    selector = f"traffic={seed}"
    async with AsyncExitStack() as stack:
        direct = await stack.enter_async_context(KubeClient(cluster.admin))
        traffic = Traffic(direct, namespace, seed, per_second)
        proxies: list[FaultProxy] = []
        observers: list[Observer] = []

        async def behind(plan: Plan) -> Kubeconfig:
            plan = Plan(plan.weights, most_bytes=MOST_BYTES, lifetime_bytes=LIFETIME_BYTES)
            pair = cluster.server_certificate("proxy")
            made = FaultProxy(cluster.port, pair, cluster.ca, cluster.admin_pair, plan, seed=seed + len(proxies))
            proxies.append(await stack.enter_async_context(made))
            return cluster.kubeconfig_behind(made.address)

        for name, plan in (("network", NETWORK_FAULTS), ("all", ALL_FAULTS)):
            client = await stack.enter_async_context(KubeClient(await behind(plan), request_timeout_s=5))
            observers.append(Observer(name, client, Selection(labels=selector)))
        command = WatchCommand(Path(str((await behind(ALL_FAULTS)).path)), selector)
        async with command:
            for observer in observers:
                await stack.enter_async_context(running(*observer.informers.values()))
            report.rss_mib.append(_rss_mib())
            await traffic.run(seconds)
            report.rss_mib.append(_rss_mib())
            for proxy in proxies:
                proxy.plan = NO_FAULTS
            report.faults += await _settled(direct, selector, observers, command)
        report.writes = traffic.writes
        report.faults += command.faults
        for observer in observers:
            report.faults += observer.faults()
            told = (mirror.told.total() for mirrors in observer.mirrors.values() for mirror in mirrors)
            report.changes_told += sum(told)
        report.faults += observers[0].missed(traffic)
        report.connections = sum(proxy.connections for proxy in proxies)
        broken = sum((proxy.faults for proxy in proxies), Counter())
        report.broken = {fault.value: count for fault, count in broken.items()}
        await traffic.clear()
    report.seconds = time.monotonic() - began
    return report


async def _settled(direct: KubeClient, selector: str, observers: list[Observer], command: WatchCommand) -> list[str]:
    """Wait until nobody differs from the server any more; what still differs at the end."""
    truth: dict[type[Object], dict[str, Object]] = {}
    for kind in SPECS:
        listing = await list_all(direct, kind, Selection(labels=selector))
        truth[kind] = {key_of(found.metadata): found for found in listing.items}
    end = time.monotonic() + SETTLE_S
    while True:
        found = [text for observer in observers for text in observer.differs(truth)] + command.differs(truth)
        if not found or time.monotonic() > end:
            return found
        await asyncio.sleep(0.2)


def _version(found: Object | None) -> str:
    return found.metadata.resource_version if found is not None else "absent"


def _rss_mib() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20


def main() -> int:
    """Run on a cluster of its own; 1 when anybody saw something else than what was done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--per-second", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    with Cluster() as cluster:
        cluster.apply_crds()
        report = asyncio.run(
            soak(cluster, "default", options.seconds, per_second=options.per_second, seed=options.seed)
        )
    print(orjson.dumps({"seed": options.seed, "ok": not report.faults} | asdict(report)).decode(), flush=True)
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
