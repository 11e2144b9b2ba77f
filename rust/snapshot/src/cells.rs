//! One row's cells from its current and previous reading: totals, gauges, rates.

use koord_cgroup::FieldGroup;
use koord_cgroup::values::{MISSING, UNLIMITED};

use crate::column::Column;
use crate::rows::Reading;

/// Cells of one row.
pub type Cells = [f64; Column::COUNT];

/// CPU time of removed children, as a row's `gone_*` columns show it.
#[derive(Debug, Clone, Copy, Default)]
pub struct GoneTime {
    pub total_ns: u64,
    /// Since the previous frame, of those that no frame showed; `None` in a first sample.
    pub unseen_ns: Option<u64>,
}

/// Cells of a living row.
#[must_use]
pub fn living(current: &Reading, previous: &Reading, gone: GoneTime) -> Cells {
    let mut cells = [f64::NAN; Column::COUNT];
    let mut set = |column: Column, value: f64| cells[column as usize] = value;
    let now = &current.values;
    let before = &previous.values;

    let memory = &now.memory_stat_bytes;
    set(Column::QuotaUs, gauge(now.quota_us));
    set(Column::PeriodUs, gauge(now.period_us));
    set(Column::MemoryBytes, gauge(now.memory_bytes));
    set(Column::MemoryLimitBytes, gauge(now.memory_limit_bytes));
    set(Column::InactiveAnonBytes, gauge(memory[0]));
    set(Column::ActiveAnonBytes, gauge(memory[1]));
    set(Column::InactiveFileBytes, gauge(memory[2]));
    set(Column::ActiveFileBytes, gauge(memory[3]));
    set(Column::UnevictableBytes, gauge(memory[4]));
    // NaN when any part is.
    let without = gauge(memory[0]) + gauge(memory[1]) + gauge(memory[4]);
    set(Column::MemoryWithoutPageCacheBytes, without);
    set(
        Column::MemoryWithPageCacheBytes,
        without + gauge(memory[2]) + gauge(memory[3]),
    );
    set(Column::Tasks, gauge(now.tasks));

    let usage_s = seconds(current, previous, FieldGroup::CpuUsage);
    let per_second = |now: u64, before: u64, seconds: f64| delta(now, before) * 1e-9 / seconds;
    set(
        Column::CpuCores,
        per_second(now.usage_ns, before.usage_ns, usage_s),
    );
    set(
        Column::UserCores,
        per_second(now.user_ns, before.user_ns, usage_s),
    );
    set(
        Column::SystemCores,
        per_second(now.system_ns, before.system_ns, usage_s),
    );
    set(
        Column::GoneCores,
        gone.unseen_ns
            .map_or(f64::NAN, |ns| ns as f64 * 1e-9 / usage_s),
    );

    let throttling_s = seconds(current, previous, FieldGroup::Throttling);
    let periods = delta(now.nr_periods, before.nr_periods);
    let throttled = delta(now.nr_throttled, before.nr_throttled);
    let ratio = if periods == 0.0 {
        0.0
    } else {
        (throttled / periods).min(1.0)
    };
    set(
        Column::ThrottledRatio,
        if periods.is_nan() || throttled.is_nan() {
            f64::NAN
        } else {
            ratio
        },
    );
    set(
        Column::ThrottledCores,
        per_second(now.throttled_ns, before.throttled_ns, throttling_s),
    );

    let psi_s = seconds(current, previous, FieldGroup::Psi);
    for (index, column) in PSI_RATIOS.into_iter().enumerate() {
        // A comparison, not `f64::min`, which turns NaN into 1.
        let share = per_second(now.psi_ns[index], before.psi_ns[index], psi_s);
        set(column, if share > 1.0 { 1.0 } else { share });
    }
    set_totals(&mut cells, current, gone.total_ns);
    cells
}

/// Cells of a removed row: the totals it was last seen with.
#[must_use]
pub fn removed(last: &Reading, gone_ns: u64) -> Cells {
    let mut cells = [f64::NAN; Column::COUNT];
    set_totals(&mut cells, last, gone_ns);
    cells
}

/// Counters never decrease within one row: the kernel's don't, and where a source is a little behind the one before it (PSI
/// brought up to now, then the file), the difference is not a fact.
pub fn keep_monotone(current: &mut Reading, previous: &Reading) {
    let (now, before) = (&mut current.values, &previous.values);
    let counters = [
        (&mut now.usage_ns, before.usage_ns),
        (&mut now.user_ns, before.user_ns),
        (&mut now.system_ns, before.system_ns),
        (&mut now.nr_periods, before.nr_periods),
        (&mut now.nr_throttled, before.nr_throttled),
        (&mut now.throttled_ns, before.throttled_ns),
        (&mut now.nr_bursts, before.nr_bursts),
        (&mut now.burst_ns, before.burst_ns),
        (&mut now.oom_kills, before.oom_kills),
    ];
    let psi = now.psi_ns.iter_mut().zip(before.psi_ns);
    for (now, before) in counters.into_iter().chain(psi) {
        if before != MISSING && *now < before {
            *now = before;
        }
    }
}

const PSI_TOTALS: [Column; 6] = [
    Column::PsiCpuSomeNs,
    Column::PsiCpuFullNs,
    Column::PsiMemorySomeNs,
    Column::PsiMemoryFullNs,
    Column::PsiIoSomeNs,
    Column::PsiIoFullNs,
];

const PSI_RATIOS: [Column; 6] = [
    Column::PsiCpuSomeRatio,
    Column::PsiCpuFullRatio,
    Column::PsiMemorySomeRatio,
    Column::PsiMemoryFullRatio,
    Column::PsiIoSomeRatio,
    Column::PsiIoFullRatio,
];

fn set_totals(cells: &mut Cells, reading: &Reading, gone_ns: u64) {
    let values = &reading.values;
    let mut set = |column: Column, value: f64| cells[column as usize] = value;
    set(Column::UsageNs, gauge(values.usage_ns));
    set(Column::UserNs, gauge(values.user_ns));
    set(Column::SystemNs, gauge(values.system_ns));
    set(Column::NrPeriods, gauge(values.nr_periods));
    set(Column::NrThrottled, gauge(values.nr_throttled));
    set(Column::ThrottledNs, gauge(values.throttled_ns));
    set(Column::NrBursts, gauge(values.nr_bursts));
    set(Column::BurstNs, gauge(values.burst_ns));
    for (index, column) in PSI_TOTALS.into_iter().enumerate() {
        set(column, gauge(values.psi_ns[index]));
    }
    set(Column::OomKills, gauge(values.oom_kills));
    set(Column::GoneNs, gone_ns as f64);
}

/// A value as f64: NaN for none, -1 for no limit.
fn gauge(value: u64) -> f64 {
    match value {
        MISSING => f64::NAN,
        UNLIMITED => -1.0,
        value => value as f64,
    }
}

/// Increase; NaN when either value is missing.
fn delta(now: u64, before: u64) -> f64 {
    if now == MISSING || before == MISSING {
        f64::NAN
    } else {
        now.saturating_sub(before) as f64
    }
}

/// Time between the two samples of a group; NaN when either is missing or none passed.
fn seconds(current: &Reading, previous: &Reading, group: FieldGroup) -> f64 {
    let (now, before) = (
        current.ts_ns[group as usize],
        previous.ts_ns[group as usize],
    );
    if before == 0 || now <= before {
        f64::NAN
    } else {
        (now - before) as f64 * 1e-9
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(at_s: u64) -> Reading {
        Reading {
            ts_ns: [1 + at_s * 1_000_000_000; 7],
            ..Reading::NONE
        }
    }

    fn cell(cells: &Cells, column: Column) -> f64 {
        cells[column as usize]
    }

    #[test]
    fn rates_are_over_the_time_between_the_two_samples() {
        let (mut before, mut now) = (reading(0), reading(2));
        (before.values.usage_ns, now.values.usage_ns) = (1_000_000_000, 4_000_000_000);
        (before.values.throttled_ns, now.values.throttled_ns) = (0, 500_000_000);
        let cells = living(&now, &before, GoneTime::default());
        assert!((cell(&cells, Column::CpuCores) - 1.5).abs() < 1e-9);
        assert!((cell(&cells, Column::ThrottledCores) - 0.25).abs() < 1e-9);
    }

    #[test]
    fn a_first_sample_has_totals_and_no_rates() {
        let mut now = reading(1);
        now.values.usage_ns = 7;
        now.values.psi_ns = [9; 6];
        let cells = living(&now, &Reading::NONE, GoneTime::default());
        assert_eq!(cell(&cells, Column::UsageNs), 7.0);
        for column in [
            Column::CpuCores,
            Column::ThrottledRatio,
            Column::PsiCpuSomeRatio,
            Column::GoneCores,
        ] {
            assert!(cell(&cells, column).is_nan(), "{}", column.name());
        }
    }

    #[test]
    fn a_missing_value_is_nan_and_no_limit_is_minus_one() {
        let mut now = reading(1);
        now.values.quota_us = UNLIMITED;
        let cells = living(&now, &reading(0), GoneTime::default());
        assert_eq!(cell(&cells, Column::QuotaUs), -1.0);
        assert!(cell(&cells, Column::MemoryBytes).is_nan());
        assert!(cell(&cells, Column::MemoryWithPageCacheBytes).is_nan());
    }

    #[test]
    fn throttled_ratio_is_throttled_periods_over_periods_and_zero_without_periods() {
        let (mut before, mut now) = (reading(0), reading(1));
        (before.values.nr_periods, now.values.nr_periods) = (10, 20);
        (before.values.nr_throttled, now.values.nr_throttled) = (2, 5);
        assert_eq!(
            cell(
                &living(&now, &before, GoneTime::default()),
                Column::ThrottledRatio
            ),
            0.3
        );
        now.values = before.values;
        assert_eq!(
            cell(
                &living(&now, &before, GoneTime::default()),
                Column::ThrottledRatio
            ),
            0.0
        );
    }

    #[test]
    fn page_cache_is_the_file_lists_and_usage_without_it_the_other_three() {
        let mut now = reading(1);
        now.values.memory_stat_bytes = [1, 20, 300, 4_000, 50_000];
        let cells = living(&now, &Reading::NONE, GoneTime::default());
        assert_eq!(cell(&cells, Column::MemoryWithoutPageCacheBytes), 50_021.0);
        assert_eq!(cell(&cells, Column::MemoryWithPageCacheBytes), 54_321.0);
    }

    #[test]
    fn a_total_that_fell_keeps_its_last_value_so_no_rate_is_negative() {
        let (mut before, mut now) = (reading(0), reading(1));
        (before.values.psi_ns[0], now.values.psi_ns[0]) = (5_025_000, 5_000_000);
        keep_monotone(&mut now, &before);
        let cells = living(&now, &before, GoneTime::default());
        assert_eq!(cell(&cells, Column::PsiCpuSomeNs), 5_025_000.0);
        assert_eq!(cell(&cells, Column::PsiCpuSomeRatio), 0.0);
    }

    #[test]
    fn a_share_of_time_is_at_most_one() {
        let (mut before, mut now) = (reading(0), reading(1));
        (before.values.psi_ns[0], now.values.psi_ns[0]) = (0, 1_000_400_000);
        assert_eq!(
            cell(
                &living(&now, &before, GoneTime::default()),
                Column::PsiCpuSomeRatio
            ),
            1.0
        );
    }
}
