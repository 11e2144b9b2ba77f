//! CPU time of a cgroup from its threads: for a group of v1's cpu hierarchy that no file and no BPF program accounts.
//!
//! The sum of `/proc/TID/schedstat` field 1 (time on CPUs, in ns) since the cgroup was first seen. What a thread runs between the
//! last reading and its end is not seen.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::Error;
use crate::error::is_vanished;
use crate::parse::{ParseError, cpu, number};

/// CPU time of the threads of one cgroup, its descendants not included.
#[derive(Debug, Default)]
pub struct TaskTimes {
    threads: HashMap<u32, Thread>,
    total_ns: u64,
    updated: Option<Instant>,
}

#[derive(Debug, Clone, Copy)]
struct Thread {
    run_ns: u64,
    present: bool,
}

impl TaskTimes {
    /// Reads the threads of the cgroup directory and returns the total since the first call, in ns.
    pub fn update(&mut self, directory: &Path) -> Result<u64, Error> {
        let path = directory.join("tasks");
        let tasks = fs::read(&path).map_err(|source| Error::io(&path, source))?;
        let now = Instant::now();
        let elapsed = self.updated.map(|before| now - before);
        for thread in self.threads.values_mut() {
            thread.present = false;
        }
        for line in tasks
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            let tid = number("tasks", line)
                .and_then(|tid| {
                    u32::try_from(tid)
                        .map_err(|_| ParseError::malformed("tasks", line, "a thread id"))
                })
                .map_err(|source| Error::Parse {
                    path: path.clone(),
                    source,
                })?;
            if let Some(run_ns) = run_ns(tid)? {
                self.add(tid, run_ns, elapsed);
            }
        }
        self.threads.retain(|_, thread| thread.present);
        self.updated = Some(now);
        Ok(self.total_ns)
    }

    /// `elapsed`: since the previous reading; `None` for the first.
    fn add(&mut self, tid: u32, run_ns: u64, elapsed: Option<Duration>) {
        let known = self
            .threads
            .insert(
                tid,
                Thread {
                    run_ns,
                    present: true,
                },
            )
            .map(|thread| thread.run_ns);
        // A thread that ran longer than the time since the last reading came from elsewhere: only what follows is this cgroup's.
        // A number below the last one is another thread with the same id.
        let before = match (known, elapsed) {
            (Some(before), _) if before <= run_ns => before,
            (_, Some(elapsed)) if u128::from(run_ns) <= elapsed.as_nanos() => 0,
            _ => run_ns,
        };
        self.total_ns += run_ns - before;
    }
}

/// `None` when the thread has ended.
fn run_ns(tid: u32) -> Result<Option<u64>, Error> {
    let path = || PathBuf::from(format!("/proc/{tid}/schedstat"));
    let mut content = [0; 64];
    let read = fs::File::open(path()).and_then(|mut file| file.read(&mut content));
    match read {
        Ok(length) => cpu::schedstat_run_ns(&content[..length])
            .map(Some)
            .map_err(|source| Error::Parse {
                path: path(),
                source,
            }),
        Err(error)
            if is_vanished(&error)
                || error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) =>
        {
            Ok(None)
        }
        Err(error) => Err(Error::io(path(), error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn what_threads_ran_before_the_first_reading_is_not_counted() {
        let mut times = TaskTimes::default();
        times.add(7, 5_000, None);
        assert_eq!(times.total_ns, 0);
        times.add(7, 8_000, Some(SECOND));
        assert_eq!(times.total_ns, 3_000);
    }

    #[test]
    fn a_new_thread_counts_from_its_start_and_a_moved_one_from_its_arrival() {
        let mut times = TaskTimes::default();
        times.add(8, 400_000_000, Some(SECOND));
        assert_eq!(times.total_ns, 400_000_000);
        times.add(9, 60_000_000_000, Some(SECOND));
        assert_eq!(times.total_ns, 400_000_000);
    }

    #[test]
    fn a_reused_thread_id_never_makes_the_total_fall() {
        let mut times = TaskTimes::default();
        times.add(8, 9_000_000_000, None);
        times.add(8, 1_000, Some(SECOND));
        assert_eq!(times.total_ns, 1_000);
    }

    #[test]
    fn a_directory_without_threads_file_is_named() {
        let error = TaskTimes::default()
            .update(Path::new("/nonexistent"))
            .unwrap_err();
        assert!(
            error.to_string().starts_with("/nonexistent/tasks: "),
            "{error}"
        );
        assert!(error.is_vanished());
    }
}
