"""The wheel is complete: it installs into an empty environment without a compiler and `koord top` works from it."""

import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OUR_PACKAGES = {"koord", "koordlet", "manager"}
# What every Linux has; all else is linked in.
SYSTEM_LIBRARIES = {"libc.so.6", "libgcc_s.so.1", "libm.so.6", "ld-linux-x86-64.so.2"}


@pytest.fixture(scope="module")
def wheel() -> Path:
    built = subprocess.run([sys.executable, "-m", "tools.wheel"], cwd=ROOT, check=True, capture_output=True, text=True)
    return ROOT / built.stdout.strip()


@pytest.fixture(scope="module")
def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an empty environment that the wheel was installed into, with no compiler on PATH."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=False)
    uv = Path(sys.executable).parent / "uv"
    target = ["--python", str(home / "bin" / "python"), "--quiet"]
    bare = os.environ | {"PATH": "/nonexistent"}
    for what in (["--require-hashes", "-r", str(ROOT / "requirements" / "runtime.lock")], ["--no-deps", str(wheel)]):
        subprocess.run([uv, "pip", "install", *target, *what], check=True, env=bare)
    return home / "bin"


def test_the_wheel_fits_every_python_from_3_11_on(wheel: Path):
    assert re.fullmatch(r"koord-[\d.]+-cp311-abi3-manylinux_2_\d+_x86_64\.whl", wheel.name)


def test_the_wheel_has_our_packages_and_nothing_else(contents: dict[str, bytes]):
    top_level = {name.split("/")[0] for name in contents if ".dist-info/" not in name}
    assert top_level == OUR_PACKAGES


def test_no_file_names_a_path_of_the_build(contents: dict[str, bytes]):
    paths = [str(ROOT).encode(), str(Path.home()).encode() + b"/", os.environ["CARGO_TARGET_DIR"].encode()]
    assert [(name, path) for name, data in contents.items() for path in paths if path in data] == []


def test_licences_of_what_is_linked_in_are_inside(contents: dict[str, bytes]):
    licences = {Path(name).name: data for name, data in contents.items() if ".dist-info/licenses/" in name}
    assert licences.keys() == {"LICENSE", "THIRD-PARTY-NOTICES.txt"}
    for part in (b"libbpf-rs", b"libbpf-sys", b"elfutils", b"zlib", b"pyo3"):
        assert part in licences["THIRD-PARTY-NOTICES.txt"]


def test_the_locked_versions_satisfy_the_requirements(contents: dict[str, bytes]):
    metadata = next(data for name, data in contents.items() if name.endswith(".dist-info/METADATA"))
    about = Parser().parsestr(metadata.decode())
    required = {re.split("[>=<~!]", line)[0] for line in about.get_all("Requires-Dist") or []}
    locked = {
        line.split("==")[0] for line in (ROOT / "requirements" / "runtime.lock").read_text().split() if "==" in line
    }
    assert required
    assert required <= locked


def test_the_extension_needs_no_library_beyond_the_systems_own(installed: Path):
    core = next(installed.parent.glob("lib/python*/site-packages/koord/_core.abi3.so"))
    needed = subprocess.run(["objdump", "-p", core], check=True, capture_output=True, text=True).stdout
    assert set(re.findall(r"NEEDED\s+(\S+)", needed)) <= SYSTEM_LIBRARIES


def test_koord_top_works_from_the_wheel(installed: Path):
    command = [installed / "koord", "top", "--once", "--interval", "0.2", "--output", "json"]
    bare = {"PATH": "/nonexistent"}
    done = subprocess.run(command, cwd="/", env=bare, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert "/" in {row["cgroup"] for row in shown["rows"]}
