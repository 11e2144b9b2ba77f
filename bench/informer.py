"""The client layer at scale: listing 10,000 pods, and 150,000 pods with 5,000 nodes in informers' stores."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bench.harness.result import Result, judged, printed

LISTED, KEPT_PODS, KEPT_NODES = 10_000, 150_000, 5_000
LIST_TARGET_S, PEAK_TARGET, STORE_TARGET_GB = 1.0, 6.0, 1.5
RUNS = 5

KUBECONFIG = """
apiVersion: v1
kind: Config
current-context: bench
contexts: [{name: bench, context: {cluster: bench, user: bench}}]
clusters: [{name: bench, cluster: {server: "http://127.0.0.1:%d"}}]
users: [{name: bench, user: {token: none}}]
"""


def measure(machine: dict[str, str | float]) -> list[Result]:
    """Time and memory of a list, memory of the stores."""
    with serving(LISTED, 1) as config:
        runs = [child("list", config) for _ in range(RUNS)]
        size = body_bytes(config)
    best = min(runs, key=lambda run: run["seconds"])
    machine["pod_bytes"] = round(size / LISTED)
    with serving(KEPT_PODS, KEPT_NODES) as config:
        store = child("store", config)
    kept = f"{store['pods']:.0f} pods of {size / LISTED / 1000:.1f} kB, {store['nodes']:.0f} nodes, the whole process"
    return [
        judged(
            "list_10k_s",
            best["seconds"],
            "s",
            "<",
            LIST_TARGET_S,
            f"listed in pages and decoded; least of {RUNS} processes; {best['cpu']:.2f} s of CPU",
        ),
        judged("list_peak_ratio", best["peak_bytes"] / size, "x body", "<", PEAK_TARGET, f"body {size / 1e6:.0f} MB"),
        judged("store_gb", store["bytes"] / 1e9, "GB", "<", STORE_TARGET_GB, kept),
        printed("store_kb_per_pod", store["bytes"] / store["pods"] / 1e3, "kB"),
        printed("store_sync_s", store["seconds"], "s", "includes making the pods"),
    ]


@contextmanager
def serving(pods: int, nodes: int) -> Generator[Path]:
    """A server with so many objects, in a process of its own; gives a kubeconfig for it."""
    command = [sys.executable, "-m", "bench.harness.podserver", str(pods), str(nodes)]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
    ):
        try:
            assert server.stdout is not None
            config = Path(folder, "kubeconfig")
            config.write_text(KUBECONFIG % int(server.stdout.readline()))
            yield config
        finally:
            server.kill()


def child(what: str, config: Path) -> dict[str, float]:
    """Measure in a fresh process."""
    command = [sys.executable, "-m", "bench.harness.informerload", what, str(config)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=540).stdout)


def body_bytes(config: Path) -> int:
    """Bytes of all pods as the server sends them."""
    command = [sys.executable, "-m", "bench.harness.informerload", "size", str(config)]
    return int(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["bytes"])
