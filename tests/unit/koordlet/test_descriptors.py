"""The agent takes as many descriptors as it may have, and says how many that are."""

import subprocess
import sys

import pytest

from koordlet.descriptors import WANTED

RAISE = """
import resource
from koordlet.descriptors import raise_descriptor_limit
print(raise_descriptor_limit(), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


def raised(limits: str) -> list[int]:
    """The answer, then the soft and the hard limit, in a process that begins with some limits and may not lift them."""
    script = f'{limits} && exec setpriv --bounding-set=-sys_resource "$@"'
    command = ["sh", "-c", script, "sh", sys.executable, "-c", RAISE]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [int(word) for word in output.split()]


@pytest.mark.parametrize("limits", ["ulimit -n 5000 && ulimit -Sn 1000", "ulimit -n 5000"])
def test_takes_the_whole_hard_limit_where_it_may_not_be_lifted(limits):
    assert raised(limits) == [5000, 5000, 5000]


def test_wants_room_for_the_files_of_ten_thousand_cgroups_and_no_more_than_the_kernel_allows():
    assert 10_000 * 15 < WANTED < 1_048_576
