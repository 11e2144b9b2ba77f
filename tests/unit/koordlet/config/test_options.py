"""What the agent was asked to do."""

import pytest

from koordlet.config.gates import GATES, parse_gates
from koordlet.config.goflag import FlagError
from koordlet.config.options import read_options


def test_defaults_are_the_references_on_loopback():
    options = read_options([], {"NODE_NAME": "n1", "agent_mode": "hostMode"})
    assert (options.node_name, options.address, options.port) == ("n1", "127.0.0.1", 9316)
    assert options.collect_interval_s == 1
    assert options.cpu_info_interval_s == 60
    assert options.cgroup_root_dir is None
    assert str(options.sys_root) == "/sys"


def test_daemonset_mode_reads_the_mounted_host_paths():
    options = read_options([], {"agent_mode": "dsMode"})
    assert (str(options.cgroup_root_dir), str(options.sys_root), str(options.proc_root)) == (
        "/host-cgroup",
        "/host-sys",
        "/proc",
    )


def test_port_alone_means_every_address():
    options = read_options(["-addr=:9400"], {})
    assert (options.address, options.port) == ("", 9400)


def test_flags_of_the_reference_that_nothing_reads_are_accepted_and_named():
    arguments = ["-configmap-name=x", "--tsdb-stripe-size=1", "-collect-res-used-interval=2s"]
    assert read_options(arguments, {}).without_effect == ("configmap-name", "tsdb-stripe-size")


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("-addr=nowhere", "expected HOST:PORT"),
        ("-addr=:99999", "expected HOST:PORT"),
        ("-collect-res-used-interval=1ms", "allowed are 0.1s to 24h"),
        ("-collector-tier=magic", "allowed are auto, bpf-css, bpf-iter and files"),
        ("-log-format=xml", "allowed are logfmt and json"),
        ("-vmodule=x", "expected pattern=N"),
        ("-feature-gates=Nope=true", "unknown gate 'Nope'"),
        ("-feature-gates=CPUBurst=perhaps", "gate CPUBurst: found 'perhaps'"),
    ],
)
def test_wrong_value_is_refused_with_what_is_allowed(argument, message):
    with pytest.raises(FlagError) as caught:
        read_options([argument], {})
    assert message in str(caught.value)


def test_named_gate_wins_over_its_group():
    gates = parse_gates("AllAlpha=true,PSICollector=false,AllBeta=false")
    assert gates["CPICollector"]
    assert not gates["PSICollector"]
    assert not gates["CPUBurst"]


def test_gates_have_the_references_defaults():
    assert {name for name, on in parse_gates("").items() if on} == {
        "NodeTopologyReport",
        "BECPUSuppress",
        "CPUBurst",
        "RdtResctrl",
    }
    assert len(GATES) == 28
