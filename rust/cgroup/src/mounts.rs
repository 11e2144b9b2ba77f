//! Which cgroup hierarchies this host has, from `/proc/self/mountinfo`.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use crate::Error;

/// Interface version of a hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    V1,
    V2,
}

/// Controllers that supply values we read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Controller {
    Cpu,
    Cpuacct,
    Cpuset,
    Memory,
    Pids,
    /// `blkio` on v1.
    Io,
}

impl Controller {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "cpu" => Self::Cpu,
            "cpuacct" => Self::Cpuacct,
            "cpuset" => Self::Cpuset,
            "memory" => Self::Memory,
            "pids" => Self::Pids,
            "blkio" | "io" => Self::Io,
            _ => return None,
        })
    }
}

/// One mounted hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    pub version: Version,
    /// Where it is mounted; the directory of its row `/`.
    pub root: PathBuf,
    /// Of those we read. On v2 the ones available at the root; a cgroup may have fewer.
    pub controllers: Vec<Controller>,
}

impl Hierarchy {
    #[must_use]
    pub fn has(&self, controller: Controller) -> bool {
        self.controllers.contains(&controller)
    }

    /// Whether it supplies anything a snapshot shows; v1 trees such as freezer or name=systemd do not.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.version == Version::V2
            || [
                Controller::Cpu,
                Controller::Cpuacct,
                Controller::Memory,
                Controller::Pids,
            ]
            .into_iter()
            .any(|controller| self.has(controller))
    }
}

/// All hierarchies of the host, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mounts {
    pub hierarchies: Vec<Hierarchy>,
}

impl Mounts {
    /// Reads this process's mounts; with `below` only those mounted at or below that directory.
    pub fn discover(below: Option<&Path>) -> Result<Self, Error> {
        let path = Path::new("/proc/self/mountinfo");
        let content = fs::read(path).map_err(|source| Error::io(path, source))?;
        let mut mounts = Self::parse(&content, below);
        for hierarchy in mounts
            .hierarchies
            .iter_mut()
            .filter(|hierarchy| hierarchy.version == Version::V2)
        {
            let path = hierarchy.root.join("cgroup.controllers");
            let names = fs::read_to_string(&path).map_err(|source| Error::io(path, source))?;
            hierarchy.controllers = names
                .split_whitespace()
                .filter_map(Controller::from_name)
                .collect();
        }
        if mounts.hierarchies.is_empty() {
            return Err(Error::NoHierarchy {
                path: below.unwrap_or(Path::new("/")).to_owned(),
            });
        }
        Ok(mounts)
    }

    /// The hierarchies that `/proc/PID/mountinfo` lists; the controllers of v2 are not in it. Malformed lines are skipped.
    ///
    /// A hierarchy mounted at several places is taken where most of it is visible, then where it was mounted first.
    #[must_use]
    pub fn parse(mountinfo: &[u8], below: Option<&Path>) -> Self {
        let mut found: Vec<(Mount, Hierarchy)> = Vec::new();
        for line in mountinfo.split(|&byte| byte == b'\n') {
            let Some((mount, hierarchy)) = parse_line(line) else {
                continue;
            };
            if below.is_some_and(|below| !hierarchy.root.starts_with(below)) {
                continue;
            }
            match found
                .iter_mut()
                .find(|(other, _)| other.device == mount.device)
            {
                Some(known) if mount.root.len() < known.0.root.len() => *known = (mount, hierarchy),
                Some(_) => {}
                None => found.push((mount, hierarchy)),
            }
        }
        Self {
            hierarchies: found.into_iter().map(|(_, hierarchy)| hierarchy).collect(),
        }
    }

    /// v1 controllers, v2 alone, or both (`hybrid`).
    #[must_use]
    pub fn layout(&self) -> &'static str {
        let has = |version| {
            self.hierarchies
                .iter()
                .any(|hierarchy| hierarchy.version == version)
        };
        match (has(Version::V1), has(Version::V2)) {
            (true, true) => "hybrid",
            (true, false) => "v1",
            _ => "v2",
        }
    }
}

/// What tells two mounts of one hierarchy apart.
struct Mount {
    device: Vec<u8>,
    /// The directory of the hierarchy that the mount shows.
    root: Vec<u8>,
}

/// `36 31 0:33 / /sys/fs/cgroup/devices rw,relatime [tag]... - cgroup cgroup rw,devices` (proc_pid_mountinfo(5)).
fn parse_line(line: &[u8]) -> Option<(Mount, Hierarchy)> {
    let mut fields = line.split(|&byte| byte == b' ');
    let device = fields.nth(2)?.to_vec();
    let root = unescape(fields.next()?);
    let mount_point = unescape(fields.next()?);
    fields.find(|&field| field == b"-")?;
    let version = match fields.next()? {
        b"cgroup" => Version::V1,
        b"cgroup2" => Version::V2,
        _ => return None,
    };
    let options = std::str::from_utf8(fields.nth(1)?).ok()?;
    let controllers = match version {
        Version::V1 => options
            .split(',')
            .filter_map(Controller::from_name)
            .collect(),
        Version::V2 => Vec::new(),
    };
    let path = PathBuf::from(OsString::from_vec(mount_point));
    Some((
        Mount { device, root },
        Hierarchy {
            version,
            root: path,
            controllers,
        },
    ))
}

/// Space, tab, newline and backslash are written as `\040` and the like.
fn unescape(field: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&first, tail)) = rest.split_first() {
        let octal = match tail {
            [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..] if first == b'\\' => {
                Some((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'))
            }
            _ => None,
        };
        bytes.push(octal.unwrap_or(first));
        rest = if octal.is_some() { &tail[3..] } else { tail };
    }
    bytes
}
