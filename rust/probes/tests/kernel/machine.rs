//! Throw-away cgroups and load on this machine's real hierarchies.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use koord_probes::{Hierarchy, HierarchyId, Options, Row, Snapshot, Version};

/// A snapshot, or None with the cause printed: this machine cannot run the test.
pub fn snapshot(capacity: u32) -> Option<Snapshot> {
    let options = Options {
        capacity,
        ..Options::default()
    };
    match Snapshot::open(options, &[]) {
        Ok(snapshot) => Some(snapshot),
        Err(cause) => {
            println!("skipped: {cause}");
            None
        }
    }
}

/// Where a v1 controller, or with None the v2 tree, is mounted.
pub fn mount(controller: Option<&str>) -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/mounts").ok()?;
    let found = mounts.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(' ').collect();
        let matches = match controller {
            None => fields[2] == "cgroup2",
            Some(name) => {
                fields[2] == "cgroup" && fields[3].split(',').any(|option| option == name)
            }
        };
        matches.then(|| PathBuf::from(fields[1]))
    });
    if found.is_none() {
        println!(
            "skipped: {} is not mounted",
            controller.map_or("a v2 tree".into(), |name| format!("v1 {name}"))
        );
    }
    found
}

/// Attaches the hierarchy that the directory is in.
pub fn attach(snapshot: &mut Snapshot, root: &Path) -> HierarchyId {
    snapshot
        .attach(Hierarchy::open(root).expect("a cgroup directory"))
        .expect("a way to walk it")
}

/// A cgroup of this test's own; it goes with everything in it.
pub struct Group(pub PathBuf);

impl Group {
    pub fn new(root: &Path, name: &str) -> Self {
        let path = root.join(format!("koord-probes-{}-{name}", std::process::id()));
        fs::create_dir(&path).expect("a new cgroup");
        Self(path)
    }

    pub fn child(&self, name: &str) -> Self {
        let path = self.0.join(name);
        fs::create_dir(&path).expect("a new cgroup");
        Self(path)
    }

    pub fn write(&self, file: &str, value: &str) {
        fs::write(self.0.join(file), value).expect("a written cgroup file");
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).expect("a readable cgroup file")
    }

    /// The number in a file that holds nothing else.
    pub fn number(&self, file: &str) -> u64 {
        self.read(file).trim().parse().expect("a number")
    }

    /// The number after `key` in a file of one key per line.
    pub fn value(&self, file: &str, key: &str) -> u64 {
        let text = self.read(file);
        let found = text
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
        found
            .and_then(|value| value.parse().ok())
            .unwrap_or_else(|| panic!("{key} in {text}"))
    }

    /// A total of a pressure file in microseconds; `line` is some or full.
    pub fn pressure_us(&self, file: &str, line: &str) -> u64 {
        let text = self.read(file);
        let found = text.lines().find(|found| found.starts_with(line));
        let total = found.and_then(|found| found.rsplit('=').next()?.parse().ok());
        total.unwrap_or_else(|| panic!("{line} in {text}"))
    }

    pub fn row<'a>(&self, rows: &'a [Row]) -> Option<&'a Row> {
        let id = Hierarchy::open(&self.0).expect("a cgroup directory").id();
        rows.iter().find(|row| row.id == id)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for _ in 0..200 {
            if fs::remove_dir(&self.0).is_ok() {
                return;
            }
            sleep(Duration::from_millis(10));
        }
        println!("{} was left behind", self.0.display());
    }
}

/// Waits for what load needs time to bring about on a busy machine.
pub fn wait_until(mut reached: impl FnMut() -> bool) {
    for _ in 0..1000 {
        if reached() {
            return;
        }
        sleep(Duration::from_millis(20));
    }
    panic!("not reached in 20 s");
}

/// A shell command whose processes are in the given groups; killed at the end.
pub struct Load(Child);

impl Load {
    pub fn start(groups: &[&Group], script: &str) -> Self {
        let joins: String = groups
            .iter()
            .map(|group| format!("echo 0 > {}/cgroup.procs\n", group.0.display()))
            .collect();
        let child = Command::new("sh")
            .arg("-c")
            .arg(format!("{joins}{script}"))
            .process_group(0)
            .spawn();
        Self(child.expect("a shell"))
    }

    /// Stops it, so that what it has used stands still.
    pub fn pause(&self) {
        self.signal("STOP");
        sleep(Duration::from_millis(50));
    }

    fn signal(&self, name: &str) {
        let group = format!("-{}", self.0.id());
        Command::new("kill")
            .args(["-s", name, "--", &group])
            .status()
            .expect("a sent signal");
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.signal("KILL");
        let _ = self.0.wait();
    }
}

/// Whether the directory is in a v2 tree.
pub fn is_v2(group: &Group) -> bool {
    Hierarchy::open(&group.0).is_ok_and(|hierarchy| hierarchy.version() == Version::V2)
}
