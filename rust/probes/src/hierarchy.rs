//! A cgroup directory from which walks start.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Which of the two interfaces a hierarchy has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// A hierarchy of one or a few controllers, or a named one.
    V1,
    /// The unified tree.
    V2,
}

/// Why a directory cannot be a walk's top.
#[derive(Debug, thiserror::Error)]
pub enum HierarchyError {
    /// The file and what the kernel answered.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The answer.
        source: io::Error,
    },
    /// Of another file system.
    #[error("{0} is not a cgroup directory")]
    NotCgroup(PathBuf),
    /// The number of the hierarchy is unknown.
    #[error("{0}: its hierarchy is not in /proc/self/mountinfo and /proc/self/cgroup")]
    Unlisted(PathBuf),
}

/// A cgroup directory that walks start at.
#[derive(Debug)]
pub struct Hierarchy {
    path: PathBuf,
    directory: File,
    version: Version,
    id: u64,
    number: u32,
    memory_stat: Option<File>,
}

impl Hierarchy {
    /// Opens the directory, a hierarchy's root or any cgroup in it.
    ///
    /// # Errors
    /// When it isn't a cgroup directory or cannot be opened.
    pub fn open(path: &Path) -> Result<Self, HierarchyError> {
        let io_error = |path: &Path| {
            let path = path.to_path_buf();
            move |source| HierarchyError::Io { path, source }
        };
        let directory = File::open(path).map_err(io_error(path))?;
        let metadata = directory.metadata().map_err(io_error(path))?;
        let version = match file_system(&directory).map_err(io_error(path))? {
            libc::CGROUP_SUPER_MAGIC => Version::V1,
            libc::CGROUP2_SUPER_MAGIC => Version::V2,
            _ => return Err(HierarchyError::NotCgroup(path.to_path_buf())),
        };
        let number = match version {
            Version::V2 => 0,
            Version::V1 => {
                let read = |file: &str| fs::read_to_string(file).map_err(io_error(Path::new(file)));
                let mounts = read("/proc/self/mountinfo")?;
                let cgroups = read("/proc/self/cgroup")?;
                hierarchy_number(&mounts, &cgroups, metadata.dev())
                    .ok_or_else(|| HierarchyError::Unlisted(path.to_path_buf()))?
            }
        };
        Ok(Self {
            path: path.to_path_buf(),
            directory,
            version,
            id: metadata.ino(),
            number,
            memory_stat: File::open(path.join("memory.stat")).ok(),
        })
    }

    /// As given to [`Hierarchy::open`].
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// v1 or v2.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// The cgroup's id: its directory's inode number.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The hierarchy's number in /proc/self/cgroup; 0 for v2.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }

    /// Where the memory controller keeps its statistics, when it is in this hierarchy. Reading a byte of it makes the
    /// kernel bring those of all descendants up to date.
    pub(crate) fn memory_stat(&self) -> Option<&File> {
        self.memory_stat.as_ref()
    }
}

fn file_system(directory: &File) -> io::Result<libc::c_long> {
    // SAFETY: all-zero is a valid statfs.
    let mut answer: libc::statfs = unsafe { std::mem::zeroed() };
    // SAFETY: `answer` is a valid place for the answer.
    match unsafe { libc::fstatfs(directory.as_raw_fd(), &raw mut answer) } {
        0 => Ok(answer.f_type as libc::c_long),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The number in /proc/self/cgroup of the v1 hierarchy mounted as device `device`. The two files share the
/// controllers' names, in any order and among mount options, or the hierarchy's own `name=`.
fn hierarchy_number(mountinfo: &str, cgroups: &str, device: u64) -> Option<u32> {
    let device = format!("{}:{}", libc::major(device), libc::minor(device));
    let options = mountinfo.lines().find_map(|line| {
        let mut fields = line.split(' ');
        let listed = fields.nth(2)?;
        (listed == device)
            .then(|| line.rsplit(' ').next())
            .flatten()
    })?;
    let options: Vec<&str> = options.split(',').collect();
    cgroups.lines().find_map(|line| {
        let (number, rest) = line.split_once(':')?;
        let (controllers, _) = rest.split_once(':')?;
        let number: u32 = number.parse().ok()?;
        let of_this = number != 0 && controllers.split(',').all(|name| options.contains(&name));
        of_this.then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOUNTS: &str = "\
33 32 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n\
34 32 0:30 / /sys/fs/cgroup/systemd rw,relatime shared:9 - cgroup cgroup rw,xattr,name=systemd\n\
35 32 0:31 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
    const CGROUPS: &str = "3:cpuacct,cpu:/a:b\n1:name=systemd:/user.slice\n0::/user.slice\n";

    fn device(minor: u32) -> u64 {
        libc::makedev(0, minor)
    }

    #[test]
    fn a_hierarchy_is_numbered_by_the_controllers_it_is_mounted_with() {
        assert_eq!(hierarchy_number(MOUNTS, CGROUPS, device(29)), Some(3));
        assert_eq!(hierarchy_number(MOUNTS, CGROUPS, device(30)), Some(1));
        assert_eq!(hierarchy_number(MOUNTS, CGROUPS, device(99)), None);
    }

    #[test]
    fn a_directory_of_another_file_system_is_refused_by_name() {
        let error = Hierarchy::open(Path::new("/proc/self"))
            .map(|_| ())
            .unwrap_err();
        assert_eq!(error.to_string(), "/proc/self is not a cgroup directory");
    }

    proptest! {
        #[test]
        fn any_files_give_a_number_or_none(mounts in "(.|\n)*", cgroups in "(.|\n)*") {
            let _ = hierarchy_number(&mounts, &cgroups, device(29));
        }
    }
}
