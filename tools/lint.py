"""`make lint`: every static check, all of them run, then one verdict."""

import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent
BPF = sorted(str(path) for pattern in ("*.c", "*.h") for path in Path("bpf").glob(pattern))

CHECKS: list[list[str]] = [
    [f"{BIN}/ruff", "check", "--quiet", "."],
    [f"{BIN}/ruff", "format", "--check", "--quiet", "."],
    [f"{BIN}/basedpyright", "--level", "warning", "--warnings"],
    [f"{BIN}/lint-imports", "--no-cache"],
    ["cargo", "fmt", "--check"],
    ["cargo", "clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"],
    [f"{BIN}/clang-format", "--dry-run", "-Werror", *BPF],
    [sys.executable, "-m", "tools.prebuilt", "--check"],
    [sys.executable, "-m", "tools.notices", "--check"],
    [f"{BIN}/pytest", "-q", "tests/project"],
]


def main() -> int:
    """Run the checks; 1 when any of them failed."""
    failed: list[str] = []
    for command in CHECKS:
        name = " ".join([Path(command[0]).name, *command[1:2]])
        if subprocess.run(command, check=False).returncode != 0:
            failed.append(name)
    print(f"lint: {len(CHECKS) - len(failed)} passed, {len(failed)} failed" + "".join(f"\n  {name}" for name in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
