"""`python -m tools.vector_sample DIR`: tests/vectors/sample, the shortest lines of each vector file below DIR.

Ten lines of each file, all together at most a megabyte.
"""

import sys
from pathlib import Path

from tools.vectors import SAMPLE

LINES = 10
MAX_BYTES = 1_000_000


def main(folder: Path) -> int:
    """Write the sample anew; 2 when there is nothing to take it from."""
    files = sorted(folder.rglob("*.jsonl"))
    if not files:
        print(f"no *.jsonl below {folder}", file=sys.stderr)
        return 2
    total = 0
    for file in files:
        lines = sorted(file.read_bytes().splitlines(keepends=True), key=len)[:LINES]
        total += sum(map(len, lines))
        target = SAMPLE / file.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(b"".join(lines))
    print(f"{len(files)} files, {total} bytes")
    return 0 if total <= MAX_BYTES else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
