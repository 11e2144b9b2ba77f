//! Kept descriptors of cgroup files, bounded by RLIMIT_NOFILE.
//!
//! Every file is read once per pass in the same order, so an LRU would evict each descriptor just before its next use. Instead
//! the first files keep theirs, those beyond the bound are opened for each read, and room is made only by removed cgroups.

use std::collections::HashMap;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::{Errno, pread};
use rustix::process::{Resource, getrlimit};

/// Descriptors left to the rest of the process.
const RESERVED: u64 = 512;

/// A buffer that holds every cgroup file but the longest.
pub const BUFFER_BYTES: usize = 8 * 1024;

#[derive(Debug)]
enum Handle {
    Unopened,
    Kept(OwnedFd),
    /// The file does not exist in this directory, or may not be read.
    Absent,
}

/// What a read found.
#[derive(Debug)]
pub enum Content {
    /// This many bytes at the start of the buffer.
    Bytes(usize),
    /// The file cannot be read in this directory: not there, not permitted, not supported. `None` once it is known.
    Absent(Option<io::Error>),
}

/// Descriptors of one hierarchy's cgroups: per cgroup one handle for each of the files it may have.
#[derive(Debug)]
pub struct Descriptors {
    cgroups: HashMap<u64, Box<[Handle]>>,
    /// Handles per cgroup.
    width: usize,
    kept: usize,
    path: Vec<u8>,
}

/// How many descriptors may be kept in all: the soft limit less a reserve, at least half of it where it is small.
#[must_use]
pub fn bound() -> usize {
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(limit.saturating_sub(RESERVED).max(limit / 2)).unwrap_or(usize::MAX)
}

impl Descriptors {
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self {
            cgroups: HashMap::new(),
            width,
            kept: 0,
            path: Vec::new(),
        }
    }

    /// Number of descriptors held.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Reads the whole file `name` (number `file`) of the cgroup `id` at `directory` below `root` into `buffer`, which grows
    /// when it must.
    ///
    /// With `keep` the descriptor stays for the next read. ENOENT and ENODEV mean that the cgroup is gone.
    pub fn read(
        &mut self,
        root: BorrowedFd<'_>,
        id: u64,
        directory: &Path,
        (file, name): (usize, &str),
        keep: bool,
        buffer: &mut Vec<u8>,
    ) -> io::Result<Content> {
        let handles = self
            .cgroups
            .entry(id)
            .or_insert_with(|| (0..self.width).map(|_| Handle::Unopened).collect());
        let length = match &handles[file] {
            Handle::Absent => return Ok(Content::Absent(None)),
            Handle::Kept(fd) => read_whole(fd, buffer)?,
            Handle::Unopened => {
                let opened = open_below(root, directory, name, &mut self.path)
                    .and_then(|fd| read_whole(&fd, buffer).map(|length| (fd, length)));
                match opened {
                    Ok((fd, length)) => {
                        if keep {
                            handles[file] = Handle::Kept(fd);
                            self.kept += 1;
                        }
                        length
                    }
                    Err(Errno::NOENT | Errno::NODEV) if !exists(root, directory, id) => {
                        return Err(Errno::NOENT.into());
                    }
                    Err(
                        errno @ (Errno::NOENT
                        | Errno::NODEV
                        | Errno::ACCESS
                        | Errno::PERM
                        | Errno::OPNOTSUPP
                        | Errno::INVAL),
                    ) => {
                        handles[file] = Handle::Absent;
                        return Ok(Content::Absent(Some(errno.into())));
                    }
                    Err(errno) => return Err(errno.into()),
                }
            }
        };
        Ok(Content::Bytes(length))
    }

    /// Closes what is held for a removed cgroup.
    pub fn forget(&mut self, id: u64) {
        if let Some(handles) = self.cgroups.remove(&id) {
            self.kept -= handles
                .iter()
                .filter(|handle| matches!(handle, Handle::Kept(_)))
                .count();
        }
    }

    /// Looks again for files that were absent: enabling a controller makes them appear.
    pub fn retry_absent(&mut self) {
        for handle in self.cgroups.values_mut().flatten() {
            if matches!(handle, Handle::Absent) {
                *handle = Handle::Unopened;
            }
        }
    }

    /// Closes everything.
    pub fn clear(&mut self) {
        self.cgroups.clear();
        self.kept = 0;
    }
}

/// Opens `directory/name` without allocating once `path` has grown.
fn open_below(
    root: BorrowedFd<'_>,
    directory: &Path,
    name: &str,
    path: &mut Vec<u8>,
) -> Result<OwnedFd, Errno> {
    path.clear();
    path.extend_from_slice(directory.as_os_str().as_encoded_bytes());
    if !path.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name.as_bytes());
    path.push(0);
    let path = std::ffi::CStr::from_bytes_with_nul(path).map_err(|_| Errno::INVAL)?;
    openat(root, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
}

/// Whether the directory still belongs to the cgroup.
fn exists(root: BorrowedFd<'_>, directory: &Path, id: u64) -> bool {
    let stat = if directory.as_os_str().is_empty() {
        rustix::fs::fstat(root)
    } else {
        rustix::fs::statat(root, directory, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
    };
    stat.is_ok_and(|stat| stat.st_ino == id)
}

/// Reads from the start in one call; a file that fills the buffer is read again with twice the room.
fn read_whole(fd: &OwnedFd, buffer: &mut Vec<u8>) -> Result<usize, Errno> {
    loop {
        match pread(fd, buffer.as_mut_slice(), 0) {
            Ok(length) if length < buffer.len() => return Ok(length),
            Ok(length) => buffer.resize(length * 2, 0),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
}
