"""The three metric pages: the agent's own, those meant for users, and both."""

from koord.supervise import Supervisor
from koordlet.collect.observation import Observation
from koordlet.serve.exposition import Exposition
from koordlet.serve.group_families import GroupFamilies
from koordlet.serve.node_families import write_collectors, write_node, write_node_info, write_storage
from koordlet.serve.pressure_families import write_pressures
from koordlet.serve.self_families import write_agent, write_process, write_sources


class Registries:
    """Writes the pages from the newest observation; nothing is kept between scrapes but label texts."""

    def __init__(self, observation: Observation, supervisor: Supervisor) -> None:
        self._observation = observation
        self._supervisor = supervisor
        self._groups = GroupFamilies(observation.node_name)

    def internal(self) -> bytes:
        """/internal-metrics."""
        out = Exposition()
        self._write_internal(out)
        return out.text()

    def external(self) -> bytes:
        """/external-metrics."""
        out = Exposition()
        self._write_external(out)
        return out.text()

    def all(self) -> bytes:
        """/metrics."""
        out = Exposition()
        self._write_internal(out)
        self._write_external(out)
        return out.text()

    def _write_internal(self, out: Exposition) -> None:
        now = self._observation
        write_process(out)
        write_agent(out, now, self._supervisor)
        write_collectors(out, now.node_name, now.collectors)
        write_sources(out, now.node_name, now.sources)
        if now.node is not None:
            write_node(out, now.node_name, now.node)
        if now.node_info is not None:
            write_node_info(out, now.node_name, now.node_info)

    def _write_external(self, out: Exposition) -> None:
        now = self._observation
        if now.storage is not None:
            write_storage(out, now.node_name, now.storage)
        if now.pressures is not None:
            write_pressures(out, now.node_name, now.default_runtime, now.pressures)
        if now.frame is not None:
            self._groups.write(out, now.frame, now.groups)
