//! What the programs cost, and that they go. In a process of its own, which no other test loads programs into.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use koord_probes::{Groups, Hierarchy, Options, Snapshot, program_costs};
use libbpf_rs::query::ProgInfoIter;

/// Ids of the programs that this process holds.
fn own_programs() -> BTreeSet<u32> {
    let fds = fs::read_dir("/proc/self/fdinfo").expect("fdinfo");
    fds.flatten()
        .filter_map(|fd| fs::read_to_string(fd.path()).ok())
        .filter_map(|info| {
            info.lines()
                .find_map(|line| line.strip_prefix("prog_id:")?.trim().parse().ok())
        })
        .collect()
}

fn runs_of(ids: &BTreeSet<u32>) -> u64 {
    ProgInfoIter::default()
        .filter(|program| ids.contains(&program.id))
        .map(|program| program.run_cnt)
        .sum()
}

#[test]
fn costs_are_counted_within_the_window_only_and_programs_go_with_the_snapshot() {
    let Ok(mut snapshot) = Snapshot::open(Options::default(), &[]) else {
        println!("skipped: no walk is possible here");
        return;
    };
    let mounts = fs::read_to_string("/proc/mounts").expect("mounts");
    let root = mounts
        .lines()
        .find_map(|line| line.strip_prefix("cgroup2 ")?.split(' ').next());
    let Some(root) = root else {
        println!("skipped: a v2 tree is not mounted");
        return;
    };
    let id = snapshot
        .attach(Hierarchy::open(Path::new(root)).expect("a directory"))
        .expect("a walk");
    let own = own_programs();
    assert!(!own.is_empty());

    let costs = scope(|threads| {
        let watcher = threads.spawn(|| program_costs(Duration::from_millis(400)));
        let end = Instant::now() + Duration::from_millis(600);
        while Instant::now() < end {
            snapshot.collect(id, Groups::all()).expect("a walk");
            sleep(Duration::from_millis(5));
        }
        watcher.join().expect("no panic")
    });
    match costs {
        Ok(costs) => {
            let ours: Vec<_> = costs.iter().filter(|cost| own.contains(&cost.id)).collect();
            assert!(
                ours.iter()
                    .any(|cost| cost.runs > 0 && cost.run_time_ns > 0),
                "{ours:?}"
            );
        }
        Err(cause) => println!("skipped: {cause}"),
    }

    let counted = runs_of(&own);
    snapshot.collect(id, Groups::all()).expect("a walk");
    assert_eq!(runs_of(&own), counted);

    drop(snapshot);
    let deadline = Instant::now() + Duration::from_secs(5);
    while ProgInfoIter::default().any(|program| own.contains(&program.id)) {
        assert!(Instant::now() < deadline, "programs outlived the snapshot");
        sleep(Duration::from_millis(20));
    }
}
