"""The built wheel: its size, and which libraries its extension needs at run time."""

import subprocess
import tempfile
import zipfile
from pathlib import Path

from bench.harness.result import Result, judged, not_measurable

PLATFORM_LIBRARIES = ("libc.so", "libgcc_s.so", "ld-linux", "libm.so", "libpthread.so", "libdl.so", "librt.so")
"""What every Linux with glibc has: glibc's own libraries and the compiler's run-time library."""

SIZE_TARGET_KB, LIBRARIES_TARGET = 1500, 0


def wheel_results(folder: Path) -> list[Result]:
    """Size and needed libraries of the newest wheel in a folder; null when none has been built."""
    wheels = sorted(folder.glob("koord-*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        why = "no wheel has been built (make wheel)"
        return [
            not_measurable("wheel_kb", "kB", "<=", SIZE_TARGET_KB, why),
            not_measurable("wheel_libraries", "libraries", "<=", LIBRARIES_TARGET, why),
        ]
    wheel = wheels[-1]
    others = other_libraries(needed_libraries(wheel))
    return [
        judged("wheel_kb", wheel.stat().st_size / 1000, "kB", "<=", SIZE_TARGET_KB, wheel.name),
        judged("wheel_libraries", len(others), "libraries", "<=", LIBRARIES_TARGET, " ".join(others) or "beyond glibc"),
    ]


def other_libraries(needed: list[str]) -> list[str]:
    """The libraries that not every Linux with glibc has."""
    return [name for name in needed if not name.startswith(PLATFORM_LIBRARIES)]


def needed_libraries(wheel: Path) -> list[str]:
    """The dynamic libraries that the wheel's extension names."""
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        extension = next(name for name in archive.namelist() if name.endswith(".so"))
        path = archive.extract(extension, folder)
        output = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
    return [line.split("[")[1].rstrip("]") for line in output.splitlines() if "(NEEDED)" in line]
