"""A guest's first file system: the archive's format and the order of its modules."""

import lzma
import subprocess

import pytest

from tools.guest.initramfs import archive, load_order
from tools.guest.kernels import GuestUnavailableError


@pytest.fixture
def modules(tmp_path):
    """A package's module folder: virtio_pci needs virtio_ring, overlay is compressed, virtiofs is built in."""
    folder = tmp_path / "6.12.0-test"
    (folder / "kernel/drivers").mkdir(parents=True)
    (folder / "modules.builtin").write_text("kernel/fs/fuse/virtiofs.ko\n")
    (folder / "kernel/drivers/virtio_pci.ko").write_bytes(b"ELF\0depends=virtio-ring\0name=virtio_pci\0")
    (folder / "kernel/drivers/virtio-ring.ko").write_bytes(b"ELF\0depends=\0")
    (folder / "kernel/overlay.ko.xz").write_bytes(lzma.compress(b"ELF\0depends=\0overlay"))
    return folder


def test_orders_modules_after_what_they_depend_on_and_decompresses_them(modules):
    ordered = load_order(modules)
    assert [name for name, _ in ordered] == ["virtio_ring", "virtio_pci", "overlay"]
    assert ordered[-1][1] == b"ELF\0depends=\0overlay"


def test_names_the_module_that_a_kernel_lacks(modules):
    (modules / "kernel/overlay.ko.xz").unlink()
    with pytest.raises(GuestUnavailableError, match=r"6\.12\.0-test has no module overlay"):
        load_order(modules)


def test_the_archive_unpacks_to_the_same_files(tmp_path):
    content = archive(("bin",), {"bin/tool": (0o755, b"#!x\n"), "empty": (0o644, b"")})
    subprocess.run(["cpio", "-id", "--quiet"], input=content, cwd=tmp_path, check=True)
    assert (tmp_path / "bin/tool").read_bytes() == b"#!x\n"
    assert (tmp_path / "bin/tool").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "empty").read_bytes() == b""
