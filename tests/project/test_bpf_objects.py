"""The BPF programs compile for every architecture that objects are shipped for."""

import shutil
from pathlib import Path

import pytest

from tools.prebuilt import ARCHITECTURES, BPF, compile_objects

EM_BPF = 247


@pytest.mark.skipif(shutil.which("clang") is None, reason="no clang: objects come from bpf/prebuilt")
def test_every_program_compiles_for_every_architecture(tmp_path: Path):
    compile_objects(tmp_path)
    names = {source.name.removesuffix(".bpf.c") for source in BPF.glob("*.bpf.c")}
    assert names
    for name in names:
        for architecture in ARCHITECTURES:
            header = (tmp_path / f"{name}.{architecture}.bpf.o").read_bytes()[:20]
            assert header[:4] == b"\x7fELF"
            assert int.from_bytes(header[18:20], "little") == EM_BPF
