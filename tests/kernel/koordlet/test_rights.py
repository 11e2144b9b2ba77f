"""The agent with fewer rights: it names what is missing and goes on with what is left."""

import shutil
import sys
from pathlib import Path

import pytest

DENY_BPF = Path(__file__).parents[2] / "capability" / "deny_bpf.py"

pytestmark = pytest.mark.skipif(shutil.which("setpriv") is None, reason="taking capabilities away needs setpriv")


def sources(agent) -> list[dict[str, str]]:
    return [source for source in agent.json("/debug/state")["sources"] if source["tier"] != "none"]


def test_the_daemonsets_capabilities_suffice_for_every_collector_and_for_bpf(make_agent, cgroups):
    cgroups.make()
    agent = make_agent(prefix=("setpriv", "--bounding-set=-all,+bpf,+perfmon,+dac_read_search")).wait_ready()
    assert {source["tier"] for source in sources(agent)} & {"bpf-css", "bpf-iter"}


@pytest.mark.parametrize(
    ("prefix", "cause"),
    [
        (("setpriv", "--bounding-set=-bpf,-sys_admin"), "CAP_BPF"),
        (("setpriv", "--bounding-set=-perfmon,-sys_admin"), "CAP_PERFMON"),
        ((sys.executable, str(DENY_BPF)), "seccomp"),
    ],
)
def test_without_a_right_that_bpf_needs_every_collector_works_from_files(make_agent, cgroups, prefix, cause):
    cgroups.make()
    agent = make_agent(prefix=prefix).wait_ready()
    assert {source["tier"] for source in sources(agent)} == {"files"}
    assert any(cause in source["reason"] for source in sources(agent))
