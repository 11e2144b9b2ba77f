"""Random small clusters for property tests, as plain Kubernetes objects."""

from typing import Any

from hypothesis import strategies as st

ZONES = ("z0", "z1", "z2")
APPS = ("web", "db", "cache")
NAMESPACES = ("default", "team-a")
HOST = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"

selectors = st.one_of(
    st.fixed_dictionaries({"matchLabels": st.fixed_dictionaries({"app": st.sampled_from(APPS)})}),
    st.fixed_dictionaries(
        {
            "matchExpressions": st.lists(
                st.fixed_dictionaries(
                    {
                        "key": st.just("app"),
                        "operator": st.sampled_from(("In", "NotIn")),
                        "values": st.lists(st.sampled_from(APPS), min_size=1, max_size=2, unique=True),
                    }
                ),
                min_size=1,
                max_size=1,
            )
        }
    ),
)
effects = st.sampled_from(("NoSchedule", "PreferNoSchedule", "NoExecute"))
taints = st.fixed_dictionaries(
    {"key": st.sampled_from(("a", "b")), "value": st.sampled_from(("", "x")), "effect": effects}
)
tolerations = st.one_of(
    st.fixed_dictionaries({"key": st.sampled_from(("a", "b")), "operator": st.just("Exists")}),
    st.fixed_dictionaries({"key": st.sampled_from(("a", "b")), "value": st.just("x"), "effect": effects}),
)
terms = st.fixed_dictionaries({"labelSelector": selectors, "topologyKey": st.sampled_from((HOST, ZONE))})
weighted_terms = st.fixed_dictionaries({"weight": st.integers(1, 100), "podAffinityTerm": terms})
node_terms = st.fixed_dictionaries(
    {
        "matchExpressions": st.lists(
            st.fixed_dictionaries(
                {
                    "key": st.sampled_from((ZONE, "disk")),
                    "operator": st.sampled_from(("In", "NotIn")),
                    "values": st.lists(st.sampled_from((*ZONES, "ssd")), min_size=1, max_size=2, unique=True),
                }
            ),
            min_size=1,
            max_size=2,
        )
    }
)
spread = st.fixed_dictionaries(
    {
        "maxSkew": st.integers(1, 2),
        "topologyKey": st.sampled_from((HOST, ZONE)),
        "whenUnsatisfiable": st.sampled_from(("DoNotSchedule", "ScheduleAnyway")),
        "labelSelector": selectors,
    }
)


def some(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """Mostly nothing, sometimes one or two."""
    return st.one_of(st.just([]), st.lists(strategy, min_size=1, max_size=2))


@st.composite
def nodes(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """A node of this name."""
    labels = {HOST: name} | draw(
        st.fixed_dictionaries({}, optional={ZONE: st.sampled_from(ZONES), "disk": st.sampled_from(("ssd", "hdd"))})
    )
    images = draw(some(st.sampled_from(("app:1", "big:latest"))))
    return {
        "metadata": {"name": name, "labels": labels},
        "spec": {"taints": draw(some(taints)), "unschedulable": draw(st.sampled_from((False, False, False, True)))},
        "status": {
            "allocatable": {
                "cpu": draw(st.sampled_from(("2", "4", "3900m"))),
                "memory": draw(st.sampled_from(("4Gi", "8G"))),
                "pods": draw(st.sampled_from(("3", "110"))),
            },
            "images": [{"names": [image], "sizeBytes": 400_000_000} for image in sorted(set(images))],
        },
    }


@st.composite
def pods(draw: st.DrawFn, name: str, node_names: tuple[str, ...] = ()) -> dict[str, Any]:
    """A pod of this name: placed on one of the nodes when there are any, else waiting."""
    requests = draw(
        st.fixed_dictionaries(
            {}, optional={"cpu": st.sampled_from(("100m", "500m", "1")), "memory": st.sampled_from(("256Mi", "1Gi"))}
        )
    )
    container: dict[str, Any] = {"name": "c", "image": draw(st.sampled_from(("app:1", "big", "other")))}
    container["resources"] = {"requests": requests}
    ports = draw(st.sampled_from((None, None, None, 80, 8080)))
    if ports:
        container["ports"] = [{"hostPort": ports, "hostIP": draw(st.sampled_from(("", "10.0.0.1")))}]
    affinity = {
        "podAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": draw(some(terms)),
            "preferredDuringSchedulingIgnoredDuringExecution": draw(some(weighted_terms)),
        },
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": draw(some(terms)),
            "preferredDuringSchedulingIgnoredDuringExecution": draw(some(weighted_terms)),
        },
    }
    required = draw(some(node_terms))
    if required:
        affinity["nodeAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": required}}
    spec: dict[str, Any] = {
        "containers": [container],
        "affinity": affinity,
        "tolerations": draw(some(tolerations)),
        "topologySpreadConstraints": draw(some(spread)),
        "priority": draw(st.sampled_from((0, 10))),
    }
    if node_names:
        spec["nodeName"] = draw(st.sampled_from(node_names))
    namespace = draw(st.sampled_from(NAMESPACES))
    labels = {"app": draw(st.sampled_from(APPS))}
    return {"metadata": {"name": name, "namespace": namespace, "labels": labels, "uid": name}, "spec": spec}


@st.composite
def clusters(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Nodes, and pods placed on them."""
    names = tuple(f"n{at}" for at in range(draw(st.integers(1, 5))))
    found = [draw(nodes(name)) for name in names]
    return found, [draw(pods(f"e{at}", names)) for at in range(draw(st.integers(0, 8)))]
