//! Which programs are loaded. In a process of its own, which no other test loads programs into.

use std::collections::BTreeSet;
use std::fs;

use koord_probes::{Options, Snapshot, Tier, Version};
use libbpf_rs::query::ProgInfoIter;

/// Names of the programs that this process holds.
fn own_programs() -> BTreeSet<String> {
    let fds = fs::read_dir("/proc/self/fdinfo").expect("fdinfo");
    let ids: BTreeSet<u32> = fds
        .flatten()
        .filter_map(|fd| fs::read_to_string(fd.path()).ok())
        .filter_map(|info| {
            info.lines()
                .find_map(|line| line.strip_prefix("prog_id:")?.trim().parse().ok())
        })
        .collect();
    ProgInfoIter::default()
        .filter(|program| ids.contains(&program.id))
        .map(|program| program.name.to_string_lossy().into_owned())
        .collect()
}

fn loaded_for(best: Tier, versions: &[Version]) -> Option<BTreeSet<String>> {
    let options = Options {
        best,
        ..Options::default()
    };
    match Snapshot::open(options, versions) {
        Ok(_snapshot) => Some(own_programs()),
        Err(cause) => {
            println!("skipped: {cause}");
            None
        }
    }
}

#[test]
fn only_the_programs_of_the_asked_tier_and_versions_are_loaded() {
    let Some(v2) = loaded_for(Tier::Css, &[Version::V2]) else {
        return;
    };
    if !v2.contains("koord_walk_css") {
        println!("skipped: this kernel has no tier A");
        return;
    }
    assert_eq!(v2, names(&["koord_flush", "koord_walk_css"]));
    assert_eq!(
        loaded_for(Tier::Css, &[Version::V1]),
        Some(names(&["koord_walk_css1"]))
    );
    assert_eq!(
        loaded_for(Tier::Iterator, &[Version::V1, Version::V2]),
        Some(names(&["koord_flush", "koord_walk_iter"]))
    );
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(ToString::to_string).collect()
}
