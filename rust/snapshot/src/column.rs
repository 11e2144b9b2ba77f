//! Names and places of a frame's columns of f64.

/// Declares the columns once: variant, name, number.
macro_rules! columns {
    ($($variant:ident $name:literal,)*) => {
        /// One column of a frame; units are in the names, meanings in `koord/_stubs/snapshot.pyi`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Column { $($variant,)* }

        impl Column {
            pub const ALL: &[Self] = &[$(Self::$variant,)*];
            pub const COUNT: usize = Self::ALL.len();

            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

columns! {
    UsageNs "usage_ns",
    UserNs "user_ns",
    SystemNs "system_ns",
    NrPeriods "nr_periods",
    NrThrottled "nr_throttled",
    ThrottledNs "throttled_ns",
    NrBursts "nr_bursts",
    BurstNs "burst_ns",
    PsiCpuSomeNs "psi_cpu_some_ns",
    PsiCpuFullNs "psi_cpu_full_ns",
    PsiMemorySomeNs "psi_memory_some_ns",
    PsiMemoryFullNs "psi_memory_full_ns",
    PsiIoSomeNs "psi_io_some_ns",
    PsiIoFullNs "psi_io_full_ns",
    OomKills "oom_kills",
    GoneNs "gone_ns",
    QuotaUs "quota_us",
    PeriodUs "period_us",
    MemoryBytes "memory_bytes",
    MemoryLimitBytes "memory_limit_bytes",
    InactiveAnonBytes "inactive_anon_bytes",
    ActiveAnonBytes "active_anon_bytes",
    InactiveFileBytes "inactive_file_bytes",
    ActiveFileBytes "active_file_bytes",
    UnevictableBytes "unevictable_bytes",
    MemoryWithoutPageCacheBytes "memory_without_page_cache_bytes",
    MemoryWithPageCacheBytes "memory_with_page_cache_bytes",
    Tasks "tasks",
    CpuCores "cpu_cores",
    UserCores "user_cores",
    SystemCores "system_cores",
    GoneCores "gone_cores",
    ThrottledRatio "throttled_ratio",
    ThrottledCores "throttled_cores",
    PsiCpuSomeRatio "psi_cpu_some_ratio",
    PsiCpuFullRatio "psi_cpu_full_ratio",
    PsiMemorySomeRatio "psi_memory_some_ratio",
    PsiMemoryFullRatio "psi_memory_full_ratio",
    PsiIoSomeRatio "psi_io_some_ratio",
    PsiIoFullRatio "psi_io_full_ratio",
}
