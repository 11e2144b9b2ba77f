//! One pass over all hierarchies.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use koord_cgroup::{Controller, FieldGroup, Files, Hierarchy, Mounts, Version};
use koord_probes::Snapshot;

use crate::cells::{self, GoneTime};
use crate::column::Column;
use crate::error::Error;
use crate::frame::{Frame, Identity};
use crate::gone::Accounts;
use crate::hierarchy::{HierarchyReader, monotonic_ns};
use crate::rows::{MAX_HIERARCHIES, NO_SLOT, Row, Rows};
use crate::source::{Registry, SignalSource};
use crate::threads::ThreadUsage;
use crate::walks::{self, Tier};

/// Frames kept for reuse: the one that was handed out last, the one before it, one to spare.
const POOL: usize = 3;

/// Rows whose cells are written at once.
const BLOCK: usize = 8;

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
    snapshot: Option<Snapshot>,
    exact_psi: bool,
    registry: Registry,
    rows: Rows,
    /// Number of the last frame.
    number: u64,
    accounts: Accounts,
    threads: ThreadUsage,
    identities: Arc<[Identity]>,
    /// Row number of each slot.
    row_of_slot: Vec<u32>,
    pool: Vec<Arc<Frame>>,
}

impl Reader {
    /// Finds the hierarchies and what reads them. What BPF cannot read is no error, [`Reader::sources`] tells.
    pub fn open(options: &Options) -> Result<Self, Error> {
        let mut found = Mounts::discover(options.root.as_deref())?.hierarchies;
        found.retain(Hierarchy::is_measured);
        // v2 first: it has PSI, and every kernel keeps its user and system time.
        found.sort_by_key(|hierarchy| {
            let (v1, unaccounted) = (
                hierarchy.version == Version::V1,
                !hierarchy.has(Controller::Cpuacct),
            );
            (v1, unaccounted, hierarchy.root.clone())
        });
        found.truncate(MAX_HIERARCHIES);
        if found.is_empty() {
            return Err(Error::NothingMeasured);
        }
        let bound = Files::share_of_bound(found.len());
        let mut hierarchies = found
            .into_iter()
            .enumerate()
            .map(|(number, hierarchy)| HierarchyReader::open(number, hierarchy, bound))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            snapshot: walks::attach(options.tier, &mut hierarchies),
            hierarchies,
            exact_psi: options.exact_psi,
            registry: Registry::default(),
            rows: Rows::default(),
            number: 0,
            accounts: Accounts::default(),
            threads: ThreadUsage::default(),
            identities: Arc::from([]),
            row_of_slot: Vec::new(),
            pool: Vec::new(),
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
        self.read_hierarchies()?;
        self.sweep();
        self.threads.read(
            self.number,
            &mut self.rows,
            &mut self.hierarchies,
            &mut self.registry,
        );
        self.complete();
        let mut frame = self.spare_frame();
        (frame.number, frame.monotonic_ns, frame.wall_ms) = (self.number, monotonic, wall_ms);
        self.fill(&mut frame);
        if rows_went || !frame.appeared.is_empty() {
            self.identities = self
                .rows
                .order()
                .iter()
                .map(|&slot| self.identity(self.rows.row(slot)))
                .collect();
        }
        frame.identities = Arc::clone(&self.identities);
        frame.duration_ns = monotonic_ns() - monotonic;
        let frame = Arc::new(frame);
        self.pool.push(Arc::clone(&frame));
        Ok(frame)
    }

    /// Who supplies each group of fields in each hierarchy; the n-th entry is code n of [`Frame::sources`].
    ///
    /// Behind those are the groups that nothing supplies, before the first pass all of them.
    #[must_use]
    pub fn sources(&self) -> Vec<SignalSource> {
        self.registry.describe(&self.hierarchies)
    }

    /// Number of sources that rows can refer to.
    #[must_use]
    pub fn sources_in_use(&self) -> usize {
        self.registry.len()
    }

    /// Fills the readings; a hierarchy whose BPF walk fails is read from files from then on.
    fn read_hierarchies(&mut self) -> Result<(), Error> {
        let Self {
            hierarchies,
            rows,
            registry,
            snapshot,
            number,
            exact_psi,
            ..
        } = self;
        for reader in hierarchies {
            reader.begin(*number);
            if let (Some(walk), Some(snapshot)) = (reader.walk, snapshot.as_mut()) {
                match reader.read_walk(*number, rows, registry, snapshot, (walk, *exact_psi)) {
                    Ok(()) => continue,
                    Err(error) => {
                        reader.walk = None;
                        reader.reason = error.to_string();
                    }
                }
            }
            reader.read_files(*number, rows, registry)?;
        }
        Ok(())
    }

    /// Members that this pass did not find leave their rows.
    fn sweep(&mut self) {
        let Self {
            rows,
            hierarchies,
            number,
            ..
        } = self;
        rows.sweep(*number, |hierarchy, id| hierarchies[hierarchy].forget(id));
    }

    /// Completes the readings with what needs other readings.
    fn complete(&mut self) {
        self.accounts.begin(&self.rows);
        for position in 0..self.rows.order().len() {
            let slot = self.rows.order()[position];
            self.read_own_tasks(slot);
            let Rows {
                current, previous, ..
            } = &mut self.rows;
            cells::keep_monotone(&mut current[slot as usize], &previous[slot as usize]);
            self.accounts.add_to_parent(&mut self.rows, slot);
        }
    }

    /// Whether a parent has processes of its own, where no reading says so yet; only parents can have removed children.
    fn read_own_tasks(&mut self, slot: u32) {
        let row = self.rows.row(slot);
        let reading = &self.rows.current[slot as usize];
        // The root always has some, kernel threads at least.
        if reading.own_tasks.is_some() || !row.had_children || row.parent == NO_SLOT {
            return;
        }
        let source = reading.sources[FieldGroup::CpuUsage as usize];
        if let Some((_, hierarchy, _)) = self.registry.entry(source)
            && let Some(id) = row.id(hierarchy)
        {
            self.rows.current[slot as usize].own_tasks = self.hierarchies[hierarchy].own_tasks(id);
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

    fn identity(&self, row: &Row) -> Identity {
        let parent_key = if row.parent == NO_SLOT {
            0
        } else {
            self.rows.row(row.parent).key
        };
        Identity {
            key: row.key,
            path: Arc::clone(&row.path),
            parent_key,
        }
    }

    /// Writes the rows' cells and what changed since the previous frame.
    fn fill(&mut self, frame: &mut Frame) {
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
        let mut block = [[f64::NAN; Column::COUNT]; BLOCK];
        for index in 0..count {
            let slot = rows.order()[index];
            let unseen_ns = accounts.credit(rows, slot, *number);
            let row = rows.row(slot);
            let (current, previous) = (&rows.current[slot as usize], &rows.previous[slot as usize]);
            let gone = GoneTime {
                total_ns: row.gone_shown_ns + row.gone_unseen_ns,
                unseen_ns,
            };
            block[index % BLOCK] = match row.gone {
                true => cells::removed(previous, gone.total_ns),
                false => cells::living(current, previous, gone),
            };
            if index % BLOCK == BLOCK - 1 || index == count - 1 {
                let filled = &block[..=index % BLOCK];
                frame.write(index + 1 - filled.len(), count, filled);
            }
            frame.keys.push(row.key);
            frame.levels.push(u64::from(row.level));
            frame.sources.push(packed(&current.sources));
            frame.parents.push(match row.parent {
                NO_SLOT => -1,
                parent => i64::from(row_of_slot[parent as usize]),
            });
            if row.born == *number {
                frame.appeared.push(index as u32);
            }
            if row.gone {
                frame.gone.push(row.key);
            }
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
