"""A collector that fails degrades itself only."""

import pytest

from koordlet.collect.readiness import Collectors


def test_collector_is_ready_after_a_round_that_worked_and_unready_after_one_that_failed():
    collectors = Collectors()
    collectors.declare("a", "b")
    with collectors.round("a"):
        pass
    assert collectors.status["a"].ready
    assert not collectors.ready()
    with collectors.round("b"):
        raise OSError("no such file")
    assert collectors.status["b"].last_error == "OSError: no such file"
    assert collectors.errors_by_kind == {"OSError": 1}
    with collectors.round("b"):
        pass
    assert collectors.ready()
    assert collectors.status["b"].last_error == ""


def test_cancelling_is_not_a_failure():
    collectors = Collectors()
    collectors.declare("a")
    with pytest.raises(KeyboardInterrupt), collectors.round("a"):
        raise KeyboardInterrupt
    assert collectors.status["a"].failures == 0
