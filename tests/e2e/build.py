"""Builds the real control plane from its Go modules, once per set of locked versions.

The binaries lie under $KOORD_CACHE/e2e-HASH, HASH being that of the go.mod and go.sum files: a changed lock builds
anew, an unchanged one is found in milliseconds. Two builders at the same time wait for each other.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
VERSION_PACKAGES = ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")


@dataclass(frozen=True)
class Module:
    """A folder with a go.mod whose `tool` lines are the programs to build."""

    folder: Path
    programs: tuple[str, ...]
    renamed: dict[str, str]


MODULES = (
    Module(HERE / "etcd", ("etcd",), {"server": "etcd"}),
    Module(
        HERE / "controlplane", ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"), renamed={}
    ),
)


def cache_root() -> Path:
    """Where builds are kept: $KOORD_CACHE, else the user's cache folder, as the Makefile decides."""
    if configured := os.environ.get("KOORD_CACHE"):
        return Path(configured)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "koord"


def binaries_folder() -> Path:
    """The folder of this lock's binaries, which need not exist yet."""
    digest = hashlib.sha256()
    for module in MODULES:
        for name in ("go.mod", "go.sum"):
            digest.update((module.folder / name).read_bytes())
    return cache_root() / f"e2e-{digest.hexdigest()[:16]}"


def kubernetes_version() -> str:
    """The version that the lock requires, for example v1.35.4."""
    text = (HERE / "controlplane" / "go.mod").read_text()
    found = re.search(r"k8s\.io/kubernetes (v\d+\.\d+\.\d+)", text)
    if found is None:
        raise RuntimeError("controlplane/go.mod requires no k8s.io/kubernetes")
    return found[1]


def link_flags() -> str:
    """Linker flags that stamp the version; kubectl cannot parse the unstamped one and refuses to compare."""
    version = kubernetes_version()
    major, minor, _ = version.removeprefix("v").split(".")
    stamps = {"gitVersion": version, "gitMajor": major, "gitMinor": minor, "gitTreeState": "clean"}
    return " ".join(
        ["-s", "-w", *(f"-X {package}.{key}={value}" for package in VERSION_PACKAGES for key, value in stamps.items())]
    )


def is_built() -> bool:
    """Whether all programs of this lock are there."""
    return all((binaries_folder() / program).exists() for module in MODULES for program in module.programs)


def build() -> Path:
    """Return the folder with etcd, the control plane and kubectl, building what is absent.

    Raises subprocess.CalledProcessError, with the compiler's message on stderr, when a build fails.
    """
    folder = binaries_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for abandoned in folder.glob(".building-*"):
            shutil.rmtree(abandoned)
        for module in MODULES:
            if any(not (folder / program).exists() for program in module.programs):
                _build_module(module, folder)
    return folder


def _build_module(module: Module, folder: Path) -> None:
    print(f"building {', '.join(module.programs)} (once per version)", file=sys.stderr, flush=True)
    start = time.monotonic()
    staging = folder / f".building-{os.getpid()}"
    staging.mkdir()
    environment = os.environ | {"CGO_ENABLED": "0"}
    try:
        subprocess.run(
            ["go", "build", "-mod=readonly", "-trimpath", f"-ldflags={link_flags()}", "-o", f"{staging}/", "tool"],
            cwd=module.folder,
            env=environment,
            check=True,
        )
        for binary in staging.iterdir():
            binary.rename(folder / module.renamed.get(binary.name, binary.name))
    finally:
        shutil.rmtree(staging)
    print(f"built in {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)


def main() -> int:
    """Build what is absent; without Go there is nothing to build with, and the tests that need it are skipped."""
    if not is_built() and shutil.which("go") is None:
        print("building the control plane needs Go: its tests will be skipped")
        return 0
    print(build())
    return 0


if __name__ == "__main__":
    sys.exit(main())
