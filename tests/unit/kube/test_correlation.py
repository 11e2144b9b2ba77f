"""Which events are written."""

from koord.api.meta import ObjectReference
from koord.kube.correlation import BURST, COMBINED, REFILL_S, SIMILAR, WINDOW_S, Correlator, Occurrence, Record


def happened(message: str = "m", *, name: str = "web", reason: str = "Reason") -> Occurrence:
    about = ObjectReference(kind="Pod", namespace="ns", name=name, uid=f"uid-{name}")
    return Occurrence(about, "Warning", reason, message)


def test_equal_occurrences_count_up_under_the_first_name() -> None:
    correlator = Correlator()
    records = [correlator.correlate(happened(), f"name-{number}", number) for number in range(3)]
    assert records == [Record("name-0", 1, "m"), Record("name-0", 2, "m"), Record("name-0", 3, "m")]


def test_the_eleventh_different_message_of_a_reason_is_combined() -> None:
    correlator = Correlator()
    records = [correlator.correlate(happened(f"m{number}"), f"n{number}", 0) for number in range(SIMILAR + 2)]
    assert [record.message for record in records if record][-3:] == ["m9", f"{COMBINED}m10", f"{COMBINED}m11"]
    assert records[-1] == Record("n10", 2, f"{COMBINED}m11")


def test_after_a_quiet_while_messages_are_no_longer_combined() -> None:
    correlator = Correlator()
    for number in range(SIMILAR + 1):
        correlator.correlate(happened(f"m{number}"), "n", 0)
    record = correlator.correlate(happened("new"), "n", WINDOW_S + 1)
    assert record is not None
    assert record.message == "new"


def test_each_object_has_a_burst_and_then_one_event_in_five_minutes() -> None:
    correlator = Correlator()
    written = [correlator.correlate(happened(reason=f"R{number}"), "n", 0) for number in range(BURST + 5)]
    assert [record is not None for record in written] == [True] * BURST + [False] * 5
    assert correlator.correlate(happened(name="other"), "n", 0) is not None
    assert correlator.correlate(happened(reason="Late"), "n", REFILL_S - 1) is None
    assert correlator.correlate(happened(reason="Late"), "n", REFILL_S + 1) is not None


def test_what_is_remembered_is_bounded() -> None:
    correlator = Correlator()
    for number in range(10_000):
        correlator.correlate(happened(name=f"pod-{number}"), f"n{number}", 0)
    first = correlator.correlate(happened(name="pod-0"), "again", 0)
    last = correlator.correlate(happened(name="pod-9999"), "again", 0)
    assert first == Record("again", 1, "m")
    assert last == Record("n9999", 2, "m")
