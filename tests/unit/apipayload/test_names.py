"""The constants that name labels, annotations and resources."""

import importlib
import pkgutil

import koord.api.names
from koord.api.payloads.registry import PAYLOADS
from koord.api.selectors.requirement import check_key


def constants(*prefixes):
    for module in pkgutil.iter_modules(koord.api.names.__path__):
        for name, value in vars(importlib.import_module(f"koord.api.names.{module.name}")).items():
            if name.startswith(prefixes) and isinstance(value, str):
                yield name, value


def test_every_key_is_a_valid_key_of_kubernetes():
    for name, value in constants("LABEL_", "ANNOTATION_", "DEPRECATED_ANNOTATION_", "RESOURCE_"):
        if not name.endswith(("_PREFIX", "_DOMAIN")):
            check_key(value, name)


def test_no_key_has_two_names():
    values = [value for _, value in constants("LABEL_", "ANNOTATION_", "DEPRECATED_ANNOTATION_")]
    assert len(values) == len(set(values))


def test_every_label_and_annotation_has_a_payload():
    described = {key for _, key in PAYLOADS}
    without = {value for _, value in constants("LABEL_", "ANNOTATION_", "DEPRECATED_ANNOTATION_")} - described
    assert without == {"app.kubernetes.io/managed-by", "scheduling.koordinator.sh/sync-barrier-"}
