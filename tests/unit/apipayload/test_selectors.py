"""Label selectors as objects and as text, node selectors, pod affinity terms, taints."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koord.api.gojson import decode
from koord.api.meta import LabelSelector
from koord.api.selectors.labels import EVERYTHING, NOTHING, compile_selector
from koord.api.selectors.nodes import (
    NodeAffinity,
    NodeSelectorTerm,
    PreferredSchedulingTerm,
    compile_term,
    compile_terms,
    preference,
    required_nodes,
)
from koord.api.selectors.overlap import common_labels
from koord.api.selectors.pods import PodAffinityTerm, compile_affinity_term
from koord.api.selectors.requirement import SelectorError
from koord.api.selectors.taints import Taint, Toleration, intolerable_preferences, tolerates, untolerated
from koord.api.selectors.text import parse_selector


def selector(**fields):
    return decode(fields, LabelSelector)


def expression(key, operator, *values):
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


@pytest.mark.parametrize(
    ("fields", "labels", "expected"),
    [
        ({}, {}, True),
        ({"matchLabels": {"a": "1"}}, {"a": "1", "b": "2"}, True),
        ({"matchLabels": {"a": "1"}}, {"a": "2"}, False),
        ({"matchLabels": {"a": ""}}, {"a": ""}, True),
        ({"matchLabels": {"a": ""}}, {}, False),
        (expression("a", "In", "1", "2"), {"a": "2"}, True),
        (expression("a", "In", "1"), {}, False),
        (expression("a", "NotIn", "1"), {}, True),
        (expression("a", "NotIn", "1"), {"a": "1"}, False),
        (expression("a", "Exists"), {"a": ""}, True),
        (expression("a", "Exists"), {}, False),
        (expression("a", "DoesNotExist"), {}, True),
        (expression("a", "DoesNotExist"), {"a": "x"}, False),
        ({"matchLabels": {"a": "1"}} | expression("b", "Exists"), {"a": "1"}, False),
    ],
)
def test_a_label_selector_matches_when_all_conditions_hold(fields, labels, expected):
    assert compile_selector(selector(**fields)).matches(labels) is expected


def test_an_absent_selector_matches_nothing_and_an_empty_one_everything():
    assert compile_selector(None) == NOTHING
    assert not NOTHING.matches({})
    assert compile_selector(LabelSelector()) == EVERYTHING


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            expression("a", "Bogus", "1"),
            'matchExpressions[0].operator: found "Bogus", allowed In, NotIn, Exists, DoesNotExist',
        ),
        (
            expression("a", "Gt", "1"),
            'matchExpressions[0].operator: found "Gt", allowed In, NotIn, Exists, DoesNotExist',
        ),
        (expression("a", "In"), "matchExpressions[0].values: found none, allowed at least one for In"),
        (expression("a", "Exists", "1"), "matchExpressions[0].values: found ['1'], allowed none for Exists"),
        (expression("-a", "Exists"), 'matchExpressions[0].key: found "-a", allowed a label key'),
        ({"matchLabels": {"a": "b c"}}, 'matchLabels.values[0]: found "b c", allowed a label value'),
        ({"matchLabels": {"a/b/c": ""}}, 'matchLabels.key: found "a/b/c", allowed a label key'),
        ({"matchLabels": {"a": "x" * 64}}, "matchLabels.values[0]: found"),
    ],
)
def test_a_bad_selector_is_refused_with_path_found_and_allowed(fields, message):
    with pytest.raises(SelectorError) as caught:
        compile_selector(selector(**fields))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "matching", "other"),
    [
        ("", {}, None),
        ("  ", {"a": "1"}, None),
        ("a", {"a": ""}, {}),
        ("!a", {}, {"a": ""}),
        ("a=1", {"a": "1"}, {"a": "2"}),
        ("a == 1", {"a": "1"}, {}),
        ("a!=1", {}, {"a": "1"}),
        ("a=", {"a": ""}, {"a": "1"}),
        ("a in (1,2)", {"a": "2"}, {"a": "3"}),
        ("a notin (1, 2),b", {"b": ""}, {"a": "1", "b": ""}),
        ("a in (,)", {"a": ""}, {"a": "1"}),
        ("a in (1,)", {"a": ""}, {"a": "2"}),
        ("a in (1,,2)", {"a": ""}, {"a": "3"}),
        ("n>5", {"n": "6"}, {"n": "5"}),
        ("n < 5", {"n": "-1"}, {"n": "x"}),
        ("in in (in, notin)", {"in": "notin"}, {"in": "out"}),
        ("example.com/app=web,tier in (x)", {"example.com/app": "web", "tier": "x"}, {"tier": "x"}),
    ],
)
def test_a_selector_as_text_matches(text, matching, other):
    parsed = parse_selector(text)
    assert parsed.matches(matching)
    assert other is None or not parsed.matches(other)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a,", "found the end, allowed a label key"),
        (",a", 'found ",", allowed a label key'),
        ("a=1 b", 'found "b", allowed "," or the end'),
        ("a in", 'found the end, allowed "("'),
        ("a in 1", 'found "1", allowed "("'),
        ("a in ()", "found none, allowed at least one"),
        ("a in (1", 'found the end, allowed "," or ")"'),
        ("a in (1 2)", 'found "2", allowed "," or ")"'),
        ("!a=1", 'found "=", allowed "," or the end'),
        ("a ~ b", 'found "~", allowed in, notin, =, ==, !=, > or <'),
        ("n>x", 'found "x", allowed an integer'),
        ("a==", None),
        ("a===b", 'found "=", allowed a value'),
        ("_a", 'found "_a", allowed a label key'),
    ],
)
def test_a_broken_text_is_refused_with_what_stands_there(text, found):
    if found is None:
        assert parse_selector(text).matches({"a": ""})
        return
    with pytest.raises(SelectorError) as caught:
        parse_selector(text)
    assert found in str(caught.value)
    assert text in str(caught.value)


@given(st.text(alphabet="ab1 ,=!()<>innot\t-./", max_size=30))
def test_any_text_is_a_selector_or_a_named_error(text):
    try:
        parse_selector(text).matches({"a": "1"})
    except SelectorError as error:
        assert text in str(error)  # noqa: PT017 (most texts are fine)


def term(**fields):
    return decode(fields, NodeSelectorTerm)


def name_field(operator, *values):
    return {"matchFields": [{"key": "metadata.name", "operator": operator, "values": list(values)}]}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (expression("cpus", "Gt", "8"), True),
        (expression("cpus", "Gt", "16"), False),
        (expression("cpus", "Lt", "17"), True),
        (expression("zone", "Gt", "1"), False),
        (expression("gone", "Lt", "1"), False),
        (name_field("In", "n1"), True),
        (name_field("NotIn", "n1"), False),
        (name_field("In", "n2"), False),
        (expression("zone", "In", "a") | name_field("In", "n1"), True),
        (expression("zone", "In", "b") | name_field("In", "n1"), False),
    ],
)
def test_a_node_selector_term_compares_labels_numbers_and_the_name(fields, expected):
    compiled = compile_term(term(**fields))
    assert compiled is not None
    assert compiled.matches("n1", {"cpus": "16", "zone": "a"}) is expected


def test_an_empty_term_matches_no_node_and_one_of_several_terms_suffices():
    terms = compile_terms((term(), term(**expression("zone", "In", "b")), term(**expression("zone", "In", "a"))))
    assert terms.matches("n1", {"zone": "a"})
    assert not terms.matches("n1", {"zone": "c"})
    assert not compile_terms(()).matches("n1", {})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (expression("a", "Gt", "x"), 'nodeSelectorTerms[0].matchExpressions[0].values[0]: found "x"'),
        (expression("a", "Gt", "1", "2"), "allowed exactly one integer for Gt"),
        (name_field("Exists"), 'nodeSelectorTerms[0].matchFields[0].operator: found "Exists", allowed In, NotIn'),
        (name_field("In", "a", "b"), "matchFields[0].values: found ['a', 'b'], allowed exactly one"),
    ],
)
def test_a_broken_term_hinders_no_other_and_is_named_when_none_matches(fields, message):
    terms = compile_terms((term(**fields), term(**expression("zone", "In", "a"))))
    assert terms.matches("n1", {"zone": "a"})
    with pytest.raises(SelectorError) as caught:
        terms.matches("n1", {"zone": "b"})
    assert message in str(caught.value)


def test_required_nodes_need_the_node_selector_and_one_term():
    affinity = decode(
        {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [expression("zone", "In", "a"), expression("zone", "In", "b")]
            }
        },
        NodeAffinity,
    )
    required = required_nodes({"disk": "ssd"}, affinity)
    assert required.matches("n", {"disk": "ssd", "zone": "b"})
    assert not required.matches("n", {"zone": "b"})
    assert not required.matches("n", {"disk": "ssd", "zone": "c"})
    assert required_nodes({}, None).matches("n", {})
    nothing = decode({"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}}, NodeAffinity)
    assert not required_nodes({}, nothing).matches("n", {})


def test_preference_adds_the_weights_of_matching_terms():
    terms = tuple(
        decode({"weight": weight, "preference": expression("zone", "In", zone)}, PreferredSchedulingTerm)
        for weight, zone in ((10, "a"), (5, "b"), (3, "a"), (0, "a"))
    )
    assert preference(terms, "n", {"zone": "a"}) == 13


@pytest.mark.parametrize(
    ("fields", "namespace", "expected"),
    [
        ({"labelSelector": {"matchLabels": {"app": "web"}}}, "own", True),
        ({"labelSelector": {"matchLabels": {"app": "web"}}}, "other", False),
        ({"labelSelector": {}, "namespaces": ["other"]}, "other", True),
        ({"labelSelector": {}, "namespaces": ["other"]}, "own", False),
        ({"labelSelector": {}, "namespaceSelector": {}}, "other", True),
        ({"labelSelector": {}, "namespaceSelector": {"matchLabels": {"team": "x"}}}, "other", True),
        ({"labelSelector": {}, "namespaceSelector": {"matchLabels": {"team": "y"}}}, "own", False),
        ({"namespaceSelector": {}}, "own", False),
    ],
)
def test_a_pod_affinity_term_speaks_of_pods_in_its_namespaces(fields, namespace, expected):
    compiled = compile_affinity_term(decode({"topologyKey": "zone"} | fields, PodAffinityTerm), "own")
    assert compiled.matches(namespace, {"team": "x"}, {"app": "web"}) is expected


TAINT = Taint(key="gpu", value="a", effect="NoSchedule")


@pytest.mark.parametrize(
    ("toleration", "expected"),
    [
        (Toleration(key="gpu", value="a", effect="NoSchedule"), True),
        (Toleration(key="gpu", operator="Equal", value="a"), True),
        (Toleration(key="gpu", value="b"), False),
        (Toleration(key="gpu", operator="Exists"), True),
        (Toleration(operator="Exists"), True),
        (Toleration(key="cpu", operator="Exists"), False),
        (Toleration(key="gpu", operator="Exists", effect="NoExecute"), False),
        (Toleration(key="gpu", operator="Gt", value="0"), False),
        (Toleration(key="gpu", operator="Lt", value="9"), False),
        (Toleration(key="gpu", operator="Like", value="a"), False),
    ],
)
def test_a_toleration_bears_a_taint_of_its_key_value_and_effect(toleration, expected):
    assert tolerates(toleration, TAINT) is expected


def test_preferences_are_counted_and_do_not_forbid():
    soft = Taint(key="old", effect="PreferNoSchedule")
    assert untolerated((soft, TAINT), (Toleration(key="gpu", operator="Exists"),)) is None
    assert untolerated((soft, TAINT), ()) == TAINT
    assert intolerable_preferences((soft, TAINT, soft), ()) == 2
    assert intolerable_preferences((soft,), (Toleration(operator="Exists"),)) == 0
    assert intolerable_preferences((soft,), (Toleration(operator="Exists", effect="NoSchedule"),)) == 1


@pytest.mark.parametrize(
    ("one", "other", "common"),
    [
        ({}, {}, {}),
        ({"matchLabels": {"a": "1"}}, {"matchLabels": {"a": "2"}}, None),
        ({"matchLabels": {"a": "1"}}, {"matchLabels": {"b": "2"}}, {"a": "1", "b": "2"}),
        (expression("a", "In", "1", "2"), expression("a", "NotIn", "1"), {"a": "2"}),
        (expression("a", "Exists"), expression("a", "DoesNotExist"), None),
        (expression("a", "Exists"), expression("a", "NotIn", "any"), {"a": "any-0"}),
        (expression("a", "NotIn", "1"), expression("a", "DoesNotExist"), {}),
    ],
)
def test_overlap_of_selectors_is_shown_by_labels_that_both_match(one, other, common):
    first, second = compile_selector(selector(**one)), compile_selector(selector(**other))
    assert common_labels(first, second) == common
    if common is not None:
        assert first.matches(common)
        assert second.matches(common)


values = st.lists(st.sampled_from("123"), min_size=1, max_size=2, unique=True)
expressions = st.one_of(
    st.builds(
        lambda key, op, many: {"key": key, "operator": op, "values": many},
        st.sampled_from("ab"),
        st.sampled_from(["In", "NotIn"]),
        values,
    ),
    st.builds(
        lambda key, op: {"key": key, "operator": op}, st.sampled_from("ab"), st.sampled_from(["Exists", "DoesNotExist"])
    ),
)
selectors = st.lists(expressions, max_size=3).map(lambda many: compile_selector(selector(matchExpressions=many)))
SPACE = [
    {key: value for key, value in (("a", a), ("b", b)) if value is not None}
    for a in (None, "1", "2", "3", "any", "any-0")
    for b in (None, "1", "2", "3", "any", "any-0")
]


@given(selectors, selectors)
def test_overlap_agrees_with_trying_all_labels(one, other):
    tried = any(one.matches(labels) and other.matches(labels) for labels in SPACE)
    assert (common_labels(one, other) is not None) is tried
