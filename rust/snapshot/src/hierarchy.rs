//! One hierarchy: its directories, its files, its BPF walk, and how a pass fills the rows' readings from them.

use std::collections::HashMap;

use koord_cgroup::{Controller, FieldGroup, Files, Groups, Hierarchy, Tree, Values, Version};
use koord_probes::{CollectError, HierarchyId, Row, Snapshot};
use rustix::time::{ClockId, clock_gettime};

use crate::rows::Rows;
use crate::source::{Means, Registry};
use crate::{Error, bpf};

/// Frames after which files that were not there are looked for again.
const RETRY_FRAMES: u64 = 60;

/// Frames in which the path of a new id is looked for; a directory becomes visible a moment after its cgroup.
const RESOLVE_FRAMES: u8 = 3;

/// CLOCK_MONOTONIC in ns, the clock of `bpf_ktime_get_ns`.
#[must_use]
pub fn monotonic_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// A BPF walk of one hierarchy.
#[derive(Debug, Clone, Copy)]
pub struct Walk {
    pub id: HierarchyId,
    pub means: Means,
}

/// What is kept of one hierarchy between frames.
pub struct HierarchyReader {
    /// Its number, the index of row members.
    number: usize,
    pub hierarchy: Hierarchy,
    pub tree: Tree,
    pub files: Files,
    /// Groups that its controllers have.
    pub possible: Groups,
    pub walk: Option<Walk>,
    /// Why no better tier is in use; empty when the best one is.
    pub reason: String,
    /// Whether walks read the scheduling entities of v1's cpu hierarchy.
    pub entities: bool,
    visits: Vec<u64>,
    /// Ids without a path.
    unresolved: HashMap<u64, Unresolved>,
    /// Directories listed in this frame: a miss never lists one twice.
    listed: Vec<u64>,
}

struct Unresolved {
    /// Frames in which its path was looked for.
    attempts: u8,
    /// The last frame that met it.
    seen: u64,
}

/// One group of values on its way to a row.
struct Offer {
    group: FieldGroup,
    usage_ns: u64,
    ts_ns: u64,
    means: Means,
    own_tasks: Option<u64>,
}

impl HierarchyReader {
    pub fn open(number: usize, hierarchy: Hierarchy, bound: usize) -> Result<Self, Error> {
        let tree = Tree::open(&hierarchy.root)?;
        let files = Files::new(&hierarchy, bound);
        Ok(Self {
            number,
            possible: of_controllers(&hierarchy),
            entities: hierarchy.has(Controller::Cpu) && !hierarchy.has(Controller::Cpuacct),
            hierarchy,
            tree,
            files,
            walk: None,
            reason: String::new(),
            visits: Vec::new(),
            unresolved: HashMap::new(),
            listed: Vec::new(),
        })
    }

    /// Its number, the index of row members.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Where it is mounted, for messages.
    #[must_use]
    pub fn mount_point(&self) -> String {
        self.hierarchy.root.display().to_string()
    }

    /// Starts a frame.
    pub fn begin(&mut self, frame: u64) {
        self.listed.clear();
        if frame.is_multiple_of(RETRY_FRAMES) {
            self.files.retry_absent();
        }
    }

    /// Reads every cgroup from its files.
    pub fn read_files(
        &mut self,
        frame: u64,
        rows: &mut Rows,
        registry: &mut Registry,
    ) -> Result<(), Error> {
        let mut visits = std::mem::take(&mut self.visits);
        visits.clear();
        let walked = self.tree.walk(|visit| visits.push(visit.id));
        for &id in &visits {
            self.read_files_of(frame, id, self.possible, rows, registry);
        }
        self.visits = visits;
        Ok(walked?)
    }

    /// Reads some groups of one cgroup from its files; one that was removed meanwhile is left out.
    fn read_files_of(
        &mut self,
        frame: u64,
        id: u64,
        groups: Groups,
        rows: &mut Rows,
        registry: &mut Registry,
    ) {
        let mut values = Values::NONE;
        let ts_ns = monotonic_ns();
        let supplied = self.files.read(&self.tree, id, groups, &mut values).ok();
        let slot = supplied.and_then(|_| self.slot(frame, id, rows));
        let (Some(supplied), Some(slot)) = (supplied, slot) else {
            // Removed meanwhile, before it was a row.
            self.files.forget(id);
            return;
        };
        for group in supplied.iter() {
            let offer = Offer {
                group,
                usage_ns: values.usage_ns,
                ts_ns,
                means: Means::Files,
                own_tasks: None,
            };
            self.offer(rows, slot, &offer, registry, |to| fill(to, group, &values));
        }
    }

    /// Reads every cgroup by its BPF walk, and from files what the kernel does not give that way.
    pub fn read_walk(
        &mut self,
        frame: u64,
        rows: &mut Rows,
        registry: &mut Registry,
        snapshot: &mut Snapshot,
        (walk, exact_psi): (Walk, bool),
    ) -> Result<(), CollectError> {
        let wanted = bpf::wanted(&self.hierarchy, exact_psi, self.entities);
        let found = snapshot.collect(walk.id, wanted)?;
        let mut met = Groups::NONE;
        for row in found {
            let supplied = bpf::supplied(row);
            met = met.or(supplied);
            let Some(slot) = self.resolved(frame, row, rows) else {
                continue;
            };
            for group in supplied.iter() {
                let offer = Offer {
                    group,
                    usage_ns: row.usage_ns,
                    ts_ns: row.ts_ns,
                    means: walk.means,
                    own_tasks: bpf::own_tasks(row),
                };
                self.offer(rows, slot, &offer, registry, |to| bpf::fill(to, group, row));
            }
        }
        self.unresolved
            .retain(|_, unresolved| unresolved.seen == frame);
        // A group that no row carries is the kernel's lack, so files may have it. The root keeps less than its descendants.
        let lacking = self.possible.without(met);
        for row in found {
            let groups = match row.level {
                0 => self.possible.without(bpf::supplied(row)),
                _ => lacking,
            };
            if !groups.is_empty() {
                self.read_files_of(frame, row.id, groups, rows, registry);
            }
        }
        Ok(())
    }

    /// The slot of an id that the tree knows.
    fn slot(&self, frame: u64, id: u64, rows: &mut Rows) -> Option<u32> {
        rows.touch(self.number, id, frame).or_else(|| {
            let path = Rows::absolute(self.tree.path(id)?);
            Some(rows.attach(self.number, id, &path, frame))
        })
    }

    /// The slot of a walked row. A new id's path is learnt from a listing of its parent; one that has none is shown in no row, its
    /// CPU time is part of its parent's.
    fn resolved(&mut self, frame: u64, row: &Row, rows: &mut Rows) -> Option<u32> {
        if let Some(slot) = self.slot(frame, row.id, rows) {
            return Some(slot);
        }
        let unresolved = self.unresolved.entry(row.id).or_insert(Unresolved {
            attempts: 0,
            seen: frame,
        });
        unresolved.seen = frame;
        if unresolved.attempts >= RESOLVE_FRAMES {
            return None;
        }
        unresolved.attempts += 1;
        if !self.listed.contains(&row.parent_id) {
            self.listed.push(row.parent_id);
            // A parent that was removed has no children left to learn.
            let _ = self.tree.list(row.parent_id);
        }
        let slot = self.slot(frame, row.id, rows)?;
        self.unresolved.remove(&row.id);
        Some(slot)
    }

    /// Gives a row a group of values, unless a hierarchy before this one did.
    fn offer(
        &self,
        rows: &mut Rows,
        slot: u32,
        offer: &Offer,
        registry: &mut Registry,
        fill: impl FnOnce(&mut Values),
    ) {
        let group = offer.group;
        let is_usage = group == FieldGroup::CpuUsage;
        let takes = match is_usage {
            true => self.serves_usage(rows, slot, offer.usage_ns),
            false => rows.current[slot as usize].sources[group as usize] == 0,
        };
        if !takes {
            return;
        }
        let reading = &mut rows.current[slot as usize];
        fill(&mut reading.values);
        reading.ts_ns[group as usize] = offer.ts_ns;
        reading.sources[group as usize] = registry.code(group, self.number, offer.means);
        if is_usage {
            reading.own_tasks = offer.own_tasks;
        }
    }

    /// Whether this hierarchy's CPU usage is the row's.
    ///
    /// A cgroup may exist in the v2 tree and in v1's cpuacct with its processes in only one of them, so the first one that counted
    /// something is taken, and kept for the row's life: totals of different hierarchies are not one series.
    fn serves_usage(&self, rows: &mut Rows, slot: u32, usage_ns: u64) -> bool {
        let vacant = rows.current[slot as usize].sources[FieldGroup::CpuUsage as usize] == 0;
        let number = self.number as u8;
        match rows.usage_hierarchy(slot) {
            Some(chosen) => chosen == number,
            None => {
                if usage_ns > 0 {
                    rows.show_usage_of(slot, number);
                }
                vacant || usage_ns > 0
            }
        }
    }

    /// Closes what is kept of a removed cgroup.
    pub fn forget(&mut self, id: u64) {
        self.files.forget(id);
        self.tree.forget(id);
    }

    /// Whether the cgroup has processes of its own, as far as `cgroup.procs` tells.
    pub fn own_tasks(&mut self, id: u64) -> Option<u64> {
        self.files
            .has_processes(&self.tree, id)
            .ok()
            .flatten()
            .map(u64::from)
    }
}
/// Groups that the hierarchy's controllers supply; v2's base statistics and pressure need none.
fn of_controllers(hierarchy: &Hierarchy) -> Groups {
    let v2 = hierarchy.version == Version::V2;
    let groups = [
        (
            FieldGroup::CpuUsage,
            v2 || hierarchy.has(Controller::Cpuacct),
        ),
        (FieldGroup::Throttling, hierarchy.has(Controller::Cpu)),
        (FieldGroup::Psi, v2),
        (FieldGroup::Memory, hierarchy.has(Controller::Memory)),
        (FieldGroup::MemoryStat, hierarchy.has(Controller::Memory)),
        (FieldGroup::Tasks, hierarchy.has(Controller::Pids)),
        (FieldGroup::Oom, hierarchy.has(Controller::Memory)),
    ];
    groups
        .into_iter()
        .filter(|&(_, has)| has)
        .map(|(group, _)| group)
        .collect()
}

/// Copies one group.
fn fill(to: &mut Values, group: FieldGroup, from: &Values) {
    match group {
        FieldGroup::CpuUsage => {
            (to.usage_ns, to.user_ns, to.system_ns) = (from.usage_ns, from.user_ns, from.system_ns);
        }
        FieldGroup::Throttling => {
            (to.nr_periods, to.nr_throttled, to.throttled_ns) =
                (from.nr_periods, from.nr_throttled, from.throttled_ns);
            (to.nr_bursts, to.burst_ns) = (from.nr_bursts, from.burst_ns);
            (to.quota_us, to.period_us) = (from.quota_us, from.period_us);
        }
        FieldGroup::Psi => to.psi_ns = from.psi_ns,
        FieldGroup::Memory => {
            (to.memory_bytes, to.memory_limit_bytes) = (from.memory_bytes, from.memory_limit_bytes);
        }
        FieldGroup::MemoryStat => to.memory_stat_bytes = from.memory_stat_bytes,
        FieldGroup::Tasks => to.tasks = from.tasks,
        FieldGroup::Oom => to.oom_kills = from.oom_kills,
    }
}
