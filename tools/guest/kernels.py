"""Debian kernels for the guests: fetched by apt into a private directory, unpacked, never installed."""

import fcntl
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

RELEASE_OF = {"5.10": "bullseye", "6.1": "bookworm", "6.12": "bookworm"}
"""The Debian release that serves each kernel series (6.12 comes with its security updates)."""

DEB822_FIELD = re.compile(r"^([A-Za-z-]+):[ \t]*(.*(?:\n[ \t].*)*)", re.MULTILINE)
ONE_LINE = re.compile(r"^\s*deb\s+(?:\[(?P<options>[^\]]*)\]\s+)?(?P<uri>\S+)\s+(?P<suite>\S+)\s+(?P<components>.+)$")


class GuestUnavailableError(Exception):
    """This machine cannot have a guest or its kernel; the message is the cause, ready for a skip."""


@dataclass(frozen=True)
class Kernel:
    """An unpacked kernel package."""

    release: str
    """What `uname -r` prints in the guest."""
    image: Path
    modules: Path
    """The folder `lib/modules/<release>`."""


@dataclass(frozen=True)
class Source:
    """One archive suite of this machine's apt configuration."""

    uri: str
    suite: str
    components: str
    signed_by: str

    def line(self, codename: str, of: str) -> str:
        """This source in apt's one-line format, for the release `codename` instead of `of`."""
        options = f" [signed-by={self.signed_by}]" if self.signed_by else ""
        return f"deb{options} {self.uri} {self.suite.replace(of, codename, 1)} {self.components}"


def parse_sources(text: str, deb822: bool) -> list[Source]:
    """The binary-package sources of one apt sources file, in either of its two formats."""
    if not deb822:
        return [
            Source(match["uri"], match["suite"], match["components"].split("#")[0].strip(), signed_by(match["options"]))
            for match in map(ONE_LINE.match, text.splitlines())
            if match
        ]
    uncommented = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    sources: list[Source] = []
    for stanza in re.split(r"\n[ \t]*\n", uncommented):
        fields = {name.lower(): value for name, value in DEB822_FIELD.findall(stanza)}
        if "deb" not in fields.get("types", "").split() or fields.get("enabled", "yes").strip() == "no":
            continue
        key = fields.get("signed-by", "").strip()
        sources.extend(
            Source(uri, suite, " ".join(fields.get("components", "").split()), "" if "\n" in key else key)
            for uri in fields.get("uris", "").split()
            for suite in fields.get("suites", "").split()
        )
    return sources


def signed_by(options: str | None) -> str:
    """The key file among a one-line source's options."""
    for option in (options or "").split():
        name, _, value = option.partition("=")
        if name == "signed-by":
            return value
    return ""


def derived_lines(sources: list[Source], host_codename: str, codename: str) -> list[str]:
    """The machine's own suites, as they are called for another release of the same distribution."""
    own = [source for source in sources if re.fullmatch(rf"{host_codename}(-.*)?", source.suite)]
    return sorted({source.line(codename, of=host_codename) for source in own})


def machine_sources() -> list[Source]:
    """Every binary-package source that this machine's apt is configured with."""
    files = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    return [
        source
        for file in files
        if file.is_file() and file.suffix in {".list", ".sources"}
        for source in parse_sources(file.read_text(), deb822=file.suffix == ".sources")
    ]


def newest_package(names: list[str], series: str) -> str | None:
    """The newest cloud kernel of a series among package names; a signed one before its unsigned twin."""
    pattern = re.compile(rf"linux-image-({re.escape(series)}\.\d\S*?)-cloud-amd64(-unsigned)?")
    found = [(version_key(match[1]), match[2] is None, name) for name in names if (match := pattern.fullmatch(name))]
    return max(found)[2] if found else None


def version_key(release: str) -> tuple[int, ...]:
    """A key that orders kernel releases: `6.1.0-9` before `6.1.0-10`."""
    return tuple(int(number) for number in re.findall(r"\d+", release))


@dataclass(frozen=True)
class PrivateApt:
    """apt with its own lists, cache and status, so that the machine's stay as they are."""

    root: Path

    def run(self, *command: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run an apt tool on the private directory; its exit status is the caller's to judge."""
        settings = {
            "Dir::State": self.root / "state",
            "Dir::State::status": self.root / "status",
            "Dir::Cache": self.root / "cache",
            "Dir::Etc::sourcelist": self.root / "sources.list",
            "Dir::Etc::sourceparts": "/dev/null",
            "Dir::Etc::preferencesparts": "/dev/null",
            "APT::Sandbox::User": "root",
            "APT::Get::List-Cleanup": "false",
            # An archived release's index is out of date by design.
            "Acquire::Check-Valid-Until": "false",
            "Acquire::Languages": "none",
        }
        options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
        return subprocess.run(
            [command[0], *options, *command[1:]], cwd=cwd, capture_output=True, text=True, check=False
        )

    def prepare(self, lines: list[str]) -> None:
        """Write the sources; the directory then holds everything that apt asks for."""
        for folder in ("state/lists/partial", "cache/archives/partial"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)
        (self.root / "status").touch()
        (self.root / "sources.list").write_text("".join(f"{line}\n" for line in lines))


def cache_directory() -> Path:
    """Where kernels are kept between runs: outside the tree."""
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "koord"
    return Path(os.environ.get("KOORD_CACHE") or default) / "kernels"


def kernel(series: str) -> Kernel:
    """The newest Debian cloud kernel of a series, from the cache or the archive. Raises GuestUnavailableError."""
    if series not in RELEASE_OF:
        raise GuestUnavailableError(f"no kernel series {series}: known are {', '.join(RELEASE_OF)}")
    if platform.machine() != "x86_64":
        raise GuestUnavailableError(f"kernel {series}: guests are x86_64, this machine is {platform.machine()}")
    cache = cache_directory()
    cache.mkdir(parents=True, exist_ok=True)
    with locked(cache / f"{series}.lock"):
        target = cache / series
        if not target.is_dir():
            fetch(series, target)
        return unpacked(target)


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Hold a lock file, so that two test runs do not fetch into the same directory."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def fetch(series: str, target: Path) -> None:
    """Download and unpack the newest package of a series; `target` appears only when it is complete."""
    for tool in ("apt-get", "apt-cache", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise GuestUnavailableError(f"kernel {series}: {tool} is not installed")
    codename = RELEASE_OF[series]
    host_codename = platform.freedesktop_os_release().get("VERSION_CODENAME", "")
    lines = derived_lines(machine_sources(), host_codename, codename) if host_codename else []
    if not lines:
        raise GuestUnavailableError(f"kernel {series}: no apt source of this machine names a suite of its own release")
    apt = PrivateApt(target.parent / f"apt-{codename}")
    apt.prepare(lines)
    updated = apt.run("apt-get", "update")
    package = newest_package(apt.run("apt-cache", "pkgnames", f"linux-image-{series}.").stdout.split(), series)
    if package is None:
        cause = last_line(updated.stderr) or f"{codename} and its updates hold no such package"
        raise GuestUnavailableError(f"kernel {series}: not served by this machine's package archive ({cause})")
    partial = target.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    downloaded = apt.run("apt-get", "download", package, cwd=partial)
    packages = list(partial.glob("*.deb"))
    if downloaded.returncode != 0 or not packages:
        raise GuestUnavailableError(f"kernel {series}: {package} was not downloaded ({last_line(downloaded.stderr)})")
    subprocess.run(["dpkg-deb", "-x", packages[0], partial], check=True)
    packages[0].unlink()
    partial.rename(target)


def unpacked(root: Path) -> Kernel:
    """The kernel in an unpacked package, wherever its release keeps modules (`/lib` or `/usr/lib`)."""
    image = next(root.glob("boot/vmlinuz-*"))
    release = image.name.removeprefix("vmlinuz-")
    modules = next(folder for folder in (root / "lib", root / "usr/lib") if (folder / "modules" / release).is_dir())
    return Kernel(release, image, modules / "modules" / release)


def last_line(text: str) -> str:
    """The last line of a tool's messages: its verdict."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""
