"""Scheduler configurations to compare: built-in ones by name, others from KubeSchedulerConfiguration files."""

from pathlib import Path
from typing import Any, cast

import msgspec
import orjson
import yaml

from koord.sim.trace import TraceError

POLICIES = {
    "capacity-potential": "CapacityPotential",
    "fragmentation-gradient": "FragmentationGradientDescent",
    "best-fit": "BestFit",
}
DEFAULT = "capacity-potential"


class Configuration(msgspec.Struct, frozen=True):
    """A named KubeSchedulerConfiguration (JSON)."""

    name: str
    raw: bytes


def load(name: str) -> Configuration:
    """A built-in configuration, or the one in a file. Raises TraceError."""
    if name in POLICIES:
        return Configuration(name, orjson.dumps(gpu_profile(POLICIES[name])))
    path = Path(name)
    try:
        document = yaml.safe_load(path.read_text())
    except OSError as error:
        known = ", ".join(POLICIES)
        raise TraceError(f"{name}: {error.strerror}; built-in configurations: {known}") from error
    except yaml.YAMLError as error:
        raise TraceError(f"{path}: {error}") from error
    if not isinstance(document, dict):
        raise TraceError(f"{path}: found {type(document).__name__}, allowed: a KubeSchedulerConfiguration")
    kind = cast(dict[str, Any], document).get("kind")
    if kind != "KubeSchedulerConfiguration":
        raise TraceError(f"{path}: kind: found {kind!r}, allowed: KubeSchedulerConfiguration")
    return Configuration(path.stem, orjson.dumps(document))


def gpu_profile(policy: str) -> dict[str, Any]:
    """A profile that filters as usual and scores by the use of GPUs alone."""
    return {
        "kind": "KubeSchedulerConfiguration",
        "profiles": [
            {
                "plugins": {
                    "multiPoint": {"enabled": [{"name": "GPUShare"}]},
                    "score": {"disabled": [{"name": "*"}], "enabled": [{"name": "GPUShare", "weight": 1}]},
                },
                "pluginConfig": [{"name": "GPUShare", "args": {"policy": policy}}],
            }
        ],
    }
