"""The scrolling list: only what is visible is drawn, so a thousand cgroups cost no more than fifty."""

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from koord.cli.node_table.columns import GAP, NAME, Column, Level, aligned, cell, fitting
from koord.cli.node_table.order import Line
from koord.cli.node_table.trend import WIDTH, Trend
from koordlet.collect.table import GroupRow

_STYLE: dict[Level, Style] = {
    "none": Style(color="bright_black"),
    "idle": Style(color="bright_black"),
    "normal": Style(),
    "warm": Style(color="yellow"),
    "hot": Style(color="bright_red", bold=True),
}
_KIND_STYLE = {
    "pod": Style(color="bright_cyan", bold=True),
    "container": Style(color="cyan"),
    "service": Style(color="green"),
    "scope": Style(color="green"),
    "session": Style(color="magenta"),
    "user": Style(color="magenta"),
}
_HEADER = Style(bold=True, reverse=True)
_SORTED = Style(bold=True, reverse=True, color="bright_yellow")
_CURSOR = Style(bgcolor="grey23")
_TREND = Style(color="blue")
_GAP = " " * GAP


class GroupList(ScrollView, can_focus=True):
    """Lines of the table below a header that stays."""

    DEFAULT_CSS = "GroupList { height: 1fr; overflow-x: auto; overflow-y: scroll; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("home", "move(-1000000)", show=False),
        Binding("end", "move(1000000)", show=False),
    ]

    class Selected(Message):
        """The cursor stands on another row."""

    def __init__(self, trend: Trend) -> None:
        super().__init__()
        self._trend = trend
        self._lines: Sequence[Line] = ()
        self._sort = NAME
        self._descending = True
        self._columns = fitting(0, WIDTH)
        self._cursor_path = ""
        self._cursor = 0

    @property
    def selected(self) -> GroupRow | None:
        """The row under the cursor."""
        return self._lines[self._cursor].row if self._lines else None

    def show(self, lines: Sequence[Line], sort: Column, descending: bool) -> None:
        """Take new lines; the cursor stays on its cgroup where that is still shown."""
        self._lines, self._sort, self._descending = lines, sort, descending
        if self._cursor_path:
            paths = (number for number, line in enumerate(lines) if line.row.cgroup == self._cursor_path)
            self._cursor = next(paths, min(self._cursor, max(0, len(lines) - 1)))
        else:
            self._cursor = 0
        self._fit()

    def on_resize(self) -> None:
        """Show as many columns as fit."""
        self._fit()

    def _fit(self) -> None:
        self._columns = fitting(self.scrollable_content_region.width, WIDTH)
        row_width = sum(column.width + GAP for column in self._columns) + WIDTH
        self.virtual_size = Size(row_width, len(self._lines) + 1)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        scroll_x, scroll_y = self.scroll_offset
        if y == 0:
            return self._cut(self._header(), scroll_x, _HEADER)
        number = scroll_y + y - 1
        if number >= len(self._lines):
            return Strip.blank(self.size.width)
        is_cursor = number == self._cursor
        return self._cut(self._row(self._lines[number]), scroll_x, _CURSOR if is_cursor else Style())

    def _cut(self, segments: list[Segment], left: int, style: Style) -> Strip:
        width = self.size.width
        return Strip(segments).crop(left, left + width).extend_cell_length(width, style).apply_style(style)

    def _header(self) -> list[Segment]:
        segments: list[Segment] = []
        for column in self._columns:
            is_sorted = column.name == self._sort.name
            arrow = "▾" if self._descending else "▴"
            title = f"{column.title[: column.width - 1]}{arrow}" if is_sorted else column.title
            segments.append(Segment(aligned(column, title), _SORTED if is_sorted else _HEADER))
            segments.append(Segment(_GAP, _HEADER))
        return [*segments, Segment("CPU, LAST MINUTE".ljust(WIDTH), _HEADER)]

    def _row(self, line: Line) -> list[Segment]:
        row = line.row
        name_column, *columns = self._columns
        name = aligned(name_column, "  " * line.depth + row.name)
        segments = [Segment(name, _KIND_STYLE.get(row.kind, Style())), Segment(_GAP)]
        for column in columns:
            segments.append(Segment(cell(column, row), _STYLE[column.level(row)]))
            segments.append(Segment(_GAP))
        return [*segments, Segment(self._trend.line(row.cgroup, row.cpu_limit_cores), _TREND)]

    def action_move(self, step: int) -> None:
        """Move the cursor and keep it in sight."""
        if not self._lines:
            return
        self._cursor = max(0, min(len(self._lines) - 1, self._cursor + step))
        self._cursor_path = self._lines[self._cursor].row.cgroup
        visible = self.scrollable_content_region.height - 1
        if self._cursor < self.scroll_offset.y:
            self.scroll_to(y=self._cursor, animate=False)
        elif self._cursor >= self.scroll_offset.y + visible:
            self.scroll_to(y=self._cursor - visible + 1, animate=False)
        self.refresh()
        self.post_message(self.Selected())

    def action_page(self, direction: int) -> None:
        """Move the cursor by a screen."""
        self.action_move(direction * max(1, self.scrollable_content_region.height - 2))
