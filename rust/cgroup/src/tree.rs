//! The directories of one hierarchy, by id.
//!
//! A cgroup's id is its directory's inode number, on every kernel since 5.5. It is resolved once: one listing of the parent
//! teaches the ids of all its children, so that a known id never touches the file system again.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, fstat, open, openat, statat};
use rustix::io::Errno;

use crate::Error;

/// Bytes of directory entries per system call.
const LISTING_BYTES: usize = 32 * 1024;

/// Known directories of one mounted hierarchy.
#[derive(Debug)]
pub struct Tree {
    root_path: PathBuf,
    root: OwnedFd,
    root_id: u64,
    nodes: HashMap<u64, Node>,
    entries: Box<[MaybeUninit<u8>]>,
}

#[derive(Debug)]
struct Node {
    parent: u64,
    /// Below the mount, without a leading slash; empty for the root.
    path: PathBuf,
    level: u32,
    children: Vec<u64>,
}

/// One directory of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    pub id: u64,
    /// 0 for the root.
    pub parent_id: u64,
    pub level: u32,
}

impl Tree {
    /// Opens the hierarchy mounted at `root`.
    pub fn open(root: &Path) -> Result<Self, Error> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = open(root, flags, Mode::empty()).map_err(|errno| Error::io(root, errno))?;
        let root_id = fstat(&fd).map_err(|errno| Error::io(root, errno))?.st_ino;
        let node = Node {
            parent: 0,
            path: PathBuf::new(),
            level: 0,
            children: Vec::new(),
        };
        Ok(Self {
            root_path: root.to_owned(),
            root: fd,
            root_id,
            nodes: HashMap::from([(root_id, node)]),
            entries: vec![MaybeUninit::uninit(); LISTING_BYTES].into_boxed_slice(),
        })
    }

    /// Id of the mount's own directory; 1 on v1, and on v2 unless only a part of the hierarchy is mounted.
    #[must_use]
    pub fn root_id(&self) -> u64 {
        self.root_id
    }

    /// Descriptor of the mount's own directory.
    #[must_use]
    pub fn root_fd(&self) -> BorrowedFd<'_> {
        self.root.as_fd()
    }

    /// Number of known directories.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the root is always known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Path below the mount without a leading slash, when the id is known.
    #[must_use]
    pub fn path(&self, id: u64) -> Option<&Path> {
        self.nodes.get(&id).map(|node| node.path.as_path())
    }

    /// Id of a known directory's parent; 0 for the root.
    #[must_use]
    pub fn parent(&self, id: u64) -> Option<u64> {
        self.nodes.get(&id).map(|node| node.parent)
    }

    /// Absolute path, for messages.
    #[must_use]
    pub fn absolute(&self, relative: &Path) -> PathBuf {
        self.root_path.join(relative)
    }

    /// Learns the children of a known directory by one listing; their number is returned.
    ///
    /// A child whose name has a new id is a new cgroup: the old one and all below it are forgotten.
    pub fn list(&mut self, id: u64) -> Result<usize, Error> {
        let Some(node) = self.nodes.get(&id) else {
            return Ok(0);
        };
        let (path, level) = (node.path.clone(), node.level);
        let error = |errno: Errno| Error::io(self.root_path.join(&path), errno);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let dir = openat(&self.root, relative(&path), flags, Mode::empty()).map_err(error)?;
        if fstat(&dir).map_err(error)?.st_ino != id {
            return Err(error(Errno::NOENT));
        }
        let mut found: Vec<u64> = Vec::new();
        let mut listing = RawDir::new(&dir, &mut self.entries);
        while let Some(entry) = listing.next() {
            let entry = entry.map_err(error)?;
            let name = entry.file_name().to_bytes();
            if entry.file_type() != FileType::Directory || name == b"." || name == b".." {
                continue;
            }
            found.push(entry.ino());
            self.nodes.entry(entry.ino()).or_insert_with(|| Node {
                parent: id,
                path: path.join(OsStr::from_bytes(name)),
                level: level + 1,
                children: Vec::new(),
            });
        }
        let count = found.len();
        let present: HashSet<u64> = found.iter().copied().collect();
        let known = match self.nodes.get_mut(&id) {
            Some(node) => std::mem::replace(&mut node.children, found),
            None => Vec::new(),
        };
        for child in known.into_iter().filter(|child| !present.contains(child)) {
            self.forget(child);
        }
        Ok(count)
    }

    /// Forgets a removed directory and all below it; the root stays.
    pub fn forget(&mut self, id: u64) {
        if id == self.root_id {
            return;
        }
        let Some(node) = self.nodes.remove(&id) else {
            return;
        };
        if let Some(parent) = self.nodes.get_mut(&node.parent) {
            parent.children.retain(|&child| child != id);
        }
        for child in node.children {
            self.forget(child);
        }
    }

    /// Brings the tree up to date and calls `visit` for every directory, parents first.
    ///
    /// One `stat` per known directory: its inode says whether it is still the same cgroup, its link count whether a child
    /// appeared or was removed, so only changed directories are listed.
    pub fn walk(&mut self, mut visit: impl FnMut(Visit)) -> Result<(), Error> {
        let links = fstat(&self.root)
            .map_err(|errno| Error::io(&self.root_path, errno))?
            .st_nlink;
        let mut pending = vec![(self.root_id, subdirectories(links))];
        let mut dead = Vec::new();
        while let Some((id, expected)) = pending.pop() {
            let first = pending.len();
            self.check_children(id, &mut pending, &mut dead)?;
            for child in dead.drain(..) {
                self.forget(child);
            }
            if pending.len() - first != expected {
                match self.list(id) {
                    Err(error) if error.is_vanished() => {}
                    result => {
                        result?;
                        pending.truncate(first);
                        self.check_children(id, &mut pending, &mut dead)?;
                        dead.clear();
                    }
                }
            }
            let Some(node) = self.nodes.get(&id) else {
                continue;
            };
            visit(Visit {
                id,
                parent_id: node.parent,
                level: node.level,
            });
        }
        Ok(())
    }

    /// Appends the children that still exist with their number of subdirectories, the others to `dead`.
    fn check_children(
        &self,
        id: u64,
        alive: &mut Vec<(u64, usize)>,
        dead: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let Some(node) = self.nodes.get(&id) else {
            return Ok(());
        };
        for &child in node.children.iter().rev() {
            let Some(node) = self.nodes.get(&child) else {
                continue;
            };
            match statat(&self.root, &node.path, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) if stat.st_ino == child => {
                    alive.push((child, subdirectories(stat.st_nlink)))
                }
                Ok(_) | Err(Errno::NOENT) => dead.push(child),
                Err(errno) => return Err(Error::io(self.root_path.join(&node.path), errno)),
            }
        }
        Ok(())
    }
}

/// kernfs counts a directory's links as its subdirectories plus `.` and `..`.
fn subdirectories(links: impl Into<u64>) -> usize {
    usize::try_from(links.into().saturating_sub(2)).unwrap_or(usize::MAX)
}

/// `openat` takes no empty path; the root is `.`.
fn relative(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}
