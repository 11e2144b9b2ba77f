"""Kinds by the names that people type."""

import pytest

from koord.cli.kinds import UnknownKindError, kinds_named


@pytest.mark.parametrize(
    ("typed", "plural"),
    [
        ("reservations", "reservations"),
        ("Reservation", "reservations"),
        ("pmj", "podmigrationjobs"),
        ("podmigrationjobs.scheduling.koordinator.sh", "podmigrationjobs"),
        ("eqp", "elasticquotaprofiles"),
        ("po", "pods"),
        ("cm", "configmaps"),
    ],
)
def test_plural_singular_short_and_full_names_are_known(typed: str, plural: str) -> None:
    [kind] = kinds_named(typed)
    assert kind.RESOURCE.plural == plural


def test_all_stands_for_koords_own_kinds_each_once() -> None:
    names = [kind.RESOURCE.plural for kind in kinds_named("all,pmj")]
    assert len(names) == len(set(names)) == 13
    assert "pods" not in names


def test_a_wrong_name_is_told_with_those_that_exist() -> None:
    with pytest.raises(UnknownKindError, match=r"found 'bananas', allowed all, .*reservations"):
        kinds_named("pods,bananas")
