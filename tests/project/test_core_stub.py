"""koord/_core.pyi says exactly what the compiled module offers."""

import ast
from pathlib import Path

import koord._core as core

STUBS = Path(core.__file__).parent


def stub_names(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        match node:
            case ast.ImportFrom(names=aliases):
                names |= {alias.asname for alias in aliases if alias.asname}
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case _:
                pass
    return names


def test_stub_names_everything_the_module_has_and_nothing_else():
    offered = {name for name in vars(core) if not name.startswith("__")} | {"__version__"}
    assert stub_names(STUBS / "_core.pyi") == offered
