//! What a pod asks for: containers, sidecars, init containers, pod-level values, overhead, a resize under way.

use crate::api::{Container, ContainerStatus, Pod, ResourceList};
use crate::quantity::Quantity;

/// Counted for a container that states no cpu request, in scores only.
const DEFAULT_CPU: &str = "100m";
/// Counted for a container that states no memory request, in scores only.
const DEFAULT_MEMORY: &str = "200Mi";

/// How a pod's amounts are summed up.
#[derive(Clone, Copy, Debug)]
pub struct Counting {
    /// Count allocated and actual amounts of a running pod too.
    pub from_status: bool,
    /// Let pod-level requests replace what the containers sum up to.
    pub pod_level: bool,
    /// Count a default for a missing cpu request, for a missing memory request.
    pub defaults: (bool, bool),
}

/// Of a pod that is to be placed.
pub fn of_incoming(pod: &Pod) -> ResourceList {
    requests(
        pod,
        Counting {
            from_status: false,
            pod_level: true,
            defaults: (false, false),
        },
    )
}

/// Of a pod that is to be placed, as allocation scores count it.
pub fn of_incoming_for_scores(pod: &Pod) -> ResourceList {
    requests(
        pod,
        Counting {
            from_status: false,
            pod_level: false,
            defaults: (true, true),
        },
    )
}

/// Of a placed pod: what a resize under way may still take counts too.
pub fn of_placed(pod: &Pod) -> ResourceList {
    requests(
        pod,
        Counting {
            from_status: true,
            pod_level: true,
            defaults: (false, false),
        },
    )
}

/// Of a placed pod, as allocation scores count it.
pub fn of_placed_for_scores(pod: &Pod, plain: &ResourceList) -> ResourceList {
    let missing = |name: &str| !sets_pod_level(pod) || !plain.contains_key(name);
    requests(
        pod,
        Counting {
            from_status: true,
            pod_level: true,
            defaults: (missing("cpu"), missing("memory")),
        },
    )
}

fn requests(pod: &Pod, counting: Counting) -> ResourceList {
    let mut total = ResourceList::new();
    for container in &pod.spec.containers {
        add(
            &mut total,
            &container_requests(pod, container, &pod.status.container_statuses, counting),
        );
    }
    let mut sidecars = ResourceList::new();
    let mut start = ResourceList::new();
    for container in &pod.spec.init_containers {
        let statuses: &[_] = if container.is_sidecar() {
            &pod.status.init_container_statuses
        } else {
            &[]
        };
        let mut own = container_requests(pod, container, statuses, counting);
        if container.is_sidecar() {
            add(&mut total, &own);
            add(&mut sidecars, &own);
            raise(&mut start, &sidecars);
        } else {
            add(&mut own, &sidecars);
            raise(&mut start, &own);
        }
    }
    raise(&mut total, &start);
    if counting.pod_level && sets_pod_level(pod) {
        for (name, quantity) in &pod.spec.resources.requests {
            if has_pod_level(name) {
                total.insert(name.clone(), *quantity);
            }
        }
    }
    add(&mut total, &pod.spec.overhead);
    total
}

fn container_requests(
    pod: &Pod,
    container: &Container,
    statuses: &[ContainerStatus],
    counting: Counting,
) -> ResourceList {
    let mut own = container.resources.requests.clone();
    if counting.from_status
        && let Some(status) = statuses.iter().find(|status| status.name == container.name)
        && let Some(actual) = &status.resources
    {
        if resize_is_infeasible(pod) {
            own.clear();
        }
        raise(&mut own, &actual.requests);
        raise(&mut own, &status.allocated_resources);
    }
    for (name, default, wanted) in [
        ("cpu", DEFAULT_CPU, counting.defaults.0),
        ("memory", DEFAULT_MEMORY, counting.defaults.1),
    ] {
        if wanted && !own.contains_key(name) {
            own.insert(
                name.to_owned(),
                Quantity::parse(default).unwrap_or_default(),
            );
        }
    }
    own
}

fn resize_is_infeasible(pod: &Pod) -> bool {
    pod.status
        .conditions
        .iter()
        .find(|c| c.kind == "PodResizePending")
        .is_some_and(|c| c.reason == "Infeasible")
}

fn has_pod_level(name: &str) -> bool {
    name == "cpu" || name == "memory" || name.starts_with("hugepages-")
}

fn sets_pod_level(pod: &Pod) -> bool {
    pod.spec
        .resources
        .requests
        .keys()
        .any(|name| has_pod_level(name))
}

fn add(total: &mut ResourceList, more: &ResourceList) {
    for (name, quantity) in more {
        let sum = total.get(name).copied().unwrap_or_default() + *quantity;
        total.insert(name.clone(), sum);
    }
}

fn raise(total: &mut ResourceList, floor: &ResourceList) {
    for (name, quantity) in floor {
        if total.get(name).is_none_or(|held| held < quantity) {
            total.insert(name.clone(), *quantity);
        }
    }
}
