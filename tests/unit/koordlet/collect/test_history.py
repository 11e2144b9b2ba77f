"""Samples that are kept."""

from koordlet.collect.history import History, Metric
from koordlet.collect.node import NodeSample
from koordlet.procfs.meminfo import NodeMemory, NumaMemory

MEMORY = NodeMemory(100, 40, 60)


def test_first_node_sample_keeps_nothing_not_even_memory():
    history = History(60, 60, 1, with_page_cache=True)
    history.append_node(1000, NodeSample(None, MEMORY, {}, {0: NumaMemory(100, 10)}))
    assert history.size().series == 0


def test_node_samples_are_aggregated_over_the_window():
    history = History(60, 60, 1, with_page_cache=False)
    for number, cores in enumerate([1.0, 2.0, 6.0]):
        history.append_node(1000 * (number + 1), NodeSample(cores, MEMORY))
    window = history.node_window(Metric.NODE_CPU_USAGE, 2000, 3000)
    assert window is not None
    assert (window.count, window.avg, window.last) == (2, 4.0, 6.0)
    assert history.node_window(Metric.NODE_MEMORY_USAGE_WITH_PAGE_CACHE, 0, 9000) is None


def test_missing_group_value_is_no_sample_and_series_of_removed_groups_go(table_frame):
    history = History(60, 60, 1, with_page_cache=False)
    first = table_frame(["/a", "/b"], {"cpu_cores": [0.5, float("nan")]}, wall_ms=1000)
    history.append_frame(first)
    assert history.group_means(Metric.GROUP_CPU_USAGE, first, 0, 2000) == [0.5, None]
    history.append_frame(table_frame(["/a", "/b"], {"cpu_cores": [1.5, 1.0]}, wall_ms=2000, gone=[1]))
    assert history.group_means(Metric.GROUP_CPU_USAGE, first, 0, 2000) == [None, 1.0]
