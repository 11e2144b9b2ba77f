//! What a row of a BPF walk says, in the terms of a snapshot.

use koord_cgroup::values::{MISSING, UNLIMITED};
use koord_cgroup::{Controller, FieldGroup, Groups, Hierarchy, Values, Version};
use koord_probes::{Groups as RowGroups, NO_LIMIT, Row};

/// Groups that a walk of this hierarchy shall read.
///
/// `entities`: also the scheduling entities of v1's cpu hierarchy, which cost a read per CPU and serve only cgroups that
/// nothing else accounts.
pub fn wanted(hierarchy: &Hierarchy, exact_psi: bool, entities: bool) -> RowGroups {
    let has = |controller| hierarchy.has(controller);
    let v2 = hierarchy.version == Version::V2;
    let of_usage = if v2 {
        RowGroups::CPU_BASE
    } else {
        RowGroups::CPU_ACCT
    };
    let groups = [
        (
            v2 || has(Controller::Cpuacct),
            of_usage | RowGroups::TASKS | RowGroups::FRESH,
        ),
        (v2, RowGroups::PSI),
        (v2 && exact_psi, RowGroups::PSI_EXACT),
        (
            has(Controller::Cpu),
            RowGroups::CPU_BANDWIDTH | RowGroups::CPU_BURST,
        ),
        (
            has(Controller::Memory),
            RowGroups::MEMORY | RowGroups::MEMORY_STAT | RowGroups::OOM | RowGroups::FRESH,
        ),
        (has(Controller::Pids), RowGroups::PIDS),
        (entities, RowGroups::CPU_ENTITY | RowGroups::TASKS),
    ];
    groups
        .into_iter()
        .filter(|&(on, _)| on)
        .fold(RowGroups::empty(), |wanted, (_, groups)| wanted | groups)
}

/// The kernel object that a walk reads.
pub fn object(group: FieldGroup, version: Version, accounted: bool) -> &'static str {
    match (group, version) {
        (FieldGroup::CpuUsage, Version::V2) => "cgroup.bstat",
        (FieldGroup::CpuUsage, Version::V1) if accounted => "cpuacct.cpuusage",
        (FieldGroup::CpuUsage, Version::V1) => "task_group.se.sum_exec_runtime",
        (FieldGroup::Throttling, _) => "task_group.cfs_bandwidth",
        (FieldGroup::Psi, _) => "cgroup.psi",
        (FieldGroup::Memory, _) => "mem_cgroup.memory",
        (FieldGroup::MemoryStat, _) => "mem_cgroup.vmstats",
        (FieldGroup::Tasks, _) => "pids_cgroup.counter",
        (FieldGroup::Oom, _) => "mem_cgroup.memory_events",
    }
}

/// Which groups the row carries.
pub fn supplied(row: &Row) -> Groups {
    let carried = RowGroups::from_bits_retain(row.groups);
    let usage = RowGroups::CPU_BASE | RowGroups::CPU_ACCT | RowGroups::CPU_ENTITY;
    let groups = [
        (FieldGroup::CpuUsage, usage),
        (FieldGroup::Throttling, RowGroups::CPU_BANDWIDTH),
        (FieldGroup::Psi, RowGroups::PSI),
        (FieldGroup::Memory, RowGroups::MEMORY),
        (FieldGroup::MemoryStat, RowGroups::MEMORY_STAT),
        (FieldGroup::Tasks, RowGroups::PIDS),
        (FieldGroup::Oom, RowGroups::OOM),
    ];
    groups
        .into_iter()
        .filter(|&(_, any)| carried.intersects(any))
        .map(|(group, _)| group)
        .collect()
}

/// Tasks directly in the cgroup.
pub fn own_tasks(row: &Row) -> Option<u64> {
    row.has(RowGroups::TASKS).then_some(row.nr_tasks)
}

/// Copies one group that the row carries.
pub fn fill(to: &mut Values, group: FieldGroup, row: &Row) {
    match group {
        FieldGroup::CpuUsage => {
            let split = row.has(RowGroups::CPU_BASE) || row.has(RowGroups::CPU_ACCT);
            to.usage_ns = row.usage_ns;
            (to.user_ns, to.system_ns) = if split {
                (row.user_ns, row.system_ns)
            } else {
                (MISSING, MISSING)
            };
        }
        FieldGroup::Throttling => {
            let burst = row.has(RowGroups::CPU_BURST);
            (to.nr_periods, to.nr_throttled, to.throttled_ns) =
                (row.nr_periods, row.nr_throttled, row.throttled_ns);
            (to.nr_bursts, to.burst_ns) = if burst {
                (row.nr_bursts, row.burst_ns)
            } else {
                (MISSING, MISSING)
            };
            to.quota_us = if row.quota_ns == NO_LIMIT {
                UNLIMITED
            } else {
                row.quota_ns / 1000
            };
            to.period_us = row.period_ns / 1000;
        }
        FieldGroup::Psi => {
            let [
                io_some,
                io_full,
                memory_some,
                memory_full,
                cpu_some,
                cpu_full,
            ] = row.psi_ns;
            to.psi_ns = [
                cpu_some,
                cpu_full,
                memory_some,
                memory_full,
                io_some,
                io_full,
            ];
        }
        FieldGroup::Memory => {
            to.memory_bytes = row.memory_bytes;
            to.memory_limit_bytes = if row.memory_max_bytes == NO_LIMIT {
                UNLIMITED
            } else {
                row.memory_max_bytes
            };
        }
        FieldGroup::MemoryStat => {
            to.memory_stat_bytes = [
                row.inactive_anon_bytes,
                row.active_anon_bytes,
                row.inactive_file_bytes,
                row.active_file_bytes,
                row.unevictable_bytes,
            ];
        }
        FieldGroup::Tasks => to.tasks = row.pids,
        FieldGroup::Oom => to.oom_kills = row.oom_kills,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn v1(controllers: &[Controller]) -> Hierarchy {
        Hierarchy {
            version: Version::V1,
            root: PathBuf::new(),
            controllers: controllers.to_vec(),
        }
    }

    #[test]
    fn a_walk_reads_only_what_its_hierarchy_has() {
        let pids = wanted(&v1(&[Controller::Pids]), true, false);
        assert_eq!(pids, RowGroups::PIDS);
        let cpu = wanted(&v1(&[Controller::Cpu]), true, false);
        assert_eq!(cpu, RowGroups::CPU_BANDWIDTH | RowGroups::CPU_BURST);
        let v2 = Hierarchy {
            version: Version::V2,
            root: PathBuf::new(),
            controllers: Vec::new(),
        };
        assert!(
            wanted(&v2, true, false)
                .contains(RowGroups::PSI | RowGroups::PSI_EXACT | RowGroups::CPU_BASE)
        );
        assert!(!wanted(&v2, false, false).contains(RowGroups::PSI_EXACT));
    }

    #[test]
    fn what_a_row_does_not_carry_is_missing_and_no_limit_is_kept_apart() {
        let mut row = Row {
            quota_ns: NO_LIMIT,
            period_ns: 100_000_000,
            ..Row::default()
        };
        row.groups = RowGroups::CPU_BANDWIDTH.bits();
        assert_eq!(supplied(&row), Groups::only(FieldGroup::Throttling));
        let mut values = Values::NONE;
        fill(&mut values, FieldGroup::Throttling, &row);
        assert_eq!(
            (values.quota_us, values.period_us, values.nr_bursts),
            (UNLIMITED, 100_000, MISSING)
        );
    }

    #[test]
    fn pressure_is_put_in_the_order_of_a_snapshot() {
        let row = Row {
            psi_ns: [50, 51, 30, 31, 10, 11],
            ..Row::default()
        };
        let mut values = Values::NONE;
        fill(&mut values, FieldGroup::Psi, &row);
        assert_eq!(values.psi_ns, [10, 11, 30, 31, 50, 51]);
    }
}
