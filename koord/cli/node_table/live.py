"""The live view in a terminal."""

import asyncio
from typing import ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Input, Static

from koord.cli.node_table.columns import BY_NAME
from koord.cli.node_table.group_list import GroupList
from koord.cli.node_table.node_line import detail_text, node_text
from koord.cli.node_table.order import Selection, flat, tree
from koord.cli.node_table.source import SourceError, Table, TableSource
from koord.cli.node_table.trend import Trend
from koordlet.collect.deadlines import Pace, deadlines

_KINDS: list[tuple[str, frozenset[str]]] = [
    ("all", frozenset()),
    ("pods", frozenset({"pod"})),
    ("containers", frozenset({"container"})),
    ("services", frozenset({"service", "scope", "session"})),
]


class LiveView(App[None]):
    """Node on top, sorted cgroups below, keys at the bottom."""

    TITLE = "koord top"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { background: $background; }
    #node { height: 3; padding: 0 1; background: $panel; }
    #detail { height: 2; padding: 0 1; background: $panel; }
    #filter { display: none; height: 3; }
    #filter.shown { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape", "quit_or_close", "Quit"),
        Binding("right,s", "sort(1)", "Sort →"),
        Binding("left", "sort(-1)", "Sort ←", show=False),
        Binding("r", "reverse", "Reverse"),
        Binding("t", "tree", "Tree/flat"),
        Binding("k", "kind", "Kind"),
        Binding("f", "qos", "QoS"),
        Binding("slash", "filter", "Filter"),
        Binding("p,space", "pause", "Pause"),
    ]

    def __init__(
        self, source: TableSource, interval_s: float, selection: Selection, sort: str, descending: bool, as_tree: bool
    ) -> None:
        super().__init__()
        self._source = source
        self._interval_s = interval_s
        self._selection = selection
        self._sort = sort
        self._descending = descending
        self._as_tree = as_tree
        self._paused = False
        self._problem = ""
        self._table: Table | None = None
        self._trend = Trend()
        self._node_line = Static(id="node")
        self._groups = GroupList(self._trend)
        self._detail = Static(id="detail")
        self._filter = Input(placeholder="part of a name, path, pod UID or container id", id="filter")

    def compose(self) -> ComposeResult:
        """The parts from top to bottom."""
        yield self._node_line
        yield self._groups
        yield self._detail
        yield self._filter
        yield Footer()

    def on_mount(self) -> None:
        """Begin to read."""
        self._groups.focus()
        self._read_tables()

    @work
    async def _read_tables(self) -> None:
        """Ends with the view."""
        async for _ in deadlines(self._interval_s, Pace()):
            if self._paused:
                continue
            try:
                table = await asyncio.to_thread(self._source.read, self._interval_s)
            except SourceError as error:
                self._problem = str(error)
                self._show()
            else:
                self._take(table)

    def _take(self, table: Table) -> None:
        self._table, self._problem = table, ""
        self._trend.add(table.rows)
        self._show()

    def _show(self) -> None:
        if self._table is None:
            self._node_line.update(self._problem or "reading …")
            return
        column = BY_NAME[self._sort]
        lines = (tree if self._as_tree else flat)(self._table.rows, self._selection, column, self._descending)
        self._groups.show(lines, column, self._descending)
        state = self._problem or ("paused" if self._paused else self._source.description)
        self._node_line.update(node_text(self._table.node, len(lines), self._shown_part(), state, bool(self._problem)))
        self.on_group_list_selected()

    def on_group_list_selected(self) -> None:
        """Show more of the row under the cursor."""
        self._detail.update(detail_text(self._groups.selected))

    def _shown_part(self) -> str:
        kind = (
            next(name for name, kinds in _KINDS if kinds == self._selection.kinds)
            if self._known_kinds()
            else "chosen kinds"
        )
        parts = [kind, self._selection.qos, f'"{self._selection.text}"' if self._selection.text else ""]
        return " · ".join(part for part in parts if part)

    def _known_kinds(self) -> bool:
        return any(kinds == self._selection.kinds for _, kinds in _KINDS)

    def action_sort(self, step: int) -> None:
        """Sort by the next column."""
        names = list(BY_NAME)
        self._sort = names[(names.index(self._sort) + step) % len(names)]
        self._show()

    def action_reverse(self) -> None:
        """Turn the order round."""
        self._descending = not self._descending
        self._show()

    def action_tree(self) -> None:
        """Switch between tree and flat list."""
        self._as_tree = not self._as_tree
        self._show()

    def action_kind(self) -> None:
        """Show the next kind only."""
        now = next((number for number, (_, kinds) in enumerate(_KINDS) if kinds == self._selection.kinds), -1)
        kinds = _KINDS[(now + 1) % len(_KINDS)][1]
        self._selection = Selection(self._selection.text, self._selection.qos, kinds)
        self._show()

    def action_qos(self) -> None:
        """Show the next QoS class only."""
        classes = ["", "Guaranteed", "Burstable", "BestEffort"]
        now = classes.index(self._selection.qos) if self._selection.qos in classes else -1
        self._selection = Selection(self._selection.text, classes[(now + 1) % len(classes)], self._selection.kinds)
        self._show()

    def action_filter(self) -> None:
        """Ask for a part of the name."""
        self._filter.add_class("shown")
        self._filter.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while typing."""
        self._selection = Selection(event.value, self._selection.qos, self._selection.kinds)
        self._show()

    def on_input_submitted(self) -> None:
        """Keep the filter, go back to the rows."""
        self._close_filter()

    def action_quit_or_close(self) -> None:
        """Escape ends the filter first, then the view."""
        if self._filter.has_class("shown"):
            self._filter.value = ""
            self._close_filter()
        else:
            self.exit()

    def _close_filter(self) -> None:
        self._filter.remove_class("shown")
        self._groups.focus()

    def action_pause(self) -> None:
        """Stop and go on reading."""
        self._paused = not self._paused
        self._show()
