//! Who supplies each group of fields in each hierarchy.

use koord_cgroup::FieldGroup;

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

/// Sources in use, by the code that rows carry: 1 for the first.
#[derive(Debug, Default)]
pub struct Registry {
    entries: Vec<(FieldGroup, usize, Means)>,
}

impl Registry {
    /// The code of a source; new sources get the next one.
    pub fn code(&mut self, group: FieldGroup, hierarchy: usize, means: Means) -> u8 {
        let entry = (group, hierarchy, means);
        let position = self
            .entries
            .iter()
            .position(|&known| known == entry)
            .unwrap_or_else(|| {
                self.entries.push(entry);
                self.entries.len() - 1
            });
        // 7 groups, 8 hierarchies, 2 means of each at most: always below 255.
        u8::try_from(position + 1).unwrap_or(0)
    }

    /// Group, hierarchy and means of every source, by code.
    #[must_use]
    pub fn entries(&self) -> &[(FieldGroup, usize, Means)] {
        &self.entries
    }
}
