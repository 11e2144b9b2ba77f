"""/proc/cpuinfo: what the processor calls itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CpuModel:
    """Names as the kernel gives them; empty where it gives none (arm64 has no model name)."""

    model: str
    vendor: str


def parse_cpuinfo(data: bytes) -> CpuModel:
    """The first `model name` and `vendor_id`; any bytes give a value."""
    found: dict[str, str] = {}
    for line in data.decode("utf-8", "replace").splitlines():
        name, separator, value = line.partition(":")
        if separator:
            found.setdefault(name.strip().lower(), value.strip())
        if "model name" in found and "vendor_id" in found:
            break
    return CpuModel(found.get("model name", ""), found.get("vendor_id", ""))
