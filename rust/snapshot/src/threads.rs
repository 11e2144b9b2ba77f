//! CPU usage of cgroups that only v1's cpu hierarchy has, where no BPF walk accounts them: the sum over their threads.

use std::collections::HashMap;

use koord_cgroup::{Controller, FieldGroup, TaskTimes, Version};

use crate::hierarchy::{HierarchyReader, monotonic_ns};
use crate::rows::{NO_SLOT, Rows};
use crate::source::{Means, Registry};

/// What threads of such cgroups ran, by row key.
#[derive(Default)]
pub struct ThreadUsage {
    by_key: HashMap<u64, TaskTimes>,
}

impl ThreadUsage {
    /// Fills the usage of rows that have none after a pass.
    ///
    /// While there are such rows, the hierarchy's walks read scheduling entities; threads serve what these do not.
    pub fn read(
        &mut self,
        frame: u64,
        rows: &mut Rows,
        hierarchies: &mut [HierarchyReader],
        registry: &mut Registry,
    ) {
        let Some(cpu) = hierarchies.iter_mut().find(|reader| {
            reader.hierarchy.version == Version::V1 && reader.hierarchy.has(Controller::Cpu)
        }) else {
            return;
        };
        let walked_entities = std::mem::take(&mut cpu.entities);
        let mut children_ns: HashMap<u32, u64> = HashMap::new();
        // Parents come before their children: backwards, the children's sum is ready when the parent needs it.
        for position in (0..rows.order().len()).rev() {
            let slot = rows.order()[position];
            let row = rows.row(slot);
            if row.gone || !rows.seen(slot, cpu.number(), frame) {
                continue;
            }
            let source =
                registry.entry(rows.current[slot as usize].sources[FieldGroup::CpuUsage as usize]);
            cpu.entities |= source.is_none_or(|(_, hierarchy, _)| hierarchy == cpu.number());
            let next_walk_has_it = cpu.walk.is_some() && !walked_entities;
            if source.is_some() || rows.usage_hierarchy(slot).is_some() || next_walk_has_it {
                continue;
            }
            let directory = cpu
                .tree
                .absolute(row.path.strip_prefix("/").unwrap_or(&row.path));
            // An error means that the cgroup was removed since the pass met it.
            let Ok(own_ns) = self.by_key.entry(row.key).or_default().update(&directory) else {
                continue;
            };
            let usage_ns = own_ns + children_ns.remove(&slot).unwrap_or(0) + row.gone_shown_ns;
            if row.parent != NO_SLOT {
                *children_ns.entry(row.parent).or_default() += usage_ns;
            }
            let reading = &mut rows.current[slot as usize];
            reading.values.usage_ns = usage_ns;
            reading.ts_ns[FieldGroup::CpuUsage as usize] = monotonic_ns();
            reading.sources[FieldGroup::CpuUsage as usize] =
                registry.code(FieldGroup::CpuUsage, cpu.number(), Means::Threads);
        }
        self.by_key.retain(|&key, _| rows.is_alive(key));
    }
}
