"""What a NodeSLO means for the node agent."""

import pytest

from koord.api.gojson import decode, encode
from koord.api.slo.nodeslo import NodeSLOSpec
from koord.api.sloconfig.effective import effective

CPU_OFF = {"enable": False, "groupIdentity": 0, "schedIdle": 0, "coreExpeller": False}
RESCTRL_OFF = {"enable": False, "catRangeStartPercent": 0, "catRangeEndPercent": 100, "mbaPercent": 100}
MEMORY_OFF = {
    "enable": False,
    "minLimitPercent": 0,
    "lowLimitPercent": 0,
    "throttlingPercent": 0,
    "wmarkRatio": 0,
    "wmarkScalePermill": 50,
    "wmarkMinAdj": 0,
    "priorityEnable": 0,
    "priority": 0,
    "oomKillGroup": 0,
}


def effective_of(**spec):
    return encode(effective(decode(spec, NodeSLOSpec)))


def qos_of(**strategy):
    return effective_of(resourceQOSStrategy=strategy)["resourceQOSStrategy"]


def test_an_empty_spec_switches_everything_off():
    spec = effective_of()
    assert spec["resourceUsedThresholdWithBE"]["enable"] is False
    assert spec["cpuBurstStrategy"]["policy"] == "none"
    assert spec["systemStrategy"] == {"totalNetworkBandwidth": "0"}
    qos = spec["resourceQOSStrategy"]
    assert qos["policies"] == {"cpuPolicy": "groupIdentity", "netQOSPolicy": "tc"}
    assert qos["cgroupRoot"] == {"blkioQOS": {"enable": False}}
    for name in ("lsrClass", "lsClass", "beClass"):
        assert qos[name]["cpuQOS"] == CPU_OFF
        assert qos[name]["memoryQOS"] == MEMORY_OFF
        assert qos[name]["resctrlQOS"] == RESCTRL_OFF
        assert qos[name]["blkioQOS"] == {"enable": False}


@pytest.mark.parametrize(
    ("name", "cpu", "cache_end", "watermark"),
    [
        ("lsrClass", {"groupIdentity": 2, "schedIdle": 0, "coreExpeller": True}, 100, -25),
        ("lsClass", {"groupIdentity": 2, "schedIdle": 0, "coreExpeller": True}, 100, -25),
        ("beClass", {"groupIdentity": -1, "schedIdle": 0, "coreExpeller": False}, 30, 50),
    ],
)
def test_enabled_settings_get_the_recommended_values_of_their_class(name, cpu, cache_end, watermark):
    on = {"enable": True}
    found = qos_of(**{name: {"cpuQOS": on, "memoryQOS": on, "resctrlQOS": on}})[name]
    assert found["cpuQOS"] == on | cpu
    assert found["resctrlQOS"] == RESCTRL_OFF | on | {"catRangeEndPercent": cache_end}
    assert found["memoryQOS"] == MEMORY_OFF | on | {"wmarkRatio": 95, "wmarkScalePermill": 20, "wmarkMinAdj": watermark}


def test_explicit_zeros_override_the_recommended_values():
    found = qos_of(lsClass={"cpuQOS": {"enable": True, "groupIdentity": 0}})["lsClass"]["cpuQOS"]
    assert found == {"enable": True, "groupIdentity": 0, "schedIdle": 0, "coreExpeller": True}


def test_disabled_settings_lose_what_they_say_except_in_the_system_class():
    said = {"enable": False, "wmarkRatio": 40}
    found = qos_of(beClass={"memoryQOS": said}, systemClass={"memoryQOS": said})
    assert found["beClass"]["memoryQOS"] == MEMORY_OFF
    assert found["systemClass"]["memoryQOS"] == MEMORY_OFF | {"wmarkRatio": 40}


def test_disk_and_network_settings_are_never_replaced():
    blocks = [{"name": "vda", "type": "device", "ioCfg": {"readIOPS": 5}}]
    found = qos_of(beClass={"blkioQOS": {"blocks": blocks}, "networkQOS": {"ingressLimit": "10M"}})["beClass"]
    assert found["blkioQOS"] == {"enable": False, "blocks": blocks}
    assert found["networkQOS"]["ingressLimit"] == "10M"


def test_host_applications_and_extensions_pass_through():
    spec = effective_of(hostApplications=[{"name": "db"}], extensions={"Object": {"x": 1}})
    assert spec["hostApplications"] == [{"name": "db"}]
    assert spec["extensions"] == {"Object": {"x": 1}}
