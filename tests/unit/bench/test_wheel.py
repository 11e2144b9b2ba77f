"""What is said of a built wheel, and of none."""

from bench.harness.wheel import other_libraries, wheel_results


def test_a_wheel_that_was_not_built_is_null_with_the_cause(tmp_path):
    size, libraries = wheel_results(tmp_path)
    assert (size.name, size.value, size.ok) == ("wheel_kb", None, None)
    assert (libraries.value, libraries.ok) == (None, None)
    assert "no wheel has been built" in size.why


def test_counts_only_libraries_that_not_every_linux_has():
    needed = ["libelf.so.1", "libgcc_s.so.1", "libc.so.6", "ld-linux-x86-64.so.2", "libz.so.1"]
    assert other_libraries(needed) == ["libelf.so.1", "libz.so.1"]
