//! One hierarchy: its directories, its files, and how a pass fills the rows' readings from them.

use std::collections::HashMap;

use koord_cgroup::{Controller, FieldGroup, Files, Groups, Hierarchy, Tree, Values, Version};
use rustix::time::{ClockId, clock_gettime};

use crate::Error;
use crate::rows::{Reading, Rows};
use crate::source::{Means, Registry};

/// Frames after which files that were not there are looked for again.
const RETRY_FRAMES: u64 = 60;

/// Frames in which the path of a new id is looked for; the directory becomes visible a moment after its cgroup.
const RESOLVE_FRAMES: u8 = 3;

/// CLOCK_MONOTONIC in ns, the clock of `bpf_ktime_get_ns`.
#[must_use]
pub fn monotonic_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// What is kept of one hierarchy between frames.
pub struct HierarchyReader {
    /// Its number, the index of row members.
    pub number: usize,
    pub hierarchy: Hierarchy,
    pub tree: Tree,
    pub files: Files,
    /// Groups that its controllers have.
    pub possible: Groups,
    file_codes: [u8; 7],
    visits: Vec<u64>,
    /// Ids without a path, and in how many frames one was looked for.
    unresolved: HashMap<u64, Unresolved>,
    /// Directories listed in this frame: a miss never lists one twice.
    listed: Vec<u64>,
}

struct Unresolved {
    attempts: u8,
    seen: u64,
}

impl HierarchyReader {
    pub fn open(
        number: usize,
        hierarchy: Hierarchy,
        bound: usize,
        registry: &mut Registry,
    ) -> Result<Self, Error> {
        let tree = Tree::open(&hierarchy.root)?;
        let files = Files::new(&hierarchy, bound);
        let possible = files.possible().and(of_controllers(&hierarchy));
        let mut file_codes = [0; 7];
        for group in possible.iter() {
            file_codes[group as usize] = registry.code(group, number, Means::Files);
        }
        Ok(Self {
            number,
            hierarchy,
            tree,
            files,
            possible,
            file_codes,
            visits: Vec::new(),
            unresolved: HashMap::new(),
            listed: Vec::new(),
        })
    }

    /// Starts a frame.
    pub fn begin(&mut self, frame: u64) {
        self.listed.clear();
        if frame.is_multiple_of(RETRY_FRAMES) {
            self.files.retry_absent();
        }
    }

    /// Reads every cgroup from its files.
    pub fn read_files(&mut self, frame: u64, rows: &mut Rows) -> Result<(), Error> {
        let mut visits = std::mem::take(&mut self.visits);
        visits.clear();
        self.tree.walk(|visit| visits.push(visit.id))?;
        for &id in &visits {
            let mut values = Values::NONE;
            let ts_ns = monotonic_ns();
            let Ok(supplied) = self.files.read(&self.tree, id, self.possible, &mut values) else {
                continue;
            };
            let Some(slot) = self.slot(frame, id, rows) else {
                continue;
            };
            for group in supplied.iter() {
                self.offer(
                    rows,
                    slot,
                    group,
                    &values,
                    ts_ns,
                    self.file_codes[group as usize],
                );
            }
        }
        self.visits = visits;
        Ok(())
    }

    /// The slot of an id that the tree knows.
    fn slot(&self, frame: u64, id: u64, rows: &mut Rows) -> Option<u32> {
        rows.touch(self.number, id, frame).or_else(|| {
            let path = Rows::absolute(self.tree.path(id)?);
            Some(rows.attach(self.number, id, &path, frame))
        })
    }

    /// Gives a row a group of values, unless a hierarchy before this one did.
    fn offer(
        &self,
        rows: &mut Rows,
        slot: u32,
        group: FieldGroup,
        values: &Values,
        ts_ns: u64,
        code: u8,
    ) {
        if group == FieldGroup::CpuUsage && !self.serves_usage(rows, slot, values.usage_ns) {
            return;
        }
        let reading = &mut rows.current[slot as usize];
        if group == FieldGroup::CpuUsage || reading.sources[group as usize] == 0 {
            fill(&mut reading.values, group, values);
            reading.ts_ns[group as usize] = ts_ns;
            reading.sources[group as usize] = code;
        }
    }

    /// Whether this hierarchy's CPU usage is the row's.
    ///
    /// A cgroup may exist in the v2 tree and in v1's cpuacct with its processes in only one of them, so the first one that counted
    /// something is taken, and kept for the row's life: totals of different hierarchies are not one series.
    fn serves_usage(&self, rows: &mut Rows, slot: u32, usage_ns: u64) -> bool {
        let vacant = rows.current[slot as usize].sources[FieldGroup::CpuUsage as usize] == 0;
        let number = self.number as u8;
        let row = rows.row_mut(slot);
        match row.usage_hierarchy {
            Some(chosen) => chosen == number,
            None => {
                if usage_ns > 0 {
                    row.usage_hierarchy = Some(number);
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
