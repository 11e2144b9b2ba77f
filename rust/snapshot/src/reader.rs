//! One pass over all hierarchies.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use koord_cgroup::values::MISSING;
use koord_cgroup::{Controller, FieldGroup, Files, Mounts, TaskTimes, Version};

use crate::cells::{self, GoneTime};
use crate::error::Error;
use crate::frame::{Frame, Identity};
use crate::gone::{self, Accounts};
use crate::hierarchy::{HierarchyReader, monotonic_ns};
use crate::rows::{MAX_HIERARCHIES, NO_SLOT, Rows};
use crate::source::{Means, Registry, SignalSource};

/// Frames kept for reuse: the one that was handed out last and the one before it.
const POOL: usize = 3;

/// The best tier to use; what it lacks comes from the next one below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tier {
    #[default]
    Auto,
    BpfCss,
    BpfIter,
    Files,
}

/// How to read.
#[derive(Debug, Clone)]
pub struct Options {
    /// Take only cgroup mounts at or below this directory.
    pub root: Option<PathBuf>,
    pub tier: Tier,
    /// Bring PSI totals up to now.
    pub exact_psi: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            root: None,
            tier: Tier::Auto,
            exact_psi: true,
        }
    }
}

/// Reads all cgroups of this node; one pass at a time.
pub struct Reader {
    hierarchies: Vec<HierarchyReader>,
    registry: Registry,
    rows: Rows,
    number: u64,
    accounts: Accounts,
    task_times: HashMap<u64, TaskTimes>,
    identities: Arc<[Identity]>,
    /// Row number of each slot.
    row_of_slot: Vec<u32>,
    pool: Vec<Arc<Frame>>,
    why_files: String,
}

impl Reader {
    /// Finds the hierarchies and what reads them.
    pub fn open(options: &Options) -> Result<Self, Error> {
        let mut hierarchies: Vec<_> = Mounts::discover(options.root.as_deref())?
            .hierarchies
            .into_iter()
            .filter(koord_cgroup::Hierarchy::is_measured)
            .collect();
        // v2 first: it has PSI, and user and system time to the nanosecond.
        hierarchies.sort_by_key(|hierarchy| {
            (
                hierarchy.version != Version::V2,
                !hierarchy.has(Controller::Cpuacct),
                hierarchy.root.clone(),
            )
        });
        hierarchies.truncate(MAX_HIERARCHIES);
        if hierarchies.is_empty() {
            return Err(Error::NothingMeasured);
        }
        let mut registry = Registry::default();
        let bound = Files::share_of_bound(hierarchies.len());
        let hierarchies = hierarchies
            .into_iter()
            .enumerate()
            .map(|(number, hierarchy)| {
                HierarchyReader::open(number, hierarchy, bound, &mut registry)
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            hierarchies,
            registry,
            rows: Rows::default(),
            number: 0,
            accounts: Accounts::default(),
            task_times: HashMap::new(),
            identities: Arc::from([]),
            row_of_slot: Vec::new(),
            pool: Vec::new(),
            why_files: "tier files was asked for".to_owned(),
        })
    }

    /// Reads everything once.
    ///
    /// Rates are over the time since the previous call. An error means that a hierarchy as a whole cannot be read; what a single
    /// cgroup or file lacks is NaN, with the cause in [`Reader::sources`].
    pub fn collect(&mut self) -> Result<Arc<Frame>, Error> {
        let monotonic = monotonic_ns();
        let wall_ms = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.as_millis() as u64);
        self.number += 1;
        let rows_went = self.rows.begin();
        for hierarchy in &mut self.hierarchies {
            hierarchy.begin(self.number);
            hierarchy.read_files(self.number, &mut self.rows)?;
        }
        self.sweep();
        self.read_threads();
        self.read_own_tasks();
        for position in 0..self.rows.order().len() {
            let slot = self.rows.order()[position] as usize;
            let Rows {
                current, previous, ..
            } = &mut self.rows;
            cells::keep_monotone(&mut current[slot], &previous[slot]);
        }
        gone::account(&mut self.rows, self.number, &mut self.accounts);
        let mut frame = self.spare_frame();
        frame.number = self.number;
        frame.monotonic_ns = monotonic;
        frame.wall_ms = wall_ms;
        self.fill(&mut frame, rows_went);
        frame.duration_ns = monotonic_ns() - monotonic;
        let frame = Arc::new(frame);
        self.pool.push(Arc::clone(&frame));
        Ok(frame)
    }

    /// Members that this pass did not find leave their rows.
    fn sweep(&mut self) {
        let Self {
            rows,
            hierarchies,
            number,
            ..
        } = self;
        let read = vec![true; hierarchies.len()];
        rows.sweep(*number, &read, |hierarchy, id| {
            hierarchies[hierarchy].forget(id)
        });
    }

    /// CPU usage of cgroups that only v1's cpu hierarchy has and that nothing else accounts: the sum over their threads.
    fn read_threads(&mut self) {
        let Self {
            rows,
            hierarchies,
            registry,
            task_times,
            number,
            ..
        } = self;
        let Some(cpu) = hierarchies.iter().find(|reader| {
            reader.hierarchy.version == Version::V1 && reader.hierarchy.has(Controller::Cpu)
        }) else {
            return;
        };
        let mut totals: HashMap<u32, u64> = HashMap::new();
        // Children come after their parents: backwards, their sums are ready when the parent needs them.
        for position in (0..rows.order().len()).rev() {
            let slot = rows.order()[position];
            let row = rows.row(slot);
            let unserved = rows.current[slot as usize].values.usage_ns == MISSING
                && row.usage_hierarchy.is_none();
            if !unserved || row.gone || !row.seen(cpu.number, *number) {
                continue;
            }
            let directory = row.path.strip_prefix("/").unwrap_or(&row.path);
            let Ok(own_ns) = task_times
                .entry(row.key)
                .or_default()
                .update(&cpu.tree.absolute(directory))
            else {
                continue;
            };
            let usage_ns = own_ns + totals.remove(&slot).unwrap_or(0) + row.gone_shown_ns;
            if row.parent != NO_SLOT {
                *totals.entry(row.parent).or_default() += usage_ns;
            }
            let reading = &mut rows.current[slot as usize];
            reading.values.usage_ns = usage_ns;
            reading.ts_ns[FieldGroup::CpuUsage as usize] = monotonic_ns();
            reading.sources[FieldGroup::CpuUsage as usize] =
                registry.code(FieldGroup::CpuUsage, cpu.number, Means::Threads);
        }
        task_times.retain(|&key, _| rows.is_alive(key));
    }

    /// Whether parents have processes of their own, where no reading says so yet; only they can have removed children.
    fn read_own_tasks(&mut self) {
        let Self {
            rows,
            hierarchies,
            registry,
            ..
        } = self;
        for position in 0..rows.order().len() {
            let slot = rows.order()[position];
            let reading = &rows.current[slot as usize];
            let code = reading.sources[FieldGroup::CpuUsage as usize];
            if code == 0 || reading.own_tasks.is_some() || !rows.row(slot).had_children {
                continue;
            }
            let (_, hierarchy, _) = registry.entries()[usize::from(code) - 1];
            if let Some(id) = rows.row(slot).id(hierarchy) {
                rows.current[slot as usize].own_tasks = hierarchies[hierarchy].own_tasks(id);
            }
        }
    }

    /// A frame that nobody holds any more, or a new one.
    fn spare_frame(&mut self) -> Frame {
        let unused = self
            .pool
            .iter()
            .position(|frame| Arc::strong_count(frame) == 1);
        let spare =
            unused.and_then(|position| Arc::try_unwrap(self.pool.swap_remove(position)).ok());
        if self.pool.len() >= POOL {
            self.pool.remove(0);
        }
        spare.unwrap_or_default()
    }

    /// Writes the rows' cells and what changed since the previous frame.
    fn fill(&mut self, frame: &mut Frame, rows_went: bool) {
        let Self {
            rows,
            row_of_slot,
            accounts,
            number,
            ..
        } = self;
        let count = rows.order().len();
        frame.reset(count);
        row_of_slot.resize(rows.current.len(), u32::MAX);
        for (index, &slot) in rows.order().iter().enumerate() {
            row_of_slot[slot as usize] = index as u32;
        }
        for (index, &slot) in rows.order().iter().enumerate() {
            let row = rows.row(slot);
            let (current, previous) = (&rows.current[slot as usize], &rows.previous[slot as usize]);
            let gone_ns = row.gone_shown_ns + row.gone_unseen_ns;
            let cells = if row.gone {
                frame.gone.push(row.key);
                cells::removed(previous, gone_ns)
            } else {
                cells::living(
                    current,
                    previous,
                    GoneTime {
                        total_ns: gone_ns,
                        unseen_ns: accounts.unseen_ns[slot as usize],
                    },
                )
            };
            frame.write(index, count, &cells);
            frame.keys.push(row.key);
            frame.levels.push(u64::from(row.level));
            frame.sources.push(if row.gone {
                0
            } else {
                packed(&current.sources)
            });
            frame.parents.push(match row.parent {
                NO_SLOT => -1,
                parent => i64::from(row_of_slot[parent as usize]),
            });
            if row.born == *number {
                frame.appeared.push(index as u32);
            }
        }
        if rows_went || !frame.appeared.is_empty() {
            self.identities = rows
                .order()
                .iter()
                .map(|&slot| rows.row(slot))
                .map(|row| Identity {
                    key: row.key,
                    path: Arc::clone(&row.path),
                    parent_key: if row.parent == NO_SLOT {
                        0
                    } else {
                        rows.row(row.parent).key
                    },
                })
                .collect();
        }
        frame.identities = Arc::clone(&self.identities);
    }

    /// Who supplies each group of fields in each hierarchy; the n-th entry is code n of [`Frame::sources`].
    ///
    /// Behind those are the groups that nothing supplies.
    #[must_use]
    pub fn sources(&self) -> Vec<SignalSource> {
        let in_use = self
            .registry
            .entries()
            .iter()
            .map(|&(group, hierarchy, means)| self.source(group, hierarchy, means));
        let served = |group| self.registry.entries().iter().any(|entry| entry.0 == group);
        let unserved = FieldGroup::ALL
            .into_iter()
            .filter(|&group| !served(group))
            .map(|group| SignalSource {
                group,
                hierarchy: String::new(),
                tier: "none",
                source: String::new(),
                reason: needed(group).to_owned(),
            });
        in_use.chain(unserved).collect()
    }

    /// Number of sources that rows can refer to.
    #[must_use]
    pub fn sources_in_use(&self) -> usize {
        self.registry.entries().len()
    }

    fn source(&self, group: FieldGroup, hierarchy: usize, means: Means) -> SignalSource {
        let reader = &self.hierarchies[hierarchy];
        let (mut tier, mut source, mut reason) =
            (means.tier(), String::new(), self.why_files.clone());
        match means {
            Means::Files => {
                source = reader.files.names(group);
                if let Some(problem) = reader.files.problem(group) {
                    reason = problem;
                    if source.is_empty() {
                        tier = "none";
                    }
                }
            }
            Means::Threads => {
                source = "/proc/TID/schedstat".to_owned();
                reason =
                    format!("in no cpuacct or v2 hierarchy, counted since first seen; {reason}");
            }
            Means::BpfCss | Means::BpfIter => reason.clear(),
        }
        SignalSource {
            group,
            hierarchy: reader.hierarchy.root.display().to_string(),
            tier,
            source,
            reason,
        }
    }
}

/// Eight bits per group, the first lowest.
fn packed(sources: &[u8; 7]) -> u64 {
    sources
        .iter()
        .rev()
        .fold(0, |packed, &code| packed << 8 | u64::from(code))
}

/// Why a group that no hierarchy has is missing.
fn needed(group: FieldGroup) -> &'static str {
    match group {
        FieldGroup::CpuUsage => {
            "no v2 tree and no hierarchy with the cpuacct or cpu controller is mounted"
        }
        FieldGroup::Throttling => "no hierarchy with the cpu controller is mounted",
        FieldGroup::Psi => "pressure per cgroup needs a v2 tree, none is mounted",
        FieldGroup::Memory | FieldGroup::MemoryStat | FieldGroup::Oom => {
            "no hierarchy with the memory controller is mounted"
        }
        FieldGroup::Tasks => "no hierarchy with the pids controller is mounted",
    }
}
