"""Which rows there are, and what becomes of them when cgroups come and go."""

import math
import threading

import pytest

from koord._core import SnapshotError, Snapshotter


def keys(frame, path):
    return [key for key, at, _ in frame.rows() if at == path]


def test_the_root_and_all_groups_are_rows_with_their_parents(snapshotter, cgroups):
    parent = cgroups.make()
    child = cgroups.make("child", parent=parent)
    frame = snapshotter.collect()
    rows = {path: (key, above) for key, path, above in frame.rows()}
    assert rows["/"][1] == 0
    assert rows[parent.path][1] == rows["/"][0]
    assert rows[child.path][1] == rows[parent.path][0]
    index = frame.index(rows[child.path][0])
    assert frame.parent[index] == frame.index(rows[parent.path][0])
    assert (frame.level[index], frame.level[0], frame.parent[0]) == (2, 0, -1)
    assert frame.path(rows[child.path][0]) == child.path


def test_the_first_frame_names_all_rows_as_appeared_and_the_next_only_new_ones(snapshotter, cgroups):
    first = snapshotter.collect()
    assert first.appeared == first.rows()
    assert first.gone == []
    group = cgroups.make()
    second = snapshotter.collect()
    root = first.rows()[0][0]
    assert [(path, above) for _, path, above in second.appeared if path == group.path] == [(group.path, root)]
    assert keys(snapshotter.collect(), group.path) == keys(second, group.path)


def test_a_removed_group_keeps_its_totals_for_one_frame_then_goes(snapshotter, cgroups, row, eventually):
    group = cgroups.make()
    group.spin()
    snapshotter.collect()
    eventually(lambda: row(snapshotter.collect(), group.path)["usage_ns"] > 0)
    group.kill()
    before = snapshotter.collect()
    (key,) = keys(before, group.path)
    used = before.usage_ns[before.index(key)]
    assert used > 0
    group.remove()
    last = snapshotter.collect()
    assert key in last.gone
    index = last.index(key)
    assert last.usage_ns[index] == used
    assert math.isnan(last.cpu_cores[index])
    assert math.isnan(last.memory_bytes[index])
    after = snapshotter.collect()
    assert key not in after.gone
    assert keys(after, group.path) == []
    with pytest.raises(KeyError):
        after.path(key)


def test_a_recreated_name_is_another_row_without_an_impossible_rate(snapshotter, cgroups, assert_plausible):
    group = cgroups.make()
    group.spin()
    snapshotter.collect()
    frame = snapshotter.collect()
    (old,) = keys(frame, group.path)
    seen = {old}
    for _ in range(5):
        group.remove()
        for directory in group.procs_dirs():
            directory.mkdir()
        group.spin()
        frame = snapshotter.collect()
        assert_plausible(frame)
        (new,) = set(keys(frame, group.path)) - set(frame.gone)
        assert new not in seen
        assert new > max(seen)
        assert math.isnan(frame.cpu_cores[frame.index(new)])
        seen.add(new)


def test_a_group_in_one_hierarchy_only_has_that_hierarchys_values(snapshotter, cgroups, row):
    if "memory" not in cgroups.mounts or "cpu" not in cgroups.mounts:
        pytest.skip("needs v1's memory and cpu hierarchies")
    memory = cgroups.make(only=("memory",))
    frame = snapshotter.collect()
    found = row(frame, memory.path)
    assert found["memory_bytes"] >= 0
    assert math.isnan(found["nr_periods"])
    assert math.isnan(found["usage_ns"])
    assert math.isnan(found["psi_cpu_some_ns"])
    key = keys(frame, memory.path)[0]
    assert set(frame.sources(key)) == {"memory", "memory_stat", "oom"}
    assert frame.sources(key)["memory"].hierarchy == str(cgroups.mounts["memory"])


def test_names_that_are_not_utf_8_come_through_as_the_os_module_has_them(snapshotter, cgroups):
    group = cgroups.make("koord-test-\udcff-name")
    assert len(keys(snapshotter.collect(), group.path)) == 1


def test_a_frame_does_not_change_when_later_ones_are_taken(snapshotter):
    frames = [snapshotter.collect() for _ in range(5)]
    copies = [(list(frame.key), frame.usage_ns.tobytes()) for frame in frames]
    views = [frame.usage_ns for frame in frames]
    for _ in range(5):
        snapshotter.collect()
    assert [(list(frame.key), view.tobytes()) for frame, view in zip(frames, views, strict=True)] == copies
    assert [frame.number for frame in frames] == [1, 2, 3, 4, 5]


def test_columns_are_read_only_contiguous_buffers(snapshotter):
    frame = snapshotter.collect()
    for name, code in (("key", "Q"), ("level", "Q"), ("source", "Q"), ("parent", "q"), ("cpu_cores", "d")):
        view = getattr(frame, name)
        assert (view.format, view.itemsize, view.readonly, view.contiguous) == (code, 8, True, True)
        assert len(view) == len(frame)
    with pytest.raises(TypeError):
        frame.cpu_cores[0] = 1.0
    del frame
    assert len(view.tobytes()) == 8 * len(view)


def test_many_threads_may_collect_at_once(snapshotter):
    numbers: list[int] = []

    def collect() -> None:
        numbers.extend(snapshotter.collect().number for _ in range(5))

    threads = [threading.Thread(target=collect) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == list(range(1, 21))


def test_every_group_of_fields_names_its_source_or_the_reason_for_having_none(snapshotter):
    snapshotter.collect()
    sources = snapshotter.sources()
    assert {source.group for source in sources} == {
        "cpu_usage", "throttling", "psi", "memory", "memory_stat", "tasks", "oom",
    }  # fmt: skip
    for source in sources:
        if source.tier == "none":
            assert source.reason
            assert not source.source
        else:
            assert source.source or not source.hierarchy or source.reason


def test_a_root_directory_selects_the_hierarchies_below_it(cgroups, row):
    if {"unified", "cpu"} - cgroups.mounts.keys():
        pytest.skip("needs a hybrid host")
    group = cgroups.make()
    frame = Snapshotter(root=str(cgroups.mounts["unified"]), tier="files").collect()
    found = row(frame, group.path)
    assert found["usage_ns"] == 0
    assert math.isnan(found["nr_periods"])


def test_a_root_without_hierarchies_is_an_error_that_names_it():
    with pytest.raises(SnapshotError, match=r"^/proc: no cgroup hierarchy is mounted here$"):
        Snapshotter(root="/proc")


def test_an_unknown_tier_is_refused_with_the_allowed_ones():
    with pytest.raises(ValueError, match='found "bcc", allowed are auto, bpf-css, bpf-iter, files'):
        Snapshotter(tier="bcc")  # pyright: ignore[reportArgumentType]
