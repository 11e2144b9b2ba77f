"""`make crds`: write the CRDs of our kinds into deploy/crds; with --check, say whether they are as generated."""

import sys
from pathlib import Path

import yaml

from koord.api.crds import file_name, manifests
from koord.api.kinds import CUSTOM

FOLDER = Path("deploy/crds")


class _Dumper(yaml.SafeDumper):
    """Writes shared schemas out in full: CRDs have no anchors."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def generated() -> dict[str, str]:
    """The files' texts by name."""
    return {
        file_name(manifest): yaml.dump(manifest, Dumper=_Dumper, width=120, explicit_start=True, allow_unicode=True)
        for manifest in manifests(CUSTOM)
    }


def main() -> int:
    """Write or check; 1 when a check found a difference."""
    files = generated()
    present = {path.name: path.read_text() for path in FOLDER.glob("*.yaml")}
    if "--check" in sys.argv:
        stale = sorted(name for name in files.keys() | present.keys() if files.get(name) != present.get(name))
        print("\n".join(f"{FOLDER / name} is not as generated: run make crds" for name in stale))
        return 1 if stale else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in present.keys() - files.keys():
        (FOLDER / name).unlink()
    for name, text in files.items():
        (FOLDER / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
