"""`make vectors [VECTORS=DIR]`: every recorded input below DIR against our code.

A file `x.jsonl` is checked by `tests/vectors/x.py`, wherever it lies: `check(line)` returns None when our answer is
the recorded one, otherwise both of them in words. Exit 0 only when every file that has a runner passed in full.
"""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

RUNNERS = Path(__file__).parent.parent / "tests" / "vectors"
# Beside the checkout where there is one, else the sample that is committed.
RECORDED = Path(__file__).parent.parent.parent / "shared" / "vectors"
SAMPLE = RUNNERS / "sample"

Check = Callable[[dict[str, Any]], str | None]


def recorded_folder() -> Path:
    """All recorded inputs where they lie beside the checkout, else the committed sample."""
    return RECORDED if RECORDED.is_dir() else SAMPLE


def runner_for(file: Path) -> Check | None:
    """The check for a vector file, None when its component does not exist yet."""
    module_path = RUNNERS / f"{file.stem}.py"
    if not module_path.exists():
        return None
    spec = importlib.util.spec_from_file_location(f"vectors_{file.stem}", module_path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.check


def verdict(check: Check, line: dict[str, Any]) -> str | None:
    """What is wrong with our answer; an exception is one."""
    try:
        return check(line)
    except Exception as error:  # whatever a line provokes is that line's failure
        return f"{type(error).__name__}: {error}"


def run_file(file: Path, check: Check | None) -> bool | None:
    """Print `FILE passed/total` and the first three failures; False when a line failed, None without a runner."""
    lines = [orjson.loads(text) for text in file.read_bytes().splitlines() if text.strip()]
    if check is None:
        print(f"{file.name} 0/{len(lines)} no runner")
        return None
    failures = [(line["id"], wrong) for line in lines if (wrong := verdict(check, line)) is not None]
    print(f"{file.name} {len(lines) - len(failures)}/{len(lines)}", flush=True)
    for line_id, wrong in failures[:3]:
        print(f"  {line_id}: {wrong}")
    return not failures


def main(arguments: list[str]) -> int:
    """Run all files below the folder; 2 when there are none."""
    folder = Path(arguments[0]) if arguments else recorded_folder()
    files = sorted(folder.rglob("*.jsonl"))
    if not files:
        print(f"no *.jsonl below {folder}", file=sys.stderr)
        return 2
    results = [run_file(file, runner_for(file)) for file in files]
    failed = results.count(False)
    print(f"{results.count(True)} passed, {failed} failed, {results.count(None)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
