"""`python -m bench`: the benchmarks there are, and a wrong name."""

import subprocess
import sys

from bench.__main__ import names


def test_every_file_of_a_promise_is_a_benchmark_and_nothing_else_is():
    assert {"agent", "collect"} <= set(names())
    assert "harness" not in names()
    assert "__main__" not in names()


def test_an_unknown_name_is_a_usage_error_that_lists_the_known_ones():
    done = subprocess.run([sys.executable, "-m", "bench", "absent"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "collect" in done.stderr
    assert done.stdout == ""
