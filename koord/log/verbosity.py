"""Go-style verbosity: `-v=N` for all, `--vmodule=pattern=N,...` for single modules."""

from dataclasses import dataclass
from fnmatch import fnmatchcase


class VerbosityError(ValueError):
    """A `-v` or `--vmodule` that cannot be understood; the message names it and what is allowed."""


@dataclass(frozen=True, slots=True)
class Verbosity:
    """How much detail is wanted, 0 = normal."""

    level: int = 0
    modules: tuple[tuple[str, int], ...] = ()

    def of(self, module: str) -> int:
        """The first level whose pattern matches the module's last part or dotted name, else the general one."""
        last = module.rpartition(".")[2]
        for pattern, level in self.modules:
            if fnmatchcase(last, pattern) or fnmatchcase(module, pattern):
                return level
        return self.level


def parse_vmodule(text: str) -> tuple[tuple[str, int], ...]:
    """Parse `pattern=N,pattern=N`; VerbosityError for anything else."""
    modules: list[tuple[str, int]] = []
    for entry in filter(None, (part.strip() for part in text.split(","))):
        pattern, separator, level = entry.partition("=")
        if not separator or not pattern or not level.isascii() or not level.isdigit():
            raise VerbosityError(f"vmodule entry {entry!r}: expected pattern=N with N a whole number")
        modules.append((pattern, int(level)))
    return tuple(modules)
