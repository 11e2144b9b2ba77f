//! Rows hold what the kernel's files say of the same cgroups. The load is paused before both are read, so that
//! nothing but the reading can make a difference.

use crate::machine::{Group, Load, attach, mount, snapshot, wait_until};
use koord_probes::{Groups, NO_LIMIT};

const SPIN: &str = "while :; do :; done";

/// A spinner that is paused once `reached` says so.
fn spin_until(groups: &[&Group], reached: impl FnMut() -> bool) -> Load {
    let load = Load::start(groups, SPIN);
    wait_until(reached);
    load.pause();
    load
}

#[test]
fn usage_and_pressure_of_a_v2_group_equal_its_files() {
    let (Some(mut snapshot), Some(root)) = (snapshot(64), mount(None)) else {
        return;
    };
    let top = Group::new(&root, "usage");
    let group = top.child("spinner");
    let rival = top.child("rival");
    let id = attach(&mut snapshot, &root);
    let rivals: Vec<Load> = (0..4).map(|_| Load::start(&[&rival], SPIN)).collect();
    let load = spin_until(&[&group], || {
        group.value("cpu.stat", "usage_usec") > 100_000
    });

    let rows = snapshot.collect(id, Groups::all()).expect("a walk");
    let row = *group.row(rows).expect("the group's row");
    let parent = *top.row(rows).expect("its parent's row");
    assert!(row.has(Groups::CPU_BASE | Groups::FRESH | Groups::TASKS));
    assert_eq!(row.parent_id, parent.id);
    assert_eq!(row.level, parent.level + 1);
    assert_eq!(row.usage_ns / 1000, group.value("cpu.stat", "usage_usec"));
    assert_eq!(row.user_ns + row.system_ns, row.usage_ns);
    assert!(
        row.user_ns
            .abs_diff(group.value("cpu.stat", "user_usec") * 1000)
            <= 10_000
    );
    assert_eq!(row.nr_tasks, 1);
    assert!(parent.usage_ns >= row.usage_ns);
    assert!(parent.ts_ns <= row.ts_ns);
    if row.has(Groups::PSI_EXACT) {
        let stalled = group.pressure_us("cpu.pressure", "some") * 1000;
        assert!(stalled > 0);
        assert!(
            row.psi_ns[4].abs_diff(stalled) <= 10_000_000,
            "{} {stalled}",
            row.psi_ns[4]
        );
    }
    drop((load, rivals));
}

#[test]
fn throttling_of_a_v1_group_equals_its_files_whatever_says_its_usage() {
    let (Some(mut snapshot), Some(cpu), Some(acct)) =
        (snapshot(64), mount(Some("cpu")), mount(Some("cpuacct")))
    else {
        return;
    };
    let group = Group::new(&cpu, "quota");
    let account = (cpu != acct).then(|| Group::new(&acct, "quota"));
    let groups: Vec<&Group> = std::iter::once(&group).chain(&account).collect();
    group.write("cpu.cfs_quota_us", "5000");
    let load = spin_until(&groups, || group.value("cpu.stat", "nr_throttled") > 3);

    let id = attach(&mut snapshot, &cpu);
    let row = *group
        .row(snapshot.collect(id, Groups::all()).expect("a walk"))
        .expect("the group's row");
    assert!(row.has(Groups::CPU_BANDWIDTH));
    assert_eq!((row.quota_ns, row.period_ns), (5_000_000, 100_000_000));
    assert_eq!(row.nr_periods, group.value("cpu.stat", "nr_periods"));
    assert_eq!(row.nr_throttled, group.value("cpu.stat", "nr_throttled"));
    assert_eq!(row.throttled_ns, group.value("cpu.stat", "throttled_time"));
    assert!(row.nr_throttled > 0 && row.throttled_ns > 0);
    assert_eq!(row.nr_tasks, 1);
    if row.has(Groups::CPU_BURST) {
        assert_eq!(row.nr_bursts, group.value("cpu.stat", "nr_bursts"));
        assert_eq!(row.burst_ns, group.value("cpu.stat", "burst_time"));
    }

    let Some(account) = account else { return };
    let usage = account.number("cpuacct.usage");
    assert!(row.has(Groups::CPU_ENTITY) && !row.has(Groups::CPU_ACCT));
    assert!(
        row.usage_ns.abs_diff(usage) <= 1_000_000,
        "{} {usage}",
        row.usage_ns
    );

    let id = attach(&mut snapshot, &acct);
    let row = *account
        .row(snapshot.collect(id, Groups::all()).expect("a walk"))
        .expect("the group's row");
    assert!(row.has(Groups::CPU_ACCT) && !row.has(Groups::CPU_ENTITY));
    assert_eq!(row.usage_ns, usage);
    // The file counts in ticks of 10 ms.
    assert!(
        row.user_ns
            .abs_diff(account.value("cpuacct.stat", "user") * 10_000_000)
            <= 10_010_000
    );
    drop(load);
}

#[test]
fn memory_of_a_v1_group_equals_its_files() {
    let (Some(mut snapshot), Some(root)) = (snapshot(64), mount(Some("memory"))) else {
        return;
    };
    let group = Group::new(&root, "memory");
    let id = attach(&mut snapshot, &root);
    let row = *group
        .row(snapshot.collect(id, Groups::all()).expect("a walk"))
        .expect("the group's row");
    assert_eq!((row.memory_max_bytes, row.memory_bytes), (NO_LIMIT, 0));

    group.write("memory.limit_in_bytes", "67108864");
    let load = Load::start(
        &[&group],
        "x=$(head -c 20000000 /dev/zero | tr '\\0' x); sleep 60",
    );
    wait_until(|| group.value("memory.stat", "total_inactive_anon") > 19_000_000);
    load.pause();
    let row = *group
        .row(snapshot.collect(id, Groups::all()).expect("a walk"))
        .expect("the group's row");
    assert!(row.has(Groups::MEMORY | Groups::MEMORY_STAT | Groups::OOM));
    assert_eq!(row.memory_bytes, group.number("memory.usage_in_bytes"));
    assert_eq!(row.memory_max_bytes, 67_108_864);
    for (value, key) in [
        (row.inactive_anon_bytes, "total_inactive_anon"),
        (row.active_anon_bytes, "total_active_anon"),
        (row.inactive_file_bytes, "total_inactive_file"),
        (row.active_file_bytes, "total_active_file"),
        (row.unevictable_bytes, "total_unevictable"),
    ] {
        assert_eq!(value, group.value("memory.stat", key), "{key}");
    }
    assert!(row.inactive_anon_bytes > 19_000_000);
    assert_eq!(row.oom_kills, 0);
}

#[test]
fn a_process_killed_for_memory_is_counted() {
    let (Some(mut snapshot), Some(root)) = (snapshot(64), mount(Some("memory"))) else {
        return;
    };
    let group = Group::new(&root, "oom");
    let id = attach(&mut snapshot, &root);
    group.write("memory.limit_in_bytes", "8388608");
    group.write("memory.memsw.limit_in_bytes", "8388608");
    let load = Load::start(
        &[&group],
        "x=$(head -c 40000000 /dev/zero | tr '\\0' x); sleep 60",
    );
    let mut killed = 0;
    wait_until(|| {
        let rows = snapshot.collect(id, Groups::OOM).expect("a walk");
        killed = group.row(rows).expect("the group's row").oom_kills_local;
        killed > 0
    });
    assert_eq!(killed, group.value("memory.oom_control", "oom_kill"));
    drop(load);
}

#[test]
fn tasks_of_a_v1_pids_group_count_descendants_only_in_pids() {
    let (Some(mut snapshot), Some(root)) = (snapshot(64), mount(Some("pids"))) else {
        return;
    };
    let group = Group::new(&root, "pids");
    let child = group.child("inner");
    let loads: Vec<Load> = [&group, &child, &child]
        .iter()
        .map(|group| Load::start(&[group], "exec sleep 60"))
        .collect();
    wait_until(|| group.number("pids.current") == 3);
    let id = attach(&mut snapshot, &root);
    let rows = snapshot
        .collect(id, Groups::PIDS | Groups::TASKS)
        .expect("a walk");
    let (outer, inner) = (
        group.row(rows).expect("a row"),
        child.row(rows).expect("a row"),
    );
    assert_eq!((outer.pids, outer.nr_tasks), (3, 1));
    assert_eq!((inner.pids, inner.nr_tasks), (2, 2));
    assert_eq!(outer.pids, group.number("pids.current"));
    drop(loads);
}
