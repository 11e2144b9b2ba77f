"""The indexed store."""

from hypothesis import given
from hypothesis import strategies as st

from koord.kube.store import Store

_OPERATIONS = st.lists(
    st.tuples(st.sampled_from("abcde"), st.none() | st.lists(st.sampled_from("xyz"), max_size=3).map(tuple)),
    max_size=60,
)


@given(_OPERATIONS)
def test_an_index_always_equals_a_scan(operations: list[tuple[str, tuple[str, ...] | None]]) -> None:
    store: Store[tuple[str, ...]] = Store({"tag": lambda tags: tags})
    truth: dict[str, tuple[str, ...]] = {}
    for key, tags in operations:
        if tags is None:
            assert store.remove(key) == truth.pop(key, None)
        else:
            assert store.put(key, tags) == truth.get(key)
            truth[key] = tags
        assert dict(store) == truth
        assert sorted(store.values()) == sorted(truth.values())
        for tag in "xyz":
            assert sorted(store.by_index("tag", tag)) == sorted(tags for tags in truth.values() if tag in tags)
        assert set(store.index_values("tag")) == {tag for tags in truth.values() for tag in tags}
