//! Who supplies each group of fields in each hierarchy.

use koord_cgroup::{Controller, FieldGroup};

use crate::bpf;
use crate::hierarchy::HierarchyReader;
use crate::rows::MAX_HIERARCHIES;

/// What reads a group of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Means {
    /// A BPF program called once per pass, which walks under RCU (6.7 and later).
    BpfCss,
    /// A BPF iterator over the cgroups (6.1 and later).
    BpfIter,
    Files,
    /// The schedstat files of a cgroup's threads.
    Threads,
}

impl Means {
    /// Name of the tier.
    #[must_use]
    pub fn tier(self) -> &'static str {
        match self {
            Self::BpfCss => "bpf-css",
            Self::BpfIter => "bpf-iter",
            Self::Files | Self::Threads => "files",
        }
    }
}

/// One entry of [`Reader::sources`](crate::Reader::sources).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignalSource {
    pub group: FieldGroup,
    /// Mount point; empty when no hierarchy can supply the group.
    pub hierarchy: String,
    /// `none` when nothing supplies it.
    pub tier: &'static str,
    /// The kernel object or file; empty when there is none.
    pub source: String,
    /// Why no better tier is in use, or why nothing supplies it; else empty.
    pub reason: String,
}

/// Group, number of the hierarchy, and means of a source.
pub type Entry = (FieldGroup, usize, Means);

/// Sources in use, by the code that rows carry: 1 for the first.
#[derive(Debug, Default)]
pub struct Registry {
    entries: Vec<Entry>,
    /// By hierarchy, group and means; 0 for none.
    codes: [[[u8; 4]; 7]; MAX_HIERARCHIES],
}

impl Registry {
    /// The code of a source; a new one gets the next.
    pub fn code(&mut self, group: FieldGroup, hierarchy: usize, means: Means) -> u8 {
        let known = &mut self.codes[hierarchy][group as usize][means as usize];
        if *known == 0 {
            self.entries.push((group, hierarchy, means));
            // 8 hierarchies, 7 groups and 4 means make 224 at most.
            *known = u8::try_from(self.entries.len()).unwrap_or(0);
        }
        *known
    }

    /// The source behind a code; `None` for 0.
    #[must_use]
    pub fn entry(&self, code: u8) -> Option<Entry> {
        usize::from(code)
            .checked_sub(1)
            .map(|index| self.entries[index])
    }

    /// Number of sources in use.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Every source in words, in the order of their codes; behind them the groups that nothing supplies.
    #[must_use]
    pub fn describe(&self, hierarchies: &[HierarchyReader]) -> Vec<SignalSource> {
        let in_use = self
            .entries
            .iter()
            .map(|&(group, hierarchy, means)| describe(group, &hierarchies[hierarchy], means));
        let served = |group| self.entries.iter().any(|entry| entry.0 == group);
        let unserved = FieldGroup::ALL.into_iter().filter(|&group| !served(group));
        in_use
            .chain(unserved.map(|group| describe_unserved(group, hierarchies)))
            .collect()
    }
}

fn describe(group: FieldGroup, reader: &HierarchyReader, means: Means) -> SignalSource {
    let why = reader.reason.as_str();
    let (source, reason) = match means {
        Means::Files => {
            let walked = reader
                .walk
                .map(|_| "the BPF walk has no such value for these cgroups".to_owned());
            let problem = reader.files.problem(group);
            (
                reader.files.names(group),
                problem.or(walked).unwrap_or_else(|| why.to_owned()),
            )
        }
        Means::Threads => (
            "/proc/TID/schedstat".to_owned(),
            format!("in no cpuacct or v2 hierarchy, counted since first seen; {why}"),
        ),
        Means::BpfCss | Means::BpfIter => {
            let accounted = reader.hierarchy.has(Controller::Cpuacct);
            let object = bpf::object(group, reader.hierarchy.version, accounted);
            (object.to_owned(), why.to_owned())
        }
    };
    SignalSource {
        group,
        hierarchy: reader.mount_point(),
        tier: means.tier(),
        source,
        reason,
    }
}

fn describe_unserved(group: FieldGroup, hierarchies: &[HierarchyReader]) -> SignalSource {
    let reader = hierarchies.iter().find(|reader| reader.possible.has(group));
    let reason = match reader {
        Some(reader) => reader
            .files
            .problem(group)
            .unwrap_or_else(|| "no cgroup has it so far".to_owned()),
        None => needed(group).to_owned(),
    };
    SignalSource {
        group,
        hierarchy: reader.map(HierarchyReader::mount_point).unwrap_or_default(),
        tier: "none",
        source: String::new(),
        reason,
    }
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
