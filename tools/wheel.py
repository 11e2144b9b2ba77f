"""`make wheel`: dist/koord-*.whl, with everything compiled vendored in and no path of this machine in it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
MATURIN = Path(sys.executable).parent / "maturin"


def build_environment() -> dict[str, str]:
    """Compiler settings that keep build paths out of the binary, and the target folder for what they rebuild."""
    environment = dict(os.environ)
    cargo_home = environment.get("CARGO_HOME", str(Path.home() / ".cargo"))
    target = Path(environment["CARGO_TARGET_DIR"]) / "wheel"
    renamed = {
        f"{cargo_home}/registry/src": "/crates",
        str(ROOT): "/koord",
        str(target): "/target",
        str(Path.home()): "/home",
    }
    environment["CARGO_TARGET_DIR"] = str(target)
    environment["CARGO_INCREMENTAL"] = "0"
    environment["CARGO_PROFILE_RELEASE_LTO"] = "thin"
    environment["CARGO_PROFILE_RELEASE_CODEGEN_UNITS"] = "4"
    environment["RUSTFLAGS"] = " ".join(f"--remap-path-prefix={old}={new}" for old, new in renamed.items())
    environment["CFLAGS"] = " ".join(f"-ffile-prefix-map={old}={new}" for old, new in renamed.items())
    return environment


def main() -> int:
    """Build the wheel; prints its path."""
    shutil.rmtree(DIST, ignore_errors=True)
    command = [MATURIN, "build", "--release", "--quiet", "--locked", "--features", "bundled", "--out", DIST]
    status = subprocess.run(command, check=False, cwd=ROOT, env=build_environment()).returncode
    for wheel in DIST.glob("*.whl"):
        print(wheel.relative_to(ROOT))
    return status


if __name__ == "__main__":
    sys.exit(main())
