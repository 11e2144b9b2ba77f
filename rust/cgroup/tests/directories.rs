//! Trees and files on tmpfs, which numbers and links directories as cgroup file systems do.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use koord_cgroup::values::{MISSING, UNLIMITED};
use koord_cgroup::{Controller, FieldGroup, Files, Groups, Hierarchy, Tree, Values, Version};
use tempfile::TempDir;

fn root() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap()
}

fn walked(tree: &mut Tree) -> Vec<PathBuf> {
    let mut ids = Vec::new();
    tree.walk(|visit| ids.push(visit.id)).unwrap();
    ids.into_iter()
        .map(|id| tree.path(id).unwrap().to_owned())
        .collect()
}

fn paths(names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(PathBuf::from).collect()
}

#[test]
fn a_walk_visits_parents_first_and_sees_what_changed() {
    let root = root();
    fs::create_dir_all(root.path().join("a/b")).unwrap();
    let mut tree = Tree::open(root.path()).unwrap();
    assert_eq!(walked(&mut tree), paths(&["", "a", "a/b"]));
    fs::create_dir(root.path().join("a/c")).unwrap();
    fs::remove_dir(root.path().join("a/b")).unwrap();
    assert_eq!(walked(&mut tree), paths(&["", "a", "a/c"]));
    fs::remove_dir_all(root.path().join("a")).unwrap();
    assert_eq!(walked(&mut tree), paths(&[""]));
    assert_eq!(tree.len(), 1);
}

#[test]
fn a_recreated_name_is_another_directory() {
    let root = root();
    fs::create_dir_all(root.path().join("a/b")).unwrap();
    let mut tree = Tree::open(root.path()).unwrap();
    let mut first = Vec::new();
    tree.walk(|visit| first.push(visit.id)).unwrap();
    // Kept open so that tmpfs cannot hand out the inode again.
    let _old = fs::File::open(root.path().join("a")).unwrap();
    fs::remove_dir_all(root.path().join("a")).unwrap();
    fs::create_dir(root.path().join("a")).unwrap();
    let mut second = Vec::new();
    tree.walk(|visit| second.push(visit.id)).unwrap();
    assert_eq!(second.len(), 2);
    assert_ne!(first[1], second[1]);
    assert_eq!(tree.path(first[1]), None);
    assert_eq!(tree.path(first[2]), None);
}

#[test]
fn one_listing_teaches_all_children_by_inode() {
    let root = root();
    for name in ["x", "y"] {
        fs::create_dir(root.path().join(name)).unwrap();
    }
    fs::write(root.path().join("cpu.stat"), "").unwrap();
    let mut tree = Tree::open(root.path()).unwrap();
    assert_eq!(tree.list(tree.root_id()).unwrap(), 2);
    let id = fs::metadata(root.path().join("y")).unwrap().ino();
    assert_eq!(tree.path(id), Some(Path::new("y")));
    assert_eq!(tree.parent(id), Some(tree.root_id()));
}

fn memory_hierarchy(root: &Path) -> Hierarchy {
    Hierarchy {
        version: Version::V1,
        root: root.to_owned(),
        controllers: vec![Controller::Memory],
    }
}

#[test]
fn files_fill_what_they_have_and_say_what_is_missing() {
    let root = root();
    fs::write(root.path().join("memory.usage_in_bytes"), "4096\n").unwrap();
    fs::write(
        root.path().join("memory.limit_in_bytes"),
        "9223372036854771712\n",
    )
    .unwrap();
    let tree = Tree::open(root.path()).unwrap();
    let mut files = Files::new(&memory_hierarchy(root.path()), 100);
    let mut values = Values::NONE;
    let supplied = files
        .read(&tree, tree.root_id(), Groups::ALL, &mut values)
        .unwrap();
    assert_eq!(
        supplied.iter().map(FieldGroup::name).collect::<Vec<_>>(),
        ["memory"]
    );
    assert_eq!(
        (values.memory_bytes, values.memory_limit_bytes),
        (4096, UNLIMITED)
    );
    assert_eq!(values.oom_kills, MISSING);
    assert_eq!(
        files.names(FieldGroup::Memory),
        "memory.usage_in_bytes, memory.limit_in_bytes"
    );
    let cause = files.problem(FieldGroup::MemoryStat).unwrap();
    assert_eq!(cause, "memory.stat: No such file or directory (os error 2)");
}

#[test]
fn an_absent_file_is_looked_for_again_only_when_asked() {
    let root = root();
    let tree = Tree::open(root.path()).unwrap();
    let mut files = Files::new(&memory_hierarchy(root.path()), 100);
    let mut values = Values::NONE;
    files
        .read(&tree, tree.root_id(), Groups::ALL, &mut values)
        .unwrap();
    fs::write(root.path().join("memory.usage_in_bytes"), "1\n").unwrap();
    assert!(
        files
            .read(&tree, tree.root_id(), Groups::ALL, &mut values)
            .unwrap()
            .is_empty()
    );
    files.retry_absent();
    assert!(
        !files
            .read(&tree, tree.root_id(), Groups::ALL, &mut values)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn no_more_descriptors_are_kept_than_the_bound_and_values_are_the_same() {
    let root = root();
    fs::write(root.path().join("memory.usage_in_bytes"), "1\n").unwrap();
    fs::write(root.path().join("memory.limit_in_bytes"), "2\n").unwrap();
    let mut tree = Tree::open(root.path()).unwrap();
    let mut files = Files::new(&memory_hierarchy(root.path()), 1);
    for _ in 0..2 {
        let mut values = Values::NONE;
        files
            .read(&tree, tree.root_id(), Groups::ALL, &mut values)
            .unwrap();
        assert_eq!((values.memory_bytes, values.memory_limit_bytes), (1, 2));
        assert_eq!(files.kept(), 1);
    }
    files.forget(tree.root_id());
    assert_eq!(files.kept(), 0);
    assert_eq!(walked(&mut tree), paths(&[""]));
}

#[test]
fn a_removed_directory_is_told_from_an_absent_file() {
    let root = root();
    fs::create_dir(root.path().join("a")).unwrap();
    let mut tree = Tree::open(root.path()).unwrap();
    tree.list(tree.root_id()).unwrap();
    let id = fs::metadata(root.path().join("a")).unwrap().ino();
    fs::remove_dir(root.path().join("a")).unwrap();
    let mut files = Files::new(&memory_hierarchy(root.path()), 100);
    let error = files
        .read(&tree, id, Groups::ALL, &mut Values::default())
        .unwrap_err();
    assert!(error.is_vanished(), "{error}");
}

#[test]
fn a_broken_file_is_named_with_what_was_found() {
    let root = root();
    fs::write(root.path().join("memory.usage_in_bytes"), "many\n").unwrap();
    let tree = Tree::open(root.path()).unwrap();
    let mut files = Files::new(&memory_hierarchy(root.path()), 100);
    let mut values = Values::NONE;
    assert!(
        files
            .read(&tree, tree.root_id(), Groups::ALL, &mut values)
            .unwrap()
            .is_empty()
    );
    assert_eq!(values, Values::NONE);
    let expected = format!(
        "{}/memory.usage_in_bytes: memory.usage_in_bytes: found \"many\\n\", expected an integer",
        root.path().display()
    );
    assert_eq!(files.problem(FieldGroup::Memory), Some(expected));
}

#[test]
fn a_cgroup_without_processes_is_told_from_one_that_has_some() {
    let root = root();
    let tree = Tree::open(root.path()).unwrap();
    let mut files = Files::new(&memory_hierarchy(root.path()), 100);
    assert_eq!(files.has_processes(&tree, tree.root_id()).unwrap(), None);
    fs::write(root.path().join("cgroup.procs"), "").unwrap();
    files.retry_absent();
    assert_eq!(
        files.has_processes(&tree, tree.root_id()).unwrap(),
        Some(false)
    );
    fs::write(root.path().join("cgroup.procs"), "17\n").unwrap();
    assert_eq!(
        files.has_processes(&tree, tree.root_id()).unwrap(),
        Some(true)
    );
}
