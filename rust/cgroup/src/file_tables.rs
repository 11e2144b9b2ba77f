//! Which files a hierarchy's cgroups can have, and how each fills [`Values`].

use crate::field_group::{FieldGroup, Groups};
use crate::mounts::{Controller, Hierarchy, Version};
use crate::parse::{ParseError, cpu, memory, number, number_or_max, pressure};
use crate::values::{MISSING, UNLIMITED, Values};

/// Fills the wanted groups from a file's content and says which of them that supplies.
pub type Parser = fn(&[u8], Groups, &mut Values) -> Result<Groups, ParseError>;

/// Name, groups it has a part in, parser.
pub type Entry = (&'static str, Groups, Parser);

const CPU_USAGE: Groups = Groups::only(FieldGroup::CpuUsage);
const THROTTLING: Groups = Groups::only(FieldGroup::Throttling);
const PSI: Groups = Groups::only(FieldGroup::Psi);
const MEMORY: Groups = Groups::only(FieldGroup::Memory);
const MEMORY_STAT: Groups = Groups::only(FieldGroup::MemoryStat);
const TASKS: Groups = Groups::only(FieldGroup::Tasks);
const OOM: Groups = Groups::only(FieldGroup::Oom);

/// Files of the controllers that are on this hierarchy.
pub fn of(hierarchy: &Hierarchy) -> Vec<Entry> {
    if hierarchy.version == Version::V2 {
        return V2.to_vec();
    }
    let tables: [(Controller, &[Entry]); 4] = [
        (Controller::Cpuacct, &V1_CPUACCT),
        (Controller::Cpu, &V1_CPU),
        (Controller::Memory, &V1_MEMORY),
        (Controller::Pids, &[PIDS]),
    ];
    tables
        .into_iter()
        .filter(|&(controller, _)| hierarchy.has(controller))
        .flat_map(|(_, files)| files.to_vec())
        .collect()
}

const PIDS: Entry = ("pids.current", TASKS, |content, _, values| {
    values.tasks = number("pids.current", content)?;
    Ok(TASKS)
});

const V1_CPUACCT: [Entry; 3] = [
    ("cpuacct.usage", CPU_USAGE, |content, _, values| {
        values.usage_ns = number("cpuacct.usage", content)?;
        Ok(CPU_USAGE)
    }),
    ("cpuacct.usage_user", CPU_USAGE, |content, _, values| {
        values.user_ns = number("cpuacct.usage_user", content)?;
        Ok(Groups::NONE)
    }),
    ("cpuacct.usage_sys", CPU_USAGE, |content, _, values| {
        values.system_ns = number("cpuacct.usage_sys", content)?;
        split_usage(values);
        Ok(Groups::NONE)
    }),
];

/// Divides the exact run time in the proportion of the tick-sampled user and system times, as cpuacct.stat and v2's
/// cpu.stat do (cputime_adjust() of kernel/sched/cputime.c); cpuacct.stat itself is too coarse, at 10 ms.
fn split_usage(values: &mut Values) {
    let (usage, user, system) = (values.usage_ns, values.user_ns, values.system_ns);
    if [usage, user, system].contains(&MISSING) {
        return;
    }
    let share = match (user, system) {
        (_, 0) => 0,
        (0, _) => usage,
        _ => {
            let share =
                u128::from(usage) * u128::from(system) / (u128::from(user) + u128::from(system));
            u64::try_from(share).unwrap_or(usage)
        }
    };
    (values.user_ns, values.system_ns) = (usage - share, share);
}

const V1_CPU: [Entry; 3] = [
    ("cpu.stat", THROTTLING, |content, _, values| {
        fill_throttling(&cpu::stat_v1(content)?, values);
        Ok(THROTTLING)
    }),
    ("cpu.cfs_quota_us", THROTTLING, |content, _, values| {
        values.quota_us = cpu::quota_v1(content)?.unwrap_or(UNLIMITED);
        Ok(Groups::NONE)
    }),
    ("cpu.cfs_period_us", THROTTLING, |content, _, values| {
        values.period_us = number("cpu.cfs_period_us", content)?;
        Ok(Groups::NONE)
    }),
];

const V1_MEMORY: [Entry; 4] = [
    ("memory.usage_in_bytes", MEMORY, |content, _, values| {
        values.memory_bytes = number("memory.usage_in_bytes", content)?;
        Ok(MEMORY)
    }),
    ("memory.limit_in_bytes", MEMORY, |content, _, values| {
        values.memory_limit_bytes = memory::limit_v1(content)?.unwrap_or(UNLIMITED);
        Ok(Groups::NONE)
    }),
    ("memory.stat", MEMORY_STAT, |content, _, values| {
        fill_memory_stat(&memory::stat_v1(content)?, values);
        Ok(MEMORY_STAT)
    }),
    ("memory.oom_control", OOM, |content, _, values| {
        fill_oom(content, values)
    }),
];

const V2: [Entry; 10] = [
    (
        "cpu.stat",
        CPU_USAGE.or(THROTTLING),
        |content, wanted, values| {
            let mut supplied = Groups::NONE;
            if wanted.has(FieldGroup::CpuUsage) {
                let usage = cpu::stat_v2_usage(content)?;
                (values.usage_ns, values.user_ns, values.system_ns) =
                    (usage.usage_ns, usage.user_ns, usage.system_ns);
                supplied = CPU_USAGE;
            }
            if wanted.has(FieldGroup::Throttling)
                && let Some(throttling) = cpu::stat_v2_throttling(content)?
            {
                fill_throttling(&throttling, values);
                supplied = supplied.or(THROTTLING);
            }
            Ok(supplied)
        },
    ),
    ("cpu.max", THROTTLING, |content, _, values| {
        let bandwidth = cpu::max_v2(content)?;
        values.quota_us = bandwidth.quota_us.unwrap_or(UNLIMITED);
        values.period_us = bandwidth.period_us;
        Ok(Groups::NONE)
    }),
    ("cpu.pressure", PSI, |content, _, values| {
        fill_pressure(content, 0, values)
    }),
    ("memory.pressure", PSI, |content, _, values| {
        fill_pressure(content, 2, values)
    }),
    ("io.pressure", PSI, |content, _, values| {
        fill_pressure(content, 4, values)
    }),
    ("memory.current", MEMORY, |content, _, values| {
        values.memory_bytes = number("memory.current", content)?;
        Ok(MEMORY)
    }),
    ("memory.max", MEMORY, |content, _, values| {
        values.memory_limit_bytes = number_or_max("memory.max", content)?.unwrap_or(UNLIMITED);
        Ok(Groups::NONE)
    }),
    ("memory.stat", MEMORY_STAT, |content, _, values| {
        fill_memory_stat(&memory::stat_v2(content)?, values);
        Ok(MEMORY_STAT)
    }),
    ("memory.events", OOM, |content, _, values| {
        fill_oom(content, values)
    }),
    PIDS,
];

fn fill_throttling(throttling: &cpu::Throttling, values: &mut Values) {
    values.nr_periods = throttling.nr_periods;
    values.nr_throttled = throttling.nr_throttled;
    values.throttled_ns = throttling.throttled_ns;
    values.nr_bursts = throttling.nr_bursts.unwrap_or(MISSING);
    values.burst_ns = throttling.burst_ns.unwrap_or(MISSING);
}

fn fill_pressure(content: &[u8], first: usize, values: &mut Values) -> Result<Groups, ParseError> {
    let pressure = pressure::pressure(content)?;
    values.psi_ns[first] = pressure.some_ns;
    values.psi_ns[first + 1] = pressure.full_ns.unwrap_or(MISSING);
    Ok(PSI)
}

fn fill_memory_stat(stat: &memory::Stat, values: &mut Values) {
    values.memory_stat_bytes = [
        stat.inactive_anon,
        stat.active_anon,
        stat.inactive_file,
        stat.active_file,
        stat.unevictable,
    ];
}

fn fill_oom(content: &[u8], values: &mut Values) -> Result<Groups, ParseError> {
    let kills = memory::oom_kills(content)?;
    values.oom_kills = kills.unwrap_or(MISSING);
    Ok(if kills.is_some() { OOM } else { Groups::NONE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_system_time_are_the_exact_usage_in_the_sampled_proportion() {
        // usage, sampled user, sampled system -> user, system
        let cases = [
            ([1_000, 30, 10], [750, 250]),
            ([1_000, 4_000, 0], [1_000, 0]),
            ([1_000, 0, 4_000], [0, 1_000]),
            ([1_000, 0, 0], [1_000, 0]),
            ([0, 3, 1], [0, 0]),
            ([MISSING, 3, 1], [3, 1]),
        ];
        for ([usage_ns, user_ns, system_ns], expected) in cases {
            let mut values = Values {
                usage_ns,
                user_ns,
                system_ns,
                ..Values::NONE
            };
            split_usage(&mut values);
            assert_eq!([values.user_ns, values.system_ns], expected);
        }
    }
}
