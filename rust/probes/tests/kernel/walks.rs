//! What a walk visits, how it grows, and what it leaves behind.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use crate::machine::{Group, Load, attach, is_v2, mount, snapshot};
use koord_probes::{Groups, Hierarchy, Tier};

#[test]
fn a_walk_that_meets_more_cgroups_than_it_has_room_for_is_repeated_with_more() {
    let (Some(mut snapshot), Some(root)) = (snapshot(2), mount(None)) else {
        return;
    };
    let group = Group::new(&root, "room");
    let children: Vec<Group> = (0..50).map(|i| group.child(&format!("c{i}"))).collect();
    let id = attach(&mut snapshot, &group.0);
    let rows = snapshot.collect(id, Groups::empty()).expect("a walk");
    assert_eq!(rows.len(), 51);
    assert!(children.iter().all(|child| child.row(rows).is_some()));
    assert_eq!(snapshot.lost(), 49);
}

#[test]
fn a_removed_cgroup_is_not_reported_though_its_page_cache_keeps_it_in_the_kernel() {
    let (Some(mut snapshot), Some(root)) = (snapshot(64), mount(Some("memory"))) else {
        return;
    };
    let id = attach(&mut snapshot, &root);
    let gone = {
        let group = Group::new(&root, "gone");
        let file = std::env::temp_dir().join(format!("koord-probes-{}", std::process::id()));
        let script = format!("head -c 3000000 /dev/zero > {}", file.display());
        let load = Load::start(&[&group], &script);
        sleep(Duration::from_millis(500));
        drop(load);
        let rows = snapshot.collect(id, Groups::empty()).expect("a walk");
        let gone = group.row(rows).expect("its row while it lives").id;
        drop(group);
        fs::remove_file(file).expect("a removed file");
        gone
    };
    let rows = snapshot.collect(id, Groups::empty()).expect("a walk");
    assert!(rows.iter().all(|row| row.id != gone));
}

#[test]
fn a_subtree_is_walked_from_its_top_in_either_version() {
    for root in [mount(None), mount(Some("cpu"))].into_iter().flatten() {
        let Some(mut snapshot) = snapshot(64) else {
            return;
        };
        let group = Group::new(&root, "subtree");
        let child = group.child("inner");
        let id = attach(&mut snapshot, &group.0);
        let rows = snapshot.collect(id, Groups::all()).expect("a walk");
        assert_eq!(rows.len(), 2);
        assert_eq!(
            child.row(rows).expect("a row").parent_id,
            group.row(rows).expect("a row").id
        );
        let (tier, reason) = snapshot.tier(id);
        assert!(is_v2(&group) || tier == Tier::Iterator);
        assert_eq!(tier == Tier::Css, reason.is_none());
    }
}

#[test]
fn a_walk_of_a_removed_top_is_an_error_that_names_it() {
    let (Some(mut snapshot), Some(root)) = (snapshot(64), mount(None)) else {
        return;
    };
    let group = Group::new(&root, "top");
    let path = group.0.clone();
    let id = attach(&mut snapshot, &path);
    drop(group);
    if snapshot.tier(id).0 == Tier::Css {
        let error = snapshot
            .collect(id, Groups::empty())
            .map(<[_]>::len)
            .expect_err("nothing to walk");
        assert!(
            error
                .to_string()
                .starts_with(&format!("{}: ", path.display())),
            "{error}"
        );
    }
    assert!(Hierarchy::open(&path).is_err());
}
