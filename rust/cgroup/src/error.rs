//! Errors of reading cgroup files; each names the path.

use std::io;
use std::path::PathBuf;

use crate::parse::ParseError;

/// What can go wrong with a file or directory below a cgroup mount.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A system call on the path failed.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The file holds something else than the kernel writes there.
    #[error("{}: {source}", path.display())]
    Parse { path: PathBuf, source: ParseError },
    /// No cgroup hierarchy is mounted where one was looked for.
    #[error("{}: no cgroup hierarchy is mounted here", path.display())]
    NoHierarchy { path: PathBuf },
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>, source: impl Into<io::Error>) -> Self {
        Self::Io {
            path: path.into(),
            source: source.into(),
        }
    }

    /// The cgroup was removed between two system calls: normal, not a failure.
    #[must_use]
    pub fn is_vanished(&self) -> bool {
        matches!(self, Self::Io { source, .. } if is_vanished(source))
    }
}

/// ENOENT: the directory is gone; ENODEV: a kept descriptor's cgroup is gone.
pub(crate) fn is_vanished(error: &io::Error) -> bool {
    let code = error.raw_os_error();
    code == Some(rustix::io::Errno::NOENT.raw_os_error())
        || code == Some(rustix::io::Errno::NODEV.raw_os_error())
}
