"""The live view, driven by keys."""

from dataclasses import fields, replace

import pytest
from textual.widgets import Static

from koord.cli.node_table.group_list import GroupList
from koord.cli.node_table.live import LiveView
from koord.cli.node_table.order import Selection
from koord.cli.node_table.source import SourceError, Table
from koordlet.collect.table import GroupRow, NodeRow

NODE = NodeRow("n1", 2, 1.5, 8 << 30, 2 << 30, 0.5, 0.0, 0.0, 4, 1.0, 0, 0.25)
EMPTY = GroupRow(
    **{field.name: None for field in fields(GroupRow)} | {"cgroup": "/", "kind": "cgroup", "name": "x", "sources": {}}
)
ROWS = [
    replace(EMPTY, cgroup="/", name="/", kind="root", cpu_cores=1.5),
    replace(EMPTY, cgroup="/a", name="a", cpu_cores=0.2, memory_bytes=5.0),
    replace(EMPTY, cgroup="/a/p", name="p", kind="pod", qos="BestEffort", cpu_cores=0.2, throttled_ratio=0.9),
    replace(EMPTY, cgroup="/b", name="b", kind="service", cpu_cores=0.9, memory_bytes=9.0),
]


class Tables:
    """Gives the same rows each time, or fails."""

    description = "a table"

    def __init__(self):
        self.problem = ""

    def read(self, window_s):
        if self.problem:
            raise SourceError(self.problem)
        return Table(NODE, ROWS)


@pytest.fixture
def view():
    return LiveView(Tables(), 0.2, Selection(), "cpu", descending=True, as_tree=False)


def screen_lines(view):
    groups = view.query_one(GroupList)
    return ["".join(segment.text for segment in groups.render_line(y)).rstrip() for y in range(6)]


def names(view):
    return [line.split()[0] for line in screen_lines(view)[1:] if line.strip()]


async def until(pilot, condition):
    for _ in range(300):
        if condition():
            return
        await pilot.pause(0.02)
    pytest.fail("the view did not come to show what was expected")


async def started(pilot, view):
    await until(pilot, lambda: len(names(view)) == 4)


async def test_rows_are_sorted_and_sorting_follows_the_keys(view):
    async with view.run_test(size=(175, 30)) as pilot:
        await started(pilot, view)
        assert names(view) == ["/", "b", "a", "p"]
        await pilot.press("r")
        await until(pilot, lambda: names(view) == ["a", "p", "b", "/"])
        await pilot.press("r", *["s"] * 6)
        await until(pilot, lambda: names(view) == ["b", "a", "/", "p"])
        assert "MEMORY▾" in screen_lines(view)[0]


async def test_tree_kind_and_qos_keys_choose_what_is_shown(view):
    async with view.run_test(size=(175, 30)) as pilot:
        await started(pilot, view)
        await pilot.press("t")
        tree = ["/", "  b", "  a", "    p"]
        await until(pilot, lambda: [line[:8].rstrip() for line in screen_lines(view)[1:5]] == tree)
        await pilot.press("t", "k")
        await until(pilot, lambda: names(view) == ["p"])
        await pilot.press("k", "k", "k", "f")
        await until(pilot, lambda: names(view) == [])
        await pilot.press("f", "f")
        await until(pilot, lambda: names(view) == ["p"])


async def test_filter_is_applied_while_typing_and_escape_takes_it_back(view):
    async with view.run_test(size=(175, 30)) as pilot:
        await started(pilot, view)
        await pilot.press("slash", "a", "slash", "p")
        await until(pilot, lambda: names(view) == ["p"])
        await pilot.press("escape")
        await started(pilot, view)
        assert view.is_running


async def test_cursor_shows_the_path_below_and_stays_on_its_cgroup(view):
    async with view.run_test(size=(175, 30)) as pilot:
        await started(pilot, view)
        await pilot.press("end")
        await until(pilot, lambda: str(view.query_one("#detail", Static).content).startswith("/a/p\n"))
        await pilot.press("r")
        await until(pilot, lambda: names(view) == ["a", "p", "b", "/"])
        assert view.query_one(GroupList).selected == ROWS[2]


async def test_narrow_terminal_keeps_what_hurts(view):
    async with view.run_test(size=(110, 30)) as pilot:
        await started(pilot, view)
        header = screen_lines(view)[0]
        assert "THROTTLED" in header
        assert "MEM-LIMIT" not in header


async def test_source_that_fails_is_named_and_the_last_table_stays(view):
    async with view.run_test(size=(175, 30)) as pilot:
        await started(pilot, view)
        view._source.problem = "koordlet is gone"
        await until(pilot, lambda: "koordlet is gone" in str(view.query_one("#node", Static).content))
        assert len(names(view)) == 4
