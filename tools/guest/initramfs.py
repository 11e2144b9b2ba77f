"""The first file system of a guest: busybox, the modules its root needs, and the two scripts of this folder."""

import lzma
import re
import shutil
import stat
from pathlib import Path

from tools.guest.kernels import GuestUnavailableError, Kernel

ROOT_MODULES = ("virtio_pci", "virtiofs", "overlay")
"""What it takes to mount the host's root by virtiofs and to lay a writable layer on it."""

SCRIPTS = Path(__file__).parent


def build(kernel: Kernel) -> bytes:
    """An uncompressed cpio archive: unpacking a compressed one is what takes long under emulation."""
    busybox = shutil.which("busybox")
    if busybox is None:
        raise GuestUnavailableError("busybox is not installed (Debian package busybox-static)")
    modules = load_order(kernel.modules)
    files = {
        "bin/busybox": (0o755, Path(busybox).read_bytes()),
        "init": (0o755, (SCRIPTS / "init.sh").read_bytes()),
        "serve.sh": (0o755, (SCRIPTS / "serve.sh").read_bytes()),
        "modules/order": (0o644, "".join(f"{name}\n" for name, _ in modules).encode()),
    }
    files |= {f"modules/{name}.ko": (0o644, content) for name, content in modules}
    return archive(("bin", "modules", "dev", "proc", "sys", "host", "layer", "root"), files)


def load_order(folder: Path) -> list[tuple[str, bytes]]:
    """The modules to load for the root file system, each after those it depends on; built-in ones are left out.

    A package that was never installed has no modules.dep: each module names its dependencies itself.
    """
    builtin = {module_name(line) for line in (folder / "modules.builtin").read_text().split()}
    paths = {module_name(path.name): path for path in folder.rglob("*.ko*")}
    ordered: dict[str, bytes] = {}

    def add(name: str) -> None:
        if name in builtin or name in ordered:
            return
        if name not in paths:
            raise GuestUnavailableError(f"kernel {folder.name} has no module {name}, which a guest's root needs")
        content = decompressed(paths[name])
        for needed in dependencies(content):
            add(needed)
        ordered[name] = content

    for name in ROOT_MODULES:
        add(name)
    return list(ordered.items())


def module_name(path: str) -> str:
    """A module's name as the kernel knows it, from the path of its file."""
    return re.sub(r"\.ko(\..*)?$", "", path.rpartition("/")[2]).replace("-", "_")


def decompressed(path: Path) -> bytes:
    """A module's content; Debian compresses them with xz since 6.12."""
    return lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()


def dependencies(module: bytes) -> list[str]:
    """The `depends` line of a module's .modinfo section."""
    match = re.search(rb"\0depends=([^\0]*)\0", module)
    return [module_name(name) for name in match[1].decode().split(",") if name] if match else []


def archive(folders: tuple[str, ...], files: dict[str, tuple[int, bytes]]) -> bytes:
    """A cpio archive in the `newc` format, which the kernel unpacks as its first root."""
    parts = [entry(index, name, stat.S_IFDIR | 0o755, b"") for index, name in enumerate(folders, 1)]
    parts += [
        entry(index, name, stat.S_IFREG | mode, content)
        for index, (name, (mode, content)) in enumerate(files.items(), len(parts) + 1)
    ]
    return b"".join([*parts, entry(0, "TRAILER!!!", 0, b"")])


def entry(inode: int, name: str, mode: int, content: bytes) -> bytes:
    """One cpio member: thirteen hexadecimal fields, the name, the content, each padded to four bytes."""
    owner = links = time = device = 0
    fields = [inode, mode, owner, owner, links + 1, time, len(content), device, device, device, device]
    header = "070701" + "".join(f"{field:08X}" for field in [*fields, len(name) + 1, 0])
    return padded(header.encode() + name.encode() + b"\0") + padded(content)


def padded(block: bytes) -> bytes:
    """The block, filled up to a multiple of four bytes."""
    return block + b"\0" * (-len(block) % 4)
