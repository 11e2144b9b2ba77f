//! The values of one cgroup in one hierarchy, whoever read them.

/// A value that nobody supplied. No counter of the kernel gets there.
pub const MISSING: u64 = u64::MAX;

/// "No limit" of a gauge.
pub const UNLIMITED: u64 = u64::MAX - 1;

/// Totals and gauges of one cgroup; each is [`MISSING`] until something supplies it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Values {
    pub usage_ns: u64,
    pub user_ns: u64,
    pub system_ns: u64,
    pub nr_periods: u64,
    pub nr_throttled: u64,
    pub throttled_ns: u64,
    pub nr_bursts: u64,
    pub burst_ns: u64,
    /// cpu some, cpu full, memory some, memory full, io some, io full.
    pub psi_ns: [u64; 6],
    pub oom_kills: u64,
    pub quota_us: u64,
    pub period_us: u64,
    pub memory_bytes: u64,
    pub memory_limit_bytes: u64,
    /// inactive_anon, active_anon, inactive_file, active_file, unevictable.
    pub memory_stat_bytes: [u64; 5],
    pub tasks: u64,
}

impl Values {
    pub const NONE: Self = Self {
        usage_ns: MISSING,
        user_ns: MISSING,
        system_ns: MISSING,
        nr_periods: MISSING,
        nr_throttled: MISSING,
        throttled_ns: MISSING,
        nr_bursts: MISSING,
        burst_ns: MISSING,
        psi_ns: [MISSING; 6],
        oom_kills: MISSING,
        quota_us: MISSING,
        period_us: MISSING,
        memory_bytes: MISSING,
        memory_limit_bytes: MISSING,
        memory_stat_bytes: [MISSING; 5],
        tasks: MISSING,
    };
}

impl Default for Values {
    fn default() -> Self {
        Self::NONE
    }
}
