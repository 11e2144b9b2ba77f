"""What of the table is shown, in which order, and how it reads."""

from dataclasses import fields, replace

import pytest

from koord.cli.node_table.columns import BY_NAME, COLUMNS, GAP, NAME, cell, cores, count, fitting, percent, size
from koord.cli.node_table.order import Selection, flat, tree
from koord.cli.node_table.plain import summary, text_table
from koord.cli.node_table.trend import Trend, sparkline
from koordlet.collect.table import GroupRow, NodeRow

EMPTY = GroupRow(
    **{field.name: None for field in fields(GroupRow)} | {"cgroup": "/", "kind": "cgroup", "name": "x", "sources": {}}
)
CPU = BY_NAME["cpu"]


def row(path, cpu=None, **values):
    return replace(EMPTY, cgroup=path, name=path.rpartition("/")[2] or "/", cpu_cores=cpu, **values)


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        (cores, 0.0, "0.000"),
        (cores, 1.2345, "1.234"),
        (cores, 63.94, "63.9"),
        (cores, None, "-"),
        (percent, 0.0, "0.0%"),
        (percent, 0.0001, "<0.1%"),
        (percent, 0.125, "12.5%"),
        (percent, 0.9999, "100%"),
        (percent, 1.0, "100%"),
        (percent, None, "-"),
        (size, 0, "0B"),
        (size, 999, "999B"),
        (size, 1000, "0.98Ki"),
        (size, 1536, "1.50Ki"),
        (size, 10 * 1024, "10.0Ki"),
        (size, 300 * 1024**2, "300Mi"),
        (size, 1.5 * 1024**4, "1.50Ti"),
        (size, None, "-"),
        (count, 12.0, "12"),
        (count, None, "-"),
    ],
)
def test_value_reads_with_its_unit(text, value, expected):
    assert text(value) == expected


@pytest.mark.parametrize(
    ("throttled", "level"), [(None, "none"), (0.0, "idle"), (0.005, "normal"), (0.01, "warm"), (0.3, "hot")]
)
def test_throttling_is_coloured_by_how_much_it_hurts(throttled, level):
    assert BY_NAME["throttled"].level(row("/a", throttled_ratio=throttled)) == level


def test_every_cell_is_as_wide_as_its_column():
    full = row("/" + "a" * 200, 123456.7, memory_bytes=2.0**60, tasks=1e9, kind="container", qos="BestEffort")
    assert all(len(cell(column, full)) == column.width for column in [NAME, *COLUMNS])


@pytest.mark.parametrize("width", [100, 120, 140, 169, 200])
def test_columns_fit_into_the_width_and_what_hurts_stays(width):
    shown = fitting(width, 20)
    assert sum(column.width + GAP for column in shown) + 20 <= width
    assert {"name", "cpu", "throttled", "psi-cpu", "psi-memory", "psi-io"} <= {column.name for column in shown}


def test_wide_terminal_shows_every_column_and_longer_names():
    assert [column.name for column in fitting(220, 20)] == ["name", *(column.name for column in COLUMNS)]
    assert fitting(220, 20)[0].width > NAME.width


def paths(lines):
    return [(line.depth, line.row.cgroup) for line in lines]


ROWS = [
    row("/", 2.0),
    row("/a", 0.5),
    row("/a/x", 0.1),
    row("/a/y", 0.4, qos="BestEffort", kind="pod", pod_uid="1234"),
    row("/b", None),
    row("/c", 0.5),
]


def test_flat_order_is_largest_first_with_equal_ones_by_path_and_missing_ones_last():
    assert [path for _, path in paths(flat(ROWS, Selection(), CPU, descending=True))] == [
        "/", "/a", "/c", "/a/y", "/a/x", "/b",
    ]  # fmt: skip
    assert [path for _, path in paths(flat(ROWS, Selection(), CPU, descending=False))] == [
        "/a/x", "/a/y", "/a", "/c", "/", "/b",
    ]  # fmt: skip


def test_order_by_name_works_for_text():
    assert paths(flat(ROWS, Selection(), NAME, descending=False))[0] == (0, "/")


def test_tree_sorts_siblings_and_keeps_children_below_their_parent():
    assert paths(tree(ROWS, Selection(), CPU, descending=True)) == [
        (0, "/"), (1, "/a"), (2, "/a/y"), (2, "/a/x"), (1, "/c"), (1, "/b"),
    ]  # fmt: skip


def test_tree_shows_what_leads_to_a_chosen_row():
    assert paths(tree(ROWS, Selection(kinds=frozenset({"pod"})), CPU, descending=True)) == [
        (0, "/"), (1, "/a"), (2, "/a/y"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("selection", "chosen"),
    [
        (Selection("A/"), ["/a/x", "/a/y"]),
        (Selection("1234"), ["/a/y"]),
        (Selection(qos="be"), ["/a/y"]),
        (Selection(qos="besteffort"), ["/a/y"]),
        (Selection(qos="LS"), []),
        (Selection(kinds=frozenset({"pod"})), ["/a/y"]),
    ],
)
def test_selection_by_text_class_and_kind(selection, chosen):
    assert [row.cgroup for row in ROWS if selection.takes(row)] == chosen


def test_sparkline_is_newest_right_with_blanks_where_nothing_was_seen():
    assert sparkline([0.0, 0.5, 1.0], 1.0, width=4, kept=4) == " ▁▅█"
    assert sparkline([None, 2.0], 1.0, width=2, kept=2) == " █"
    assert sparkline([], None, width=3, kept=3) == "   "
    assert sparkline([0.0], None, width=1, kept=1) == "▁"


def test_sparkline_shows_the_peak_of_each_share_of_the_minute():
    assert sparkline([0.0, 1.0, 0.0, 0.0], 1.0, width=2, kept=4) == "█▁"


def test_trend_forgets_what_is_gone():
    trend = Trend()
    trend.add([row("/a", 1.0)])
    trend.add([row("/b", 1.0)])
    assert trend.line("/a", 1.0).strip() == ""
    assert trend.line("/b", 1.0).endswith("█")


def test_plain_table_has_one_line_per_row_with_the_path_last():
    text = text_table(flat(ROWS, Selection(), CPU, descending=True)).splitlines()
    assert len(text) == len(ROWS) + 1
    assert text[0].split()[-1] == "CGROUP"
    assert [line.split()[-1] for line in text[1:]] == ["/", "/a", "/c", "/a/y", "/a/x", "/b"]


def test_summary_names_node_use_and_pressure():
    node = NodeRow("n1", 2, 1.5, 8 << 30, 2 << 30, 0.25, 0.0, None, 6, 1.0, 0, 0.5)
    assert summary(node) == (
        "node n1  cpu 1.500 of 2 cores  memory 2.00Gi of 8.00Gi  cpu-wait 25.0%  mem-full 0.0%  io-full -"
        "  (6 cgroups, over 1.0 s)"
    )
