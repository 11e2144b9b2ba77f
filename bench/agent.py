"""What the node agent costs in a minute: memory and CPU on a node with 110 pods of 2 containers, scraped each 15 s."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from pathlib import Path

from bench.harness.cgroups import Tree, machine_hierarchies, set_quota
from bench.harness.kubelet_layout import kubelet_layout
from bench.harness.load import Job, running
from bench.harness.process import bpf_seconds, bpf_statistics, cpu_seconds, rss_bytes
from bench.harness.result import Result, judged, not_measurable, printed

PODS, CONTAINERS_PER_POD = 110, 2
ACTIVE, DUTY = 40, 0.01
SECONDS, SCRAPE_SECONDS = 60, 15
RSS_TARGET_MIB, CPU_TARGET_PERCENT = 80, 0.5
READY_TIMEOUT = 60

KOORDLET = str(Path(sys.executable).with_name("koordlet"))


def measure(machine: dict[str, str | float]) -> list[Result]:
    """Memory at its highest, CPU of the process and of its BPF programs. Needs root."""
    layout = kubelet_layout(PODS, CONTAINERS_PER_POD)
    throttled, *others = layout.containers
    with Tree(machine_hierarchies(), f"koord-bench-{os.getpid()}") as tree:
        tree.make(layout.names)
        set_quota(tree, throttled, quota_us=10_000, period_us=100_000)
        duties = [DUTY] * ACTIVE + [0.0] * (len(others) - ACTIVE)
        jobs = [Job(1, tree.folders(throttled))]
        jobs += [Job(duty, tree.folders(name)) for name, duty in zip(others, duties, strict=True)]
        with running(jobs), koordlet() as (agent, address):
            machine["cgroups"] = len(tree.made)
            results = observe(agent, address)
            page = scrape(address)
    shown = sum(uid in page for uid in layout.pod_uids)
    return [*results, judged("pods_shown", shown, "pods", ">=", PODS, "with a series in /metrics")]


def observe(agent: int, address: str) -> list[Result]:
    """Watch the agent for its minute."""
    resident: list[float] = []
    with counted_bpf() as refused:
        start, cpu, bpf = time.monotonic(), cpu_seconds(agent), bpf_seconds(agent)
        for second in range(SECONDS):
            if second % SCRAPE_SECONDS == 0:
                scrape(address)
            time.sleep(max(0, start + second + 1 - time.monotonic()))
            resident.append(rss_bytes(agent) / 2**20)
        wall = time.monotonic() - start
        cpu_percent = (cpu_seconds(agent) - cpu) / wall * 100
        bpf_percent = (bpf_seconds(agent) - bpf) / wall * 100
    why = f"process {cpu_percent:.3f} % + BPF {bpf_percent:.3f} % (walks, which run in the process, count twice)"
    return [
        judged("rss_mib", max(resident), "MiB", "<", RSS_TARGET_MIB, f"highest of {len(resident)} samples"),
        not_measurable("cpu_percent", "% of a core", "<", CPU_TARGET_PERCENT, refused)
        if refused
        else judged("cpu_percent", cpu_percent + bpf_percent, "% of a core", "<", CPU_TARGET_PERCENT, why),
        printed("cpu_percent_process", cpu_percent, "% of a core", "user and kernel; part of cpu_percent"),
    ]


@contextlib.contextmanager
def counted_bpf() -> Generator[str]:
    """Have BPF run times counted; yields why that cannot be, or nothing."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(bpf_statistics())
        except OSError as error:
            yield f"BPF run times: {error}"
            return
        yield ""


@contextlib.contextmanager
def koordlet() -> Generator[tuple[int, str]]:
    """Run the agent by itself with every collector on; its process id and address, once it is ready."""
    address = f"127.0.0.1:{free_port()}"
    with tempfile.TemporaryDirectory(prefix="koord-bench-") as folder:
        command = [KOORDLET, f"-addr={address}", "-enable-pagecache-collector=true", "-collect-res-used-interval=1s"]
        command += [f"-socket-path={folder}/koordlet.sock", f"-lock-path={folder}/koordlet.lock"]
        log = Path(folder, "log")
        with log.open("wb") as output:
            agent = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            wait_until_ready(agent, address, log)
            yield agent.pid, address
        finally:
            agent.terminate()
            try:
                agent.wait(10)
            except subprocess.TimeoutExpired:
                agent.kill()
                agent.wait()


def free_port() -> int:
    """A port of the loopback address that nothing listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_ready(agent: subprocess.Popen[bytes], address: str, log: Path) -> None:
    """Wait for the agent's first complete samples. RuntimeError with its log when it ends or takes too long."""
    deadline = time.monotonic() + READY_TIMEOUT
    while True:
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            get(address, "/readyz")
            return
        if agent.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"koordlet was not ready in {READY_TIMEOUT} s:\n{log.read_text()[-2000:]}")
        time.sleep(0.2)


def get(address: str, path: str) -> str:
    """The body of a page. URLError when it is not served or says no."""
    with urllib.request.urlopen(f"http://{address}{path}", timeout=10) as answer:
        return answer.read().decode()


def scrape(address: str) -> str:
    """What Prometheus would read."""
    return get(address, "/metrics")
