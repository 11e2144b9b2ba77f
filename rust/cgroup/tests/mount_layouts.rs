//! The mount tables of real hosts.

use std::path::Path;

use koord_cgroup::{Controller, Mounts, Version};

const HYBRID: &str = "\
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
33 31 0:30 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
37 31 0:34 / /sys/fs/cgroup/freezer rw,relatime - cgroup cgroup rw,freezer
39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
";

const COMOUNTED: &str = "\
30 25 0:26 / /sys/fs/cgroup/systemd rw,nosuid shared:9 - cgroup cgroup rw,xattr,name=systemd
33 25 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid,nodev,noexec,relatime shared:12 - cgroup cgroup rw,cpu,cpuacct
34 25 0:30 / /sys/fs/cgroup/memory rw,nosuid,nodev,noexec,relatime shared:13 master:4 - cgroup cgroup rw,memory
";

const UNIFIED: &str = "\
29 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot
";

fn roots(mounts: &Mounts) -> Vec<&str> {
    mounts
        .hierarchies
        .iter()
        .filter(|h| h.is_measured())
        .map(|h| h.root.to_str().unwrap())
        .collect()
}

#[test]
fn a_hybrid_host_has_one_hierarchy_per_controller_and_the_v2_tree() {
    let mounts = Mounts::parse(HYBRID.as_bytes(), None);
    assert_eq!(mounts.layout(), "hybrid");
    let expected = ["cpu", "cpuacct", "memory", "pids", "unified"]
        .map(|name| format!("/sys/fs/cgroup/{name}"));
    assert_eq!(roots(&mounts), expected);
    assert_eq!(mounts.hierarchies[0].controllers, [Controller::Cpu]);
    assert_eq!(mounts.hierarchies.last().unwrap().version, Version::V2);
}

#[test]
fn comounted_controllers_are_one_hierarchy() {
    let mounts = Mounts::parse(COMOUNTED.as_bytes(), None);
    assert_eq!(mounts.layout(), "v1");
    assert_eq!(
        roots(&mounts),
        ["/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/memory"]
    );
    assert_eq!(
        mounts.hierarchies[1].controllers,
        [Controller::Cpu, Controller::Cpuacct]
    );
}

#[test]
fn a_pure_v2_host_has_one_hierarchy() {
    let mounts = Mounts::parse(UNIFIED.as_bytes(), None);
    assert_eq!(
        (mounts.layout(), roots(&mounts)),
        ("v2", vec!["/sys/fs/cgroup"])
    );
}

#[test]
fn a_root_directory_selects_its_mounts() {
    let table = format!("{UNIFIED}90 80 0:26 / /host-cgroup rw - cgroup2 cgroup2 rw\n");
    assert_eq!(
        roots(&Mounts::parse(
            table.as_bytes(),
            Some(Path::new("/host-cgroup"))
        )),
        ["/host-cgroup"]
    );
    assert_eq!(
        roots(&Mounts::parse(table.as_bytes(), None)),
        ["/sys/fs/cgroup"]
    );
    assert!(roots(&Mounts::parse(table.as_bytes(), Some(Path::new("/host")))).is_empty());
}

#[test]
fn of_two_mounts_of_a_hierarchy_the_one_that_shows_more_is_taken() {
    let table =
        "1 0 0:26 /kubelet /a rw - cgroup2 cgroup2 rw\n2 0 0:26 / /b rw - cgroup2 cgroup2 rw\n";
    assert_eq!(roots(&Mounts::parse(table.as_bytes(), None)), ["/b"]);
}

#[test]
fn escaped_mount_points_are_unescaped() {
    let table = r"1 0 0:26 / /mnt/with\040space\134x rw - cgroup2 cgroup2 rw";
    assert_eq!(
        roots(&Mounts::parse(table.as_bytes(), None)),
        [r"/mnt/with space\x"]
    );
}

#[test]
fn this_host_has_a_readable_hierarchy() {
    let mounts = Mounts::discover(None).unwrap();
    assert!(
        mounts
            .hierarchies
            .iter()
            .any(koord_cgroup::Hierarchy::is_measured)
    );
}

#[test]
fn a_directory_without_mounts_is_an_error_that_names_it() {
    let error = Mounts::discover(Some(Path::new("/proc"))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "/proc: no cgroup hierarchy is mounted here"
    );
}
