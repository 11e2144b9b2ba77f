//! Every cgroup of a hierarchy in one call.

use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use libbpf_rs::{CgroupIterOpts, CgroupIterOrder, IterOpts, Link, ProgramInput};

use crate::cause::{Cause, Missing, diagnose};
use crate::hierarchy::{Hierarchy, Version};
use crate::host::Host;
use crate::maps::Maps;
use crate::programs::{Part, Programs};
use crate::row::{Control, Groups, Row};

/// How a hierarchy is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// A: a `syscall` program walks under RCU and delays nobody.
    Css,
    /// B: the kernel's cgroup iterator, which holds the global cgroup mutex meanwhile.
    Iterator,
}

/// Set-up of a [`Snapshot`].
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Cgroups that one walk has room for at first; grown when a walk meets more.
    pub capacity: u32,
    /// The best tier to use.
    pub best: Tier,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            capacity: 4096,
            best: Tier::Css,
        }
    }
}

/// A hierarchy attached to a [`Snapshot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HierarchyId(usize);

/// Why a hierarchy wasn't read.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// No program that could walk it.
    #[error("{path}: {cause}")]
    NoWalk {
        /// The hierarchy's directory.
        path: PathBuf,
        /// Why the last resort is missing.
        cause: Cause,
    },
    /// The walk failed.
    #[error("{path}: {step}: {source}")]
    Walk {
        /// The hierarchy's directory.
        path: PathBuf,
        /// What was done.
        step: &'static str,
        /// What the kernel answered.
        source: io::Error,
    },
    /// The cgroup that walks start at is gone.
    #[error("{0}: the cgroup is gone or not in this cgroup namespace")]
    Gone(PathBuf),
}

/// Inode number of every v1 hierarchy's root.
const V1_ROOT_ID: u64 = 1;

/// How one hierarchy is read.
struct Attached {
    hierarchy: Hierarchy,
    walk: Walk,
    /// Brings a v2 tree's CPU usage up to date.
    flush: Option<Link>,
    /// Why tier A isn't used.
    reason: Option<Missing>,
}

enum Walk {
    Css,
    Iterator(Link),
}

/// The loaded programs and the hierarchies they read. Walks need it exclusively, so there is one at a time.
pub struct Snapshot {
    host: Host,
    best: Tier,
    // Dropped in this order: links, programs, maps.
    attached: Vec<Attached>,
    programs: Programs,
    maps: Maps,
    lost: u64,
}

impl Snapshot {
    /// Loads what hierarchies of these versions need; whatever turns out to be needed else, [`Snapshot::attach`] loads.
    ///
    /// # Errors
    /// When the kernel gives no memory to write to. Programs that it refuses are no error here.
    pub fn open(options: Options, versions: &[Version]) -> Result<Self, Cause> {
        let host = Host::probe();
        let maps =
            Maps::create(options.capacity.max(1)).map_err(|failure| diagnose(&host, &failure))?;
        let mut snapshot = Self {
            host,
            best: options.best,
            attached: Vec::new(),
            programs: Programs::default(),
            maps,
            lost: 0,
        };
        snapshot.load(versions);
        Ok(snapshot)
    }

    fn load(&mut self, versions: &[Version]) {
        let parts: Vec<Part> = Part::ALL
            .into_iter()
            .filter(|&part| versions.iter().any(|&version| self.needs(version, part)))
            .collect();
        self.programs.load(&self.host, &self.maps, &parts);
    }

    /// Whether the part is needed wherever the best tier works.
    fn needs(&self, version: Version, part: Part) -> bool {
        match part {
            Part::Flush => version == Version::V2,
            Part::WalkIter => self.best == Tier::Iterator,
            Part::WalkCss | Part::WalkCss1 => self.best == Tier::Css && part == css(version),
        }
    }

    /// Prepares walks of a hierarchy: tier A where it works, tier B elsewhere.
    ///
    /// # Errors
    /// When neither program can walk it.
    pub fn attach(&mut self, hierarchy: Hierarchy) -> Result<HierarchyId, CollectError> {
        let attached = self.prepare(hierarchy)?;
        self.attached.push(attached);
        Ok(HierarchyId(self.attached.len() - 1))
    }

    /// How the hierarchy is walked, and why not by tier A; no cause when B was asked for.
    #[must_use]
    pub fn tier(&self, id: HierarchyId) -> (Tier, Option<&Missing>) {
        let attached = &self.attached[id.0];
        match attached.walk {
            Walk::Css => (Tier::Css, None),
            Walk::Iterator(_) => (Tier::Iterator, attached.reason.as_ref()),
        }
    }

    /// The hierarchy behind the id.
    #[must_use]
    pub fn hierarchy(&self, id: HierarchyId) -> &Hierarchy {
        &self.attached[id.0].hierarchy
    }

    /// Cgroups that found no room in a walk, since the start. Each such walk was repeated with more room.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Walks the hierarchy and returns one row per live cgroup, parents before children. Only the groups in `want` are
    /// read, and of those only what the hierarchy has; [`Row::groups`] says which. [`Groups::FRESH`] in a row says that
    /// per-CPU counts were flushed before, which is done when `want` holds it.
    ///
    /// # Errors
    /// When the walk fails or its top is gone.
    pub fn collect(&mut self, id: HierarchyId, want: Groups) -> Result<&[Row], CollectError> {
        let mut result = self.walk(id, want)?;
        // More cgroups may appear between two walks, so the room doubles each time.
        while result.nr_lost > 0 && self.grow(result)? {
            result = self.walk(id, want)?;
        }
        Ok(self.maps.rows(result.nr_rows))
    }

    fn walk(&mut self, id: HierarchyId, want: Groups) -> Result<Control, CollectError> {
        let attached = &self.attached[id.0];
        let hierarchy = &attached.hierarchy;
        let fresh = want.contains(Groups::FRESH) && attached.flush(want)?;
        self.request(hierarchy, if fresh { want } else { want - Groups::FRESH });
        match &attached.walk {
            Walk::Css => self.run_css(hierarchy)?,
            Walk::Iterator(link) => iterate(link, hierarchy, "walk")?,
        }
        let result = self.maps.control();
        self.lost += u64::from(result.nr_lost);
        Ok(result)
    }

    /// Makes room for twice what the walk met; false when the kernel has no memory for it.
    fn grow(&mut self, met: Control) -> Result<bool, CollectError> {
        let capacity = u64::from(met.nr_rows + met.nr_lost).next_power_of_two() * 2;
        let Some(maps) = u32::try_from(capacity)
            .ok()
            .and_then(|rows| Maps::create(rows).ok())
        else {
            return Ok(false);
        };
        let hierarchies: Vec<Hierarchy> = std::mem::take(&mut self.attached)
            .into_iter()
            .map(|attached| attached.hierarchy)
            .collect();
        self.programs = Programs::default();
        self.maps = maps;
        let versions: Vec<Version> = hierarchies.iter().map(Hierarchy::version).collect();
        self.load(&versions);
        for hierarchy in hierarchies {
            let attached = self.prepare(hierarchy)?;
            self.attached.push(attached);
        }
        Ok(true)
    }

    fn prepare(&mut self, hierarchy: Hierarchy) -> Result<Attached, CollectError> {
        self.load(&[hierarchy.version()]);
        let flush = match hierarchy.version() {
            Version::V1 => None,
            Version::V2 => self
                .attach_iterator(Part::Flush, &hierarchy, CgroupIterOrder::SelfOnly)
                .ok(),
        };
        let (css, reason) = match self.best {
            Tier::Css => {
                let reason = self.why_not_css(&hierarchy);
                (reason.is_none(), reason)
            }
            Tier::Iterator => (false, None),
        };
        let walk = if css {
            Walk::Css
        } else {
            let iterator = Part::WalkIter;
            self.programs.load(&self.host, &self.maps, &[iterator]);
            Walk::Iterator(self.attach_iterator(
                iterator,
                &hierarchy,
                CgroupIterOrder::DescendantsPre,
            )?)
        };
        Ok(Attached {
            hierarchy,
            walk,
            flush,
            reason,
        })
    }

    fn attach_iterator(
        &self,
        part: Part,
        hierarchy: &Hierarchy,
        order: CgroupIterOrder,
    ) -> Result<Link, CollectError> {
        if let Some(missing) = self.programs.missing(part) {
            return Err(CollectError::NoWalk {
                path: hierarchy.path().to_path_buf(),
                cause: missing.cause.clone(),
            });
        }
        let mut options = CgroupIterOpts::from_fd(hierarchy.fd());
        options.order = order;
        self.programs
            .program(part)
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
            .and_then(|program| {
                program
                    .attach_iter_with_opts(IterOpts::Cgroup(options))
                    .map_err(io::Error::other)
            })
            .map_err(walk_error(hierarchy, "attach the iterator"))
    }

    /// Why tier A cannot walk the hierarchy, found out by a walk that reads nothing.
    fn why_not_css(&self, hierarchy: &Hierarchy) -> Option<Missing> {
        let part = css(hierarchy.version());
        if let Some(missing) = self.programs.missing(part) {
            return Some(missing.clone());
        }
        let missing = |cause| {
            Some(Missing {
                what: part.name(),
                cause,
            })
        };
        if hierarchy.version() == Version::V1 && hierarchy.id() != V1_ROOT_ID {
            return missing(Cause::Subtree);
        }
        self.request(hierarchy, Groups::empty());
        match self.run_css(hierarchy) {
            Ok(()) => None,
            Err(CollectError::Gone(_)) => missing(Cause::Namespace),
            Err(error) => missing(Cause::Refused {
                action: "run the walk".into(),
                answer: error.to_string(),
            }),
        }
    }

    fn request(&self, hierarchy: &Hierarchy, want: Groups) {
        self.maps.set_control(Control {
            root_id: hierarchy.id(),
            hier: hierarchy.number(),
            want: want.bits(),
            nr_rows: 0,
            nr_lost: 0,
            ..self.maps.control()
        });
    }

    fn run_css(&self, hierarchy: &Hierarchy) -> Result<(), CollectError> {
        let program = self
            .programs
            .program(css(hierarchy.version()))
            .ok_or_else(|| walk_error(hierarchy, "walk")(io::ErrorKind::NotFound.into()))?;
        let output = program
            .test_run(ProgramInput::default())
            .map_err(|error| walk_error(hierarchy, "walk")(io::Error::other(error)))?;
        match output.return_value {
            0 => Ok(()),
            _ => Err(CollectError::Gone(hierarchy.path().to_path_buf())),
        }
    }
}

impl Attached {
    /// Brings per-CPU counts up to date; false when a wanted part of it couldn't be.
    fn flush(&self, want: Groups) -> Result<bool, CollectError> {
        let mut done = true;
        if want.contains(Groups::CPU_BASE) && self.hierarchy.version() == Version::V2 {
            match &self.flush {
                Some(link) => iterate(link, &self.hierarchy, "flush")?,
                None => done = false,
            }
        }
        if want.contains(Groups::MEMORY_STAT)
            && let Some(file) = self.hierarchy.memory_stat()
        {
            let mut byte = [0];
            done &= file.read_at(&mut byte, 0).is_ok();
        }
        Ok(done)
    }
}

/// The part that walks by tier A.
fn css(version: Version) -> Part {
    match version {
        Version::V1 => Part::WalkCss1,
        Version::V2 => Part::WalkCss,
    }
}

/// Runs an attached iterator once. Its programs write to maps, so there is nothing to read but the end.
fn iterate(link: &Link, hierarchy: &Hierarchy, step: &'static str) -> Result<(), CollectError> {
    // SAFETY: creates a descriptor for a link that is alive.
    let fd = unsafe { libbpf_sys::bpf_iter_create(link.as_fd().as_raw_fd()) };
    if fd < 0 {
        return Err(walk_error(hierarchy, step)(io::Error::from_raw_os_error(
            -fd,
        )));
    }
    // SAFETY: a new descriptor that nobody else owns.
    let iterator = unsafe { OwnedFd::from_raw_fd(fd) };
    let mut buffer = [0u8; 64];
    loop {
        // SAFETY: the buffer is valid for its length.
        let read = unsafe {
            libc::read(
                iterator.as_raw_fd(),
                buffer.as_mut_ptr().cast(),
                buffer.len(),
            )
        };
        match read {
            0 => return Ok(()),
            1.. => {}
            _ => {
                let error = io::Error::last_os_error();
                if !matches!(
                    error.kind(),
                    io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock
                ) {
                    return Err(walk_error(hierarchy, step)(error));
                }
            }
        }
    }
}

fn walk_error(hierarchy: &Hierarchy, step: &'static str) -> impl FnOnce(io::Error) -> CollectError {
    let path = hierarchy.path().to_path_buf();
    move |source| CollectError::Walk { path, step, source }
}
