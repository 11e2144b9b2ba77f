"""`python -m tools.guest SERIES LAYOUT COMMAND…`: run one command in a guest, e.g. `6.12 v2 .venv/bin/koord doctor`."""

import argparse
import sys
from typing import cast, get_args

from tools.guest.kernels import RELEASE_OF, GuestUnavailableError
from tools.guest.machine import Layout, boot


def main() -> int:
    """Boot, run, print; the command's own exit status, or 3 where no guest can be had."""
    parser = argparse.ArgumentParser(prog="python -m tools.guest", description="Run one command in a guest.")
    parser.add_argument("series", choices=list(RELEASE_OF))
    parser.add_argument("layout", choices=get_args(Layout))
    parser.add_argument("--timeout", type=float, default=300, help="seconds")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    try:
        with boot(cast(str, options.series), cast(Layout, options.layout)) as guest:
            outcome = guest.run(cast(list[str], options.command), timeout=cast(float, options.timeout))
    except GuestUnavailableError as error:
        print(error, file=sys.stderr)
        return 3
    print(outcome.output)
    print(f"exit status {outcome.status} after {outcome.seconds:.1f} s", file=sys.stderr)
    return outcome.status


if __name__ == "__main__":
    sys.exit(main())
