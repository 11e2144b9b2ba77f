//! Errors of taking a snapshot.

/// Why no snapshot could be taken.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A hierarchy cannot be found or walked.
    #[error(transparent)]
    Cgroup(#[from] koord_cgroup::Error),
    /// No mounted hierarchy supplies anything that a snapshot shows.
    #[error(
        "no cgroup hierarchy with the cpu, cpuacct, memory or pids controller and no v2 tree is mounted"
    )]
    NothingMeasured,
}
