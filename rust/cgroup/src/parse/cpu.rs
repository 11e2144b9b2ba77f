//! CPU time, quota and throttling.

use super::ParseError;
use super::text::{decimal, keyed, ns_from_us, required};

/// `cpu.stat` of v2 without the quota lines, or `cpuacct.usage*` of v1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    pub usage_ns: u64,
    pub user_ns: u64,
    pub system_ns: u64,
}

/// The quota lines of `cpu.stat`. Burst exists since 5.14 (v1) and 5.19 (v2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Throttling {
    pub nr_periods: u64,
    pub nr_throttled: u64,
    pub throttled_ns: u64,
    pub nr_bursts: Option<u64>,
    pub burst_ns: Option<u64>,
}

/// CFS bandwidth; `quota_us` is `None` for no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bandwidth {
    pub quota_us: Option<u64>,
    pub period_us: u64,
}

/// v2 `cpu.stat`: the usage lines, in every cgroup.
pub fn stat_v2_usage(content: &[u8]) -> Result<Usage, ParseError> {
    let [usage, user, system] = keyed(content, ["usage_usec", "user_usec", "system_usec"])?;
    Ok(Usage {
        usage_ns: ns_from_us("usage_usec", required("usage_usec", usage)?)?,
        user_ns: ns_from_us("user_usec", required("user_usec", user)?)?,
        system_ns: ns_from_us("system_usec", required("system_usec", system)?)?,
    })
}

/// v2 `cpu.stat`: the quota lines; `None` where the cpu controller is not enabled.
pub fn stat_v2_throttling(content: &[u8]) -> Result<Option<Throttling>, ParseError> {
    let [periods, throttled, time, bursts, burst] = keyed(
        content,
        [
            "nr_periods",
            "nr_throttled",
            "throttled_usec",
            "nr_bursts",
            "burst_usec",
        ],
    )?;
    let Some(nr_periods) = periods else {
        return Ok(None);
    };
    Ok(Some(Throttling {
        nr_periods,
        nr_throttled: required("nr_throttled", throttled)?,
        throttled_ns: ns_from_us("throttled_usec", required("throttled_usec", time)?)?,
        nr_bursts: bursts,
        burst_ns: burst.map(|us| ns_from_us("burst_usec", us)).transpose()?,
    }))
}

/// v1 `cpu.stat` of the cpu controller.
pub fn stat_v1(content: &[u8]) -> Result<Throttling, ParseError> {
    let [periods, throttled, time, bursts, burst] = keyed(
        content,
        [
            "nr_periods",
            "nr_throttled",
            "throttled_time",
            "nr_bursts",
            "burst_time",
        ],
    )?;
    Ok(Throttling {
        nr_periods: required("nr_periods", periods)?,
        nr_throttled: required("nr_throttled", throttled)?,
        throttled_ns: required("throttled_time", time)?,
        nr_bursts: bursts,
        burst_ns: burst,
    })
}

/// v2 `cpu.max`: `QUOTA PERIOD` in µs, the quota may be `max`.
pub fn max_v2(content: &[u8]) -> Result<Bandwidth, ParseError> {
    let text = content.trim_ascii();
    let malformed = || ParseError::malformed("cpu.max", text, "QUOTA PERIOD");
    let space = text
        .iter()
        .position(|&byte| byte == b' ')
        .ok_or_else(malformed)?;
    let quota_us = match &text[..space] {
        b"max" => None,
        quota => Some(decimal(quota).ok_or_else(malformed)?),
    };
    Ok(Bandwidth {
        quota_us,
        period_us: decimal(&text[space + 1..]).ok_or_else(malformed)?,
    })
}

/// v1 `cpu.cfs_quota_us`: -1 is no limit (`None`).
pub fn quota_v1(content: &[u8]) -> Result<Option<u64>, ParseError> {
    match content.trim_ascii() {
        b"-1" => Ok(None),
        text => decimal(text)
            .map(Some)
            .ok_or_else(|| ParseError::malformed("cpu.cfs_quota_us", content, "an integer or -1")),
    }
}

/// `/proc/TID/schedstat`: field 1, the thread's time on CPUs in ns.
pub fn schedstat_run_ns(content: &[u8]) -> Result<u64, ParseError> {
    let field = content
        .split(|byte: &u8| byte.is_ascii_whitespace())
        .next()
        .unwrap_or_default();
    decimal(field).ok_or_else(|| ParseError::malformed("schedstat", content, "three integers"))
}
