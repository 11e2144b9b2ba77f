"""BPF objects for machines without clang: `python -m tools.prebuilt` compiles them; `--check` fails on outdated ones.

Objects differ with the compiler, so what is compared is the hash of their sources, recorded when they were compiled.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BPF = Path("bpf")
PREBUILT = BPF / "prebuilt"
RECORD = PREBUILT / "SOURCES.sha256"
# Rust's name of each architecture, libbpf's name of it.
ARCHITECTURES = {"x86_64": "x86", "aarch64": "arm64"}


def recorded_hashes() -> str:
    """The record that current objects would have: `sha256sum` lines of every source."""
    sources = sorted([*BPF.glob("*.h"), *BPF.glob("*.c")])
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sources)


def libbpf_headers() -> Path:
    """The sources of the libbpf that the extension links, from the locked libbpf-sys crate."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    packages = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["packages"]
    manifest = next(package["manifest_path"] for package in packages if package["name"] == "libbpf-sys")
    return Path(manifest).parent / "libbpf" / "src"


def compile_objects(into: Path) -> None:
    """Compile every object for every architecture, as the build script of koord-probes does."""
    clang = os.environ.get("KOORD_CLANG") or "clang"
    strip = os.environ.get("KOORD_LLVM_STRIP") or shutil.which("llvm-strip")
    with tempfile.TemporaryDirectory() as include:
        (Path(include) / "bpf").symlink_to(libbpf_headers())
        for architecture, target in ARCHITECTURES.items():
            for source in sorted(BPF.glob("*.bpf.c")):
                name = f"{source.name.removesuffix('.bpf.c')}.{architecture}.bpf.o"
                flags = ["-g", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-target", "bpf"]
                flags += ["-mcpu=v3", f"-D__TARGET_ARCH_{target}", "-isystem", include, "-ffile-compilation-dir=bpf"]
                target_file = (into / name).resolve()
                subprocess.run([clang, *flags, "-c", source.name, "-o", target_file], check=True, cwd=BPF)
                if strip:
                    subprocess.run([strip, "-g", target_file], check=True)


def check() -> int:
    """1 when an object is missing or the sources have changed since the objects were compiled."""
    expected = {
        f"{source.name.removesuffix('.bpf.c')}.{architecture}.bpf.o"
        for source in BPF.glob("*.bpf.c")
        for architecture in ARCHITECTURES
    }
    missing = expected - {path.name for path in PREBUILT.glob("*.bpf.o")}
    if missing or not RECORD.exists() or RECORD.read_text() != recorded_hashes():
        why = f"missing: {', '.join(sorted(missing))}" if missing else "their sources have changed"
        print(f"{PREBUILT}: {why}; run python -m tools.prebuilt", file=sys.stderr)
        return 1
    if os.environ.get("KOORD_CLANG") or shutil.which("clang"):
        with tempfile.TemporaryDirectory() as scratch:
            compile_objects(Path(scratch))
    return 0


def main() -> int:
    """Compile the objects, or check them."""
    if "--check" in sys.argv[1:]:
        return check()
    for stale in PREBUILT.glob("*.bpf.o"):
        stale.unlink()
    PREBUILT.mkdir(exist_ok=True)
    compile_objects(PREBUILT)
    RECORD.write_text(recorded_hashes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
