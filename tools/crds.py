"""`make crds`: write the CRDs of our kinds into deploy/crds, and remove what is no kind any more."""

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


def main() -> None:
    """Write the files."""
    files = generated()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.yaml"):
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()
