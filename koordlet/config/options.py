"""What the agent was asked to do: flags and environment turned into checked values."""

import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from koord.log import LogFormat, Verbosity, VerbosityError, parse_vmodule
from koordlet.config.flags import FLAGS
from koordlet.config.gates import parse_gates
from koordlet.config.goflag import FlagError, Value, parse, parse_value

Tier = Literal["auto", "bpf-css", "bpf-iter", "files"]

MIN_INTERVAL_S = 0.1
SERVICE_ACCOUNT_TOKEN = Path("/var/run/secrets/kubernetes.io/serviceaccount/token")

# Reference flags that parts of this agent read; the others are accepted so that an existing command line starts.
READ = frozenset(
    {
        "addr", "feature-gates", "v", "vmodule", "logtostderr", "log-format",
        "cgroup-root-dir", "sys-root-dir", "proc-root-dir", "socket-path", "lock-path",
        "collect-res-used-interval", "collect-node-cpu-info-interval", "collect-node-storage-info-interval",
        "psi-collector-interval", "default-runtime-type", "enable-pagecache-collector",
        "collector-tier", "node-window", "group-window",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Options:
    """The agent's settings; times in seconds."""

    node_name: str
    address: str
    """Empty: every address of this host."""
    port: int
    socket_path: Path
    lock_path: Path
    cgroup_root_dir: Path | None
    """None: wherever the hierarchies are mounted."""
    sys_root: Path
    proc_root: Path
    collect_interval_s: float
    cpu_info_interval_s: float
    storage_interval_s: float
    psi_interval_s: float
    default_runtime: str
    """Of containers whose cgroup does not tell it."""
    with_page_cache: bool
    tier: Tier
    node_window_s: float
    group_window_s: float
    gates: Mapping[str, bool]
    log_format: LogFormat
    verbosity: Verbosity
    without_effect: tuple[str, ...]
    """Flags that were given and that nothing reads."""


def read_options(arguments: Sequence[str], environment: Mapping[str, str]) -> Options:
    """Check flags and environment; FlagError says which one is wrong and what is allowed."""
    given = parse(FLAGS, arguments)
    values = {flag.name: given.get(flag.name, _default(flag.name)) for flag in FLAGS}
    on_host = _on_host(environment)
    address, port = _listen_address(str(values["addr"]) or _default_address(environment))
    return Options(
        node_name=environment.get("NODE_NAME") or socket.gethostname(),
        address=address,
        port=port,
        socket_path=Path(str(values["socket-path"])),
        lock_path=Path(str(values["lock-path"])),
        cgroup_root_dir=_cgroup_root_dir(str(values["cgroup-root-dir"]), on_host),
        sys_root=Path(str(values["sys-root-dir"]) or ("/sys" if on_host else "/host-sys")),
        proc_root=Path(str(values["proc-root-dir"]) or "/proc"),
        collect_interval_s=_interval_s(values, "collect-res-used-interval"),
        cpu_info_interval_s=_interval_s(values, "collect-node-cpu-info-interval"),
        storage_interval_s=_interval_s(values, "collect-node-storage-info-interval"),
        psi_interval_s=_interval_s(values, "psi-collector-interval"),
        default_runtime=str(values["default-runtime-type"]),
        with_page_cache=bool(values["enable-pagecache-collector"]),
        tier=_tier(str(values["collector-tier"])),
        node_window_s=_interval_s(values, "node-window"),
        group_window_s=_interval_s(values, "group-window"),
        gates=parse_gates(str(values["feature-gates"])),
        log_format=_log_format(str(values["log-format"])),
        verbosity=_verbosity(values),
        without_effect=tuple(sorted(given.keys() - READ)),
    )


def _default(name: str) -> Value:
    flag = _BY_NAME[name]
    return parse_value(flag, flag.default)


def _on_host(environment: Mapping[str, str]) -> bool:
    """Koordinator's `agent_mode`; unset means the DaemonSet's mounts where they exist, else the host's own paths."""
    mode = environment.get("agent_mode")
    return not os.path.isdir("/host-cgroup") if mode is None else mode == "hostMode"


def _default_address(environment: Mapping[str, str]) -> str:
    in_cluster = "KUBERNETES_SERVICE_HOST" in environment and SERVICE_ACCOUNT_TOKEN.exists()
    return ":9316" if in_cluster else "127.0.0.1:9316"


def _listen_address(text: str) -> tuple[str, int]:
    host, separator, port = text.rpartition(":")
    if not separator or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise FlagError(f"flag -addr: found {text!r}, expected HOST:PORT or :PORT")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _cgroup_root_dir(text: str, on_host: bool) -> Path | None:
    if text:
        return Path(text)
    return None if on_host else Path("/host-cgroup")


def _interval_s(values: Mapping[str, Value], name: str) -> float:
    interval_s = float(values[name])
    if not MIN_INTERVAL_S <= interval_s <= 86400:
        raise FlagError(f"flag -{name}: found {interval_s:g}s, allowed are {MIN_INTERVAL_S:g}s to 24h")
    return interval_s


def _tier(text: str) -> Tier:
    if text not in ("auto", "bpf-css", "bpf-iter", "files"):
        raise FlagError(f"flag -collector-tier: found {text!r}, allowed are auto, bpf-css, bpf-iter and files")
    return text


def _log_format(text: str) -> LogFormat:
    if text not in ("logfmt", "json"):
        raise FlagError(f"flag -log-format: found {text!r}, allowed are logfmt and json")
    return text


def _verbosity(values: Mapping[str, Value]) -> Verbosity:
    try:
        return Verbosity(int(values["v"]), parse_vmodule(str(values["vmodule"])))
    except VerbosityError as error:
        raise FlagError(f"flag -vmodule: {error}") from None


_BY_NAME = {flag.name: flag for flag in FLAGS}
