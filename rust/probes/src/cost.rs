//! What our programs cost. The kernel counts run time only while somebody holds a statistics descriptor, and counting
//! itself costs about 45 ns per run, so the descriptor is held for a short window only.

use std::os::fd::{FromRawFd, OwnedFd};
use std::thread;
use std::time::Duration;

use libbpf_rs::query::ProgInfoIter;

use crate::cause::{Cause, Failure, diagnose};
use crate::host::Host;

/// What the names of all programs of this project begin with.
const PREFIX: &str = "koord_";

/// Run time of one loaded program within a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramCost {
    /// The kernel's id of the program; each process that loads it has one of its own.
    pub id: u32,
    /// The program's name.
    pub name: String,
    /// Time spent in it.
    pub run_time_ns: u64,
    /// Number of runs; an iterator runs once per cgroup.
    pub runs: u64,
}

/// Watches every loaded program of this project, of any process, for `duration`.
///
/// # Errors
/// When the kernel gives no statistics descriptor; it needs CAP_SYS_ADMIN.
pub fn program_costs(duration: Duration) -> Result<Vec<ProgramCost>, Cause> {
    let enabled = enable_stats()?;
    let before = read();
    thread::sleep(duration);
    let after = read();
    drop(enabled);
    let since = |now: ProgramCost| {
        let then = before.iter().find(|then| then.id == now.id);
        let (run_time_ns, runs) = then.map_or((0, 0), |then| (then.run_time_ns, then.runs));
        ProgramCost {
            run_time_ns: now.run_time_ns.saturating_sub(run_time_ns),
            runs: now.runs.saturating_sub(runs),
            ..now
        }
    };
    Ok(after.into_iter().map(since).collect())
}

fn enable_stats() -> Result<OwnedFd, Cause> {
    let host = Host::probe();
    if !host.may_enable_stats() {
        return Err(Cause::Capability(vec!["CAP_SYS_ADMIN"]));
    }
    // SAFETY: takes a number and returns a descriptor or a negative errno.
    let fd = unsafe { libbpf_sys::bpf_enable_stats(libbpf_sys::BPF_STATS_RUN_TIME) };
    if fd < 0 {
        let failure = Failure {
            action: "enable run-time statistics".into(),
            errno: -fd,
            log: String::new(),
        };
        return Err(diagnose(&host, &failure));
    }
    // SAFETY: a new descriptor that nobody else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

fn read() -> Vec<ProgramCost> {
    ProgInfoIter::default()
        .filter_map(|program| {
            let name = program.name.to_string_lossy().into_owned();
            name.starts_with(PREFIX).then_some(ProgramCost {
                id: program.id,
                name,
                run_time_ns: program.run_time_ns,
                runs: program.run_cnt,
            })
        })
        .collect()
}
