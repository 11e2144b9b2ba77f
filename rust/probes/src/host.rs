//! What the kernel and this process's surroundings say about BPF, before anything is loaded.

use std::fs;
use std::io;
use std::path::Path;

/// Type information of the kernel, which every program is relocated against.
pub const BTF_FILE: &str = "/sys/kernel/btf/vmlinux";

const CAP_SYS_ADMIN: u32 = 21;
const CAP_PERFMON: u32 = 38;
const CAP_BPF: u32 = 39;

/// How far a bpf(2) call gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyscallAccess {
    /// The kernel looks at the arguments.
    Reached,
    /// A seccomp filter answers instead of the kernel.
    Filtered,
    /// The kernel is built without it.
    Absent,
    /// Refused, and it cannot be told by whom: kernels before 5.19 refuse unprivileged callers this early.
    Refused,
}

/// Facts from which the cause of a refusal is told.
#[derive(Clone, Debug)]
pub struct Host {
    /// As uname(2) gives it.
    pub release: String,
    /// Major and minor number of the release.
    pub version: (u32, u32),
    /// Effective capabilities of this thread, bit n for capability n.
    pub capabilities: u64,
    /// How far a bpf(2) call gets.
    pub syscall: SyscallAccess,
    /// The kernel's lockdown mode, unless it is `none` or unknown.
    pub lockdown: Option<String>,
    /// Whether `/sys/kernel/btf/vmlinux` exists.
    pub btf: bool,
    /// Whether RLIMIT_MEMLOCK is finite.
    pub memlock_limited: bool,
}

impl Host {
    /// Asks the running kernel.
    #[must_use]
    pub fn probe() -> Self {
        let status = fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
        let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let release = release.trim().to_string();
        let lockdown = fs::read_to_string("/sys/kernel/security/lockdown").unwrap_or_default();
        Self {
            version: parse_version(&release).unwrap_or_default(),
            release,
            capabilities: status_field(&status, "CapEff:")
                .and_then(|mask| u64::from_str_radix(mask, 16).ok())
                .unwrap_or_default(),
            syscall: syscall_access(status_field(&status, "Seccomp:") == Some("2")),
            lockdown: parse_lockdown(&lockdown).map(str::to_string),
            btf: Path::new(BTF_FILE).exists(),
            memlock_limited: memlock_limited(),
        }
    }

    /// The capabilities that loading our programs needs and this thread lacks; CAP_SYS_ADMIN stands for both.
    #[must_use]
    pub fn missing_capabilities(&self) -> Vec<&'static str> {
        if self.has(CAP_SYS_ADMIN) {
            return Vec::new();
        }
        [(CAP_BPF, "CAP_BPF"), (CAP_PERFMON, "CAP_PERFMON")]
            .into_iter()
            .filter(|(number, _)| !self.has(*number))
            .map(|(_, name)| name)
            .collect()
    }

    /// Whether run-time statistics of programs may be switched on.
    #[must_use]
    pub fn may_enable_stats(&self) -> bool {
        self.has(CAP_SYS_ADMIN)
    }

    fn has(&self, capability: u32) -> bool {
        self.capabilities & (1 << capability) != 0
    }
}

/// The value of a line of /proc/PID/status.
fn status_field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .map(str::trim)
}

fn parse_version(release: &str) -> Option<(u32, u32)> {
    let mut parts = release.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The chosen mode in `none [integrity] confidentiality`.
fn parse_lockdown(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('[')?;
    let (mode, _) = rest.split_once(']')?;
    (mode != "none").then_some(mode)
}

/// A load request whose attributes are larger than a page is E2BIG to a kernel that gets to see it.
fn syscall_access(seccomp_filtered: bool) -> SyscallAccess {
    let too_large = 1 << 20;
    // SAFETY: the kernel refuses the size before it reads from the address.
    let result = unsafe {
        libc::syscall(
            libc::SYS_bpf,
            libbpf_sys::BPF_PROG_LOAD,
            std::ptr::null::<u8>(),
            too_large,
        )
    };
    let errno = if result < 0 {
        io::Error::last_os_error().raw_os_error()
    } else {
        None
    };
    match errno {
        Some(libc::E2BIG) => SyscallAccess::Reached,
        _ if seccomp_filtered => SyscallAccess::Filtered,
        Some(libc::ENOSYS) => SyscallAccess::Absent,
        _ => SyscallAccess::Refused,
    }
}

fn memlock_limited() -> bool {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is a valid place for the answer.
    let result = unsafe { libc::getrlimit(libc::RLIMIT_MEMLOCK, &raw mut limit) };
    result == 0 && limit.rlim_cur != libc::RLIM_INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn release_numbers_are_read_from_distribution_names() {
        assert_eq!(parse_version("6.1.0-18-cloud-amd64"), Some((6, 1)));
        assert_eq!(parse_version("5.10.209+rpt"), Some((5, 10)));
        assert_eq!(parse_version("6.18-rc1"), Some((6, 18)));
        assert_eq!(parse_version("unknown"), None);
    }

    #[test]
    fn lockdown_is_the_bracketed_mode_and_none_counts_as_unlocked() {
        assert_eq!(
            parse_lockdown("none [integrity] confidentiality\n"),
            Some("integrity")
        );
        assert_eq!(parse_lockdown("[none] integrity confidentiality\n"), None);
        assert_eq!(parse_lockdown(""), None);
    }

    proptest! {
        #[test]
        fn any_text_gives_a_value_or_none(text in ".*") {
            let _ = (parse_version(&text), parse_lockdown(&text), status_field(&text, "CapEff:"));
        }
    }
}
