"""A process's cost: CPU time with ended threads, memory, BPF run time."""

import os
import threading
import time

import pytest

from bench.harness.process import anonymous_bytes, cpu_seconds, rss_bytes, run_time_ns, status_kib


def test_cpu_time_keeps_that_of_ended_threads():
    before = cpu_seconds(os.getpid())

    def spin() -> None:
        end = time.thread_time() + 0.05
        while time.thread_time() < end:
            pass

    thread = threading.Thread(target=spin)
    thread.start()
    thread.join()
    assert cpu_seconds(os.getpid()) - before >= 0.05


def test_cpu_time_of_no_process_is_an_error():
    with pytest.raises(OSError, match="Invalid argument"):
        cpu_seconds(2**22 + 1)


def test_resident_memory_grows_by_what_is_touched():
    before, own = rss_bytes(os.getpid()), anonymous_bytes(os.getpid())
    block = bytearray(os.urandom(1 << 20) * 32)
    assert rss_bytes(os.getpid()) - before > len(block) / 2
    assert anonymous_bytes(os.getpid()) - own > len(block) / 2


def test_reads_the_run_time_of_a_bpf_program_descriptor():
    assert run_time_ns("pos:\t0\nprog_type:\t26\nrun_time_ns:\t1234\nrun_cnt:\t5\n") == 1234
    assert run_time_ns("pos:\t0\nflags:\t02\n") == 0


def test_status_names_the_line_that_is_absent():
    with pytest.raises(KeyError, match="RssAnon"):
        status_kib("Name:\tkthreadd\n", "RssAnon")
