"""Koordinator's koordlet_pod_psi and koordlet_container_psi."""

from collections.abc import Iterable

from koordlet.collect.pressure import GroupPressure
from koordlet.procfs.pressure import Pressure
from koordlet.serve.exposition import Exposition, labels

_PRECISIONS = ("avg10", "avg60", "avg300")
_HELP = "Share of the time in which some or every task waited for the resource, in percent."


def write_pressures(out: Exposition, node: str, default_runtime: str, pressures: Iterable[GroupPressure]) -> None:
    """Both families. Names of pods and containers are empty: cgroups only tell UIDs and ids."""
    by_kind = {"pod": "koordlet_pod_psi", "container": "koordlet_container_psi"}
    everything = list(pressures)
    for kind, name in by_kind.items():
        out.family(name, "gauge", _HELP)
        for one in everything:
            if one.group.identity.kind == kind:
                _write_group(out, name, node, default_runtime, one)


def _write_group(out: Exposition, name: str, node: str, default_runtime: str, one: GroupPressure) -> None:
    what = one.group.identity
    where = {"node": node, "pod_uid": what.pod_uid, "pod_name": "", "pod_namespace": ""}
    if what.kind == "container":
        where |= {"container_id": f"{what.runtime or default_runtime}://{what.container_id}", "container_name": ""}
    for resource, pressure in one.by_resource.items():
        for degree, precision, value in _values(pressure):
            more = {
                "psi_resource_type": resource,
                "psi_precision": precision,
                "psi_degree": degree,
                "cpu_full_supported": "true" if pressure.full is not None else "false",
            }
            out.sample(name, labels(where | more), value)


def _values(pressure: Pressure) -> Iterable[tuple[str, str, float]]:
    for degree, averages in (("some", pressure.some), ("full", pressure.full)):
        if averages is not None:
            for precision in _PRECISIONS:
                yield degree, precision, getattr(averages, precision)
