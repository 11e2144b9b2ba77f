"""`make notices`: THIRD-PARTY-NOTICES.txt, the licence texts of everything that is linked into the wheel."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
NOTICES = ROOT / "THIRD-PARTY-NOTICES.txt"
SHIPPED = "koord-pymodule"
TEXTS = ("LICENSE*", "LICENCE*", "COPYING*", "NOTICE*")
# C libraries that a crate brings along and links in, below that crate's folder.
BUNDLED = {"libbpf-sys": ["libbpf", "elfutils", "zlib"]}


def linked_packages() -> list[dict[str, Any]]:
    """Packages of the dependency graph that end up in the extension: no build, test or macro code, none of ours."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--features", f"{SHIPPED}/bundled"]
    command += ["--filter-platform", "x86_64-unknown-linux-gnu"]
    graph = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in graph["packages"]}
    nodes = {node["id"]: node for node in graph["resolve"]["nodes"]}
    found: set[str] = set()
    waiting = [identity for identity, package in packages.items() if package["name"] == SHIPPED]
    while waiting:
        identity = waiting.pop()
        macro = any("proc-macro" in target["kind"] for target in packages[identity]["targets"])
        if identity in found or macro:
            continue
        found.add(identity)
        normal = [dep for dep in nodes[identity]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
        waiting += [dep["pkg"] for dep in normal]
    linked = [packages[identity] for identity in found if packages[identity]["source"] is not None]
    return sorted(linked, key=lambda package: package["name"])


def texts(folder: Path) -> list[str]:
    """Licence texts that lie in a folder, each once, by file name."""
    files = sorted({path for pattern in TEXTS for path in folder.glob(pattern) if path.is_file()})
    return list(dict.fromkeys(path.read_text(errors="replace").strip() for path in files))


def notices() -> str:
    """The whole document: one section per package, a text that several share only once."""
    sections: list[str] = []
    first_user: dict[str, str] = {}
    for package in linked_packages():
        folder = Path(package["manifest_path"]).parent
        parts = {f"{package['name']} {package['version']} ({package['license']})": texts(folder)}
        for library in BUNDLED.get(package["name"], []):
            parts[f"{library}, linked in by {package['name']}"] = texts(folder / library)
        for title, licences in parts.items():
            shown = [licence if licence not in first_user else f"As {first_user[licence]}." for licence in licences]
            first_user |= {licence: title for licence in licences if licence not in first_user}
            sections.append("\n\n".join([f"{'=' * 100}\n{title}", *shown]))
    return "What is linked into the compiled extension of this package, and under which terms.\n\n" + "\n\n".join(
        sections
    )


def main() -> int:
    """Write the file; with --check only say whether it is up to date."""
    wanted = notices() + "\n"
    if "--check" in sys.argv:
        current = NOTICES.read_text() if NOTICES.exists() else ""
        if current != wanted:
            print(f"{NOTICES.name} is not up to date: run `make notices`", file=sys.stderr)
            return 1
        return 0
    NOTICES.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
