"""One running guest: qemu without hardware virtualisation, 4 CPUs in 2 NUMA nodes, commands over a serial port."""

import contextlib
import os
import secrets
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tools.guest import initramfs, kernels
from tools.guest.kernels import GuestUnavailableError, Kernel

Layout = Literal["v2", "v1"]
"""The guest's cgroup mounts: one v2 tree with every controller, or v1 hierarchies alone."""

VIRTIOFSD = Path("/usr/lib/qemu/virtiofsd")
QEMU = "qemu-system-x86_64"
NODE_MEMORY = "1G"
BOOT_TIMEOUT = 240.0
"""Seconds from start to the first command; a quiet machine needs 5."""

ENVIRONMENT_MARK = "KOORD_GUEST"
"""Set in a guest to its layout, so that a test knows where it runs."""


class GuestError(Exception):
    """The guest did not boot, died, or ran over its time; the message ends with what its console said last."""


@dataclass(frozen=True)
class Outcome:
    """What a command in the guest did."""

    status: int
    output: str
    seconds: float


@dataclass
class Guest:
    """A booted guest; commands run one after the other, as root, in the host's present directory."""

    series: str
    layout: Layout
    console: Path
    port: socket.socket
    qemu: subprocess.Popen[bytes]
    received: bytearray = field(default_factory=bytearray)

    def run(self, command: Sequence[str], timeout: float = 60, environment: dict[str, str] | None = None) -> Outcome:
        """Run a command to its end. Raises GuestError when it takes longer: the guest is of no use then."""
        token = secrets.token_hex(8)
        variables = {ENVIRONMENT_MARK: self.layout, **(environment or {})}
        settings = [f"{name}={value}" for name, value in variables.items()]
        line = shlex.join(["env", f"--chdir={Path.cwd()}", *settings, *command])
        if "\n" in line:
            raise ValueError(f"a guest's command is one line: {line!r}")
        start = time.monotonic()
        self.port.sendall(f"{token} {line}\n".encode())
        output = self.read_until(f"\n{token} ".encode(), timeout)
        status = self.read_until(b"\n", 10)
        return Outcome(int(status), output.decode(errors="replace"), time.monotonic() - start)

    def read_until(self, mark: bytes, timeout: float) -> bytes:
        """What the serial port says up to a mark, which is dropped."""
        deadline = time.monotonic() + timeout
        while mark not in self.received:
            left = deadline - time.monotonic()
            if left <= 0:
                raise GuestError(f"no answer in {timeout:.0f} s; so far:\n{self.tail()}")
            self.port.settimeout(left)
            with contextlib.suppress(TimeoutError):
                block = self.port.recv(65536)
                if not block:
                    raise GuestError(f"the guest went away; its last words:\n{self.tail()}")
                self.received += block
        head, _, rest = bytes(self.received).partition(mark)
        self.received = bytearray(rest)
        return head

    def tail(self) -> str:
        """The last lines of the running command's output and of the kernel's console."""
        console = self.console.read_bytes() if self.console.exists() else b""
        lines = bytes(self.received).splitlines()[-20:] + console.splitlines()[-20:]
        return "\n".join(line.decode(errors="replace") for line in lines)


def missing_tools() -> str | None:
    """Why this machine cannot run a guest, or None."""
    if os.geteuid() != 0:
        return "guests need root: virtiofsd serves the whole root file system"
    if shutil.which(QEMU) is None:
        return f"{QEMU} is not installed (Debian package qemu-system-x86)"
    if not VIRTIOFSD.exists():
        return f"{VIRTIOFSD} is not there (Debian package qemu-system-common)"
    return None


@contextmanager
def boot(series: str, layout: Layout) -> Generator[Guest]:
    """Boot a guest and switch it off at the end. Raises GuestUnavailableError, with the cause, where that cannot be.

    An emulated machine now and then panics before it gets to our script: it is started once more.
    """
    if cause := missing_tools():
        raise GuestUnavailableError(cause)
    kernel = kernels.kernel(series)
    with contextlib.ExitStack() as ends:
        try:
            guest = ends.enter_context(_booted(series, kernel, layout))
        except GuestError:
            guest = ends.enter_context(_booted(series, kernel, layout))
        yield guest


@contextmanager
def _booted(series: str, kernel: Kernel, layout: Layout) -> Generator[Guest]:
    with tempfile.TemporaryDirectory(prefix="koord-guest-") as name, contextlib.ExitStack() as ends:
        folder = Path(name)
        (folder / "initramfs").write_bytes(initramfs.build(kernel))
        ends.callback(
            stop, start([VIRTIOFSD, f"--socket-path={folder / 'fs'}", "-f", *SHARE], folder / "virtiofsd.log")
        )
        wait_for(folder / "fs")
        qemu = start(qemu_command(kernel, layout, folder), folder / "qemu.log")
        ends.callback(stop, qemu)
        port = ends.enter_context(connect(folder / "commands"))
        guest = Guest(series, layout, folder / "console", port, qemu)
        guest.read_until(f"ready {kernel.release}\n".encode(), BOOT_TIMEOUT)
        yield guest


SHARE = ("-o", "source=/", "-o", "cache=always", "-o", "sandbox=chroot")


def qemu_command(kernel: Kernel, layout: Layout, folder: Path) -> list[str]:
    """The emulated machine. virtiofs needs memory that qemu shares, and each NUMA node has a back-end of its own."""
    nodes: list[str] = []
    for node, cpus in enumerate(("0-1", "2-3")):
        nodes += ["-object", f"memory-backend-memfd,id=memory{node},size={NODE_MEMORY},share=on"]
        nodes += ["-numa", f"node,nodeid={node},cpus={cpus},memdev=memory{node}"]
    return [
        *(QEMU, "-nodefaults", "-no-user-config", "-nographic", "-no-reboot"),
        # Hardware virtualisation hangs on nested hosts, so every machine emulates.
        *("-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "4", "-m", "2G"),
        *(*nodes, "-numa", "dist,src=0,dst=1,val=20"),
        *("-chardev", f"socket,id=fs,path={folder / 'fs'}", "-device", "vhost-user-fs-pci,chardev=fs,tag=hostroot"),
        *("-chardev", f"socket,id=commands,path={folder / 'commands'},server=on,wait=off"),
        *("-serial", f"file:{folder / 'console'}", "-serial", "chardev:commands"),
        *("-kernel", str(kernel.image), "-initrd", str(folder / "initramfs")),
        *("-append", f"console=ttyS0 quiet panic=-1 mitigations=off koord.layout={layout}"),
    ]


def start(command: Sequence[str | Path], log: Path) -> subprocess.Popen[bytes]:
    """Start a process that dies with this one, however this one ends."""
    with log.open("wb") as output:
        return subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *command], stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )


def stop(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and wait for its end."""
    process.kill()
    process.wait()


def wait_for(path: Path, timeout: float = 10) -> None:
    """Wait for a socket that another process makes."""
    deadline = time.monotonic() + timeout
    while not path.exists():
        if time.monotonic() > deadline:
            logs = "\n".join(log.read_text(errors="replace") for log in path.parent.glob("*.log"))
            raise GuestError(f"{path.name} did not appear in {timeout:.0f} s:\n{logs}")
        time.sleep(0.02)


def connect(path: Path) -> socket.socket:
    """A connection to a socket that qemu makes while it starts."""
    wait_for(path)
    port = socket.socket(socket.AF_UNIX)
    port.connect(str(path))
    return port
