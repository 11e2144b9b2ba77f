//! Why a piece isn't available, and what would make it so. One errno has many causes: the facts of the host and the
//! text of the failure tell them apart.

use crate::host::{BTF_FILE, Host, SyscallAccess};

/// Lines of a verifier log that are kept; the last ones hold the reason.
const LOG_TAIL_LINES: usize = 5;

/// A piece that cannot be used here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Name of the piece, as in [`crate::Piece`].
    pub what: &'static str,
    /// Why.
    pub cause: Cause,
}

/// The one reason that has to go first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// Built without CONFIG_BPF_SYSCALL.
    #[error("this kernel has no bpf(2)")]
    NoSyscall,
    /// A filter answers instead of the kernel.
    #[error("bpf(2) is denied by a seccomp filter")]
    Seccomp,
    /// Names of what is missing.
    #[error("{} missing", .0.join(" and "))]
    Capability(Vec<&'static str>),
    /// Built without CONFIG_DEBUG_INFO_BTF.
    #[error("the kernel's type information ({BTF_FILE}) is missing")]
    NoBtf,
    /// The mode that forbids it.
    #[error("the kernel is locked down ({0})")]
    Lockdown(String),
    /// Only kernels before 5.11 charge BPF memory to RLIMIT_MEMLOCK.
    #[error("RLIMIT_MEMLOCK is too low and could not be raised")]
    Memlock,
    /// Name of the function.
    #[error("this kernel has no function {0} for BPF programs")]
    Kfunc(String),
    /// Name of the iterator.
    #[error("this kernel has no BPF iterator over {0}")]
    Iterator(&'static str),
    /// Ids of v1 cgroups cannot be looked up.
    #[error("a v1 hierarchy can be walked under RCU from its root only")]
    Subtree,
    /// Kernels that look cgroups up below the caller's cgroup namespace only.
    #[error("the cgroup cannot be found by its id from this cgroup namespace")]
    Namespace,
    /// The last lines of its log.
    #[error("the verifier refused the program: {}", .0.join(" | "))]
    Verifier(Vec<String>),
    /// What the kernel answered when asked to do it.
    #[error("{action}: {answer}")]
    Refused {
        /// What was tried.
        action: String,
        /// The answer.
        answer: String,
    },
}

impl Cause {
    /// What would make the piece available.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NoSyscall => "run a kernel built with CONFIG_BPF_SYSCALL",
            Self::Seccomp => "allow bpf(2) in the container's seccomp profile",
            Self::Capability(names) if names.contains(&"CAP_SYS_ADMIN") => "grant CAP_SYS_ADMIN",
            Self::Capability(_) => "grant CAP_BPF and CAP_PERFMON",
            Self::NoBtf => "run a kernel built with CONFIG_DEBUG_INFO_BTF, and mount /sys",
            Self::Lockdown(_) => "boot without lockdown=confidentiality",
            Self::Memlock => "raise RLIMIT_MEMLOCK, or grant CAP_SYS_RESOURCE",
            Self::Kfunc(_) | Self::Iterator(_) => "run a newer kernel",
            Self::Subtree => "start at the hierarchy's root",
            Self::Namespace => "run in the host's cgroup namespace",
            Self::Verifier(_) => "report it with the kernel's release; files are read meanwhile",
            Self::Refused { .. } => "see the kernel's answer; files are read meanwhile",
        }
    }
}

/// A failed attempt, as libbpf reports it.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// What was tried, for the last resort's message.
    pub action: String,
    /// Positive errno.
    pub errno: i32,
    /// What libbpf printed meanwhile.
    pub log: String,
}

/// Tells the cause of a failure from what the host's facts and the log show.
pub(crate) fn diagnose(host: &Host, failure: &Failure) -> Cause {
    match host.syscall {
        SyscallAccess::Filtered => return Cause::Seccomp,
        SyscallAccess::Absent => return Cause::NoSyscall,
        SyscallAccess::Reached | SyscallAccess::Refused => {}
    }
    let lacking = host.missing_capabilities();
    if !lacking.is_empty() {
        return Cause::Capability(lacking);
    }
    if !host.btf {
        return Cause::NoBtf;
    }
    if let Some(name) = missing_function(&failure.log) {
        return Cause::Kfunc(name.to_string());
    }
    if failure
        .log
        .contains("failed to find kernel BTF type ID of 'cgroup'")
        || failure.log.contains("bpf_iter_cgroup")
            && failure.log.contains("is not found in vmlinux BTF")
    {
        return Cause::Iterator("cgroups");
    }
    if let Some(mode) = &host.lockdown {
        let unreadable = failure.log.contains("bpf_probe_read_kernel");
        if failure.errno == libc::EPERM || mode == "confidentiality" && unreadable {
            return Cause::Lockdown(mode.clone());
        }
    }
    if failure.errno == libc::EPERM && host.version < (5, 11) && host.memlock_limited {
        return Cause::Memlock;
    }
    match verifier_tail(&failure.log) {
        Some(tail) => Cause::Verifier(tail),
        None => Cause::Refused {
            action: failure.action.clone(),
            answer: std::io::Error::from_raw_os_error(failure.errno).to_string(),
        },
    }
}

/// What libbpf writes into the verifier's log at the call of a weak kernel function that isn't there.
fn missing_function(log: &str) -> Option<&str> {
    let (before, _) = log.split_once("' is referenced but wasn't resolved")?;
    before.rsplit_once("kfunc '").map(|(_, name)| name)
}

fn verifier_tail(log: &str) -> Option<Vec<String>> {
    let (_, rest) = log.split_once("-- BEGIN PROG LOAD LOG --")?;
    let body = rest
        .split_once("-- END PROG LOAD LOG --")
        .map_or(rest, |(body, _)| body);
    let lines: Vec<&str> = body
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let tail = &lines[lines.len().saturating_sub(LOG_TAIL_LINES)..];
    (!tail.is_empty()).then(|| tail.iter().map(|line| (*line).to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: u64 = u64::MAX;

    fn host() -> Host {
        Host {
            release: "6.18.1".into(),
            version: (6, 18),
            capabilities: ALL,
            syscall: SyscallAccess::Reached,
            lockdown: None,
            btf: true,
            memlock_limited: true,
        }
    }

    fn failure(errno: i32, log: &str) -> Failure {
        Failure {
            action: "load walk_css".into(),
            errno,
            log: log.into(),
        }
    }

    fn without(capabilities: &[u32]) -> u64 {
        capabilities
            .iter()
            .fold(ALL, |mask, number| mask & !(1 << number))
    }

    #[test]
    fn one_errno_has_a_cause_per_surrounding() {
        let eperm = failure(libc::EPERM, "try raising 'ulimit -l'");
        let cases = [
            (
                Host {
                    syscall: SyscallAccess::Filtered,
                    ..host()
                },
                Cause::Seccomp,
            ),
            (
                Host {
                    capabilities: without(&[21, 39]),
                    ..host()
                },
                Cause::Capability(vec!["CAP_BPF"]),
            ),
            (
                Host {
                    capabilities: without(&[21, 38]),
                    ..host()
                },
                Cause::Capability(vec!["CAP_PERFMON"]),
            ),
            (
                Host {
                    capabilities: without(&[21, 38, 39]),
                    ..host()
                },
                Cause::Capability(vec!["CAP_BPF", "CAP_PERFMON"]),
            ),
            (
                Host {
                    btf: false,
                    ..host()
                },
                Cause::NoBtf,
            ),
            (
                Host {
                    lockdown: Some("confidentiality".into()),
                    ..host()
                },
                Cause::Lockdown("confidentiality".into()),
            ),
            (
                Host {
                    version: (5, 10),
                    ..host()
                },
                Cause::Memlock,
            ),
        ];
        for (host, cause) in cases {
            assert_eq!(diagnose(&host, &eperm), cause);
        }
    }

    #[test]
    fn sys_admin_stands_for_bpf_and_perfmon() {
        let host = Host {
            capabilities: 1 << 21,
            ..host()
        };
        assert_eq!(host.missing_capabilities(), Vec::<&str>::new());
    }

    #[test]
    fn memlock_is_never_the_cause_where_the_kernel_does_not_charge_it() {
        let cause = diagnose(
            &host(),
            &failure(libc::EPERM, "RLIMIT_MEMLOCK is set to big enough"),
        );
        assert!(matches!(cause, Cause::Refused { .. }), "{cause}");
    }

    #[test]
    fn a_missing_kernel_function_is_named() {
        let log = "-- BEGIN PROG LOAD LOG --\n12: <invalid kfunc call>\nkfunc 'cgroup_rstat_flush' is referenced but wasn't \
             resolved\n-- END PROG LOAD LOG --\n";
        let cause = diagnose(&host(), &failure(libc::EINVAL, log));
        assert_eq!(cause, Cause::Kfunc("cgroup_rstat_flush".into()));
    }

    #[test]
    fn a_refusal_of_the_verifier_keeps_the_last_five_lines() {
        let log = "libbpf: prog 'x': BPF program load failed: -EINVAL\n-- BEGIN PROG LOAD LOG --\n\
                   1\n2\n3\n4\n5\nR1 invalid mem access\nprocessed 7 insns\n-- END PROG LOAD LOG --\nlibbpf: more\n";
        let cause = diagnose(&host(), &failure(libc::EINVAL, log));
        let tail = ["3", "4", "5", "R1 invalid mem access", "processed 7 insns"];
        assert_eq!(cause, Cause::Verifier(tail.map(String::from).to_vec()));
    }

    proptest! {
        #[test]
        fn any_log_gives_a_cause(log in "(.|\n)*", errno in 1..140) {
            let _ = diagnose(&host(), &failure(errno, &log)).to_string();
        }
    }
}
