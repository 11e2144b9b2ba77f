//! What is read together: values that share a kernel object, hence a source.

/// Values that come from the same kernel object, hence from one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum FieldGroup {
    CpuUsage,
    Throttling,
    Psi,
    Memory,
    MemoryStat,
    Tasks,
    Oom,
}

impl FieldGroup {
    pub const ALL: [Self; 7] = [
        Self::CpuUsage,
        Self::Throttling,
        Self::Psi,
        Self::Memory,
        Self::MemoryStat,
        Self::Tasks,
        Self::Oom,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CpuUsage => "cpu_usage",
            Self::Throttling => "throttling",
            Self::Psi => "psi",
            Self::Memory => "memory",
            Self::MemoryStat => "memory_stat",
            Self::Tasks => "tasks",
            Self::Oom => "oom",
        }
    }
}

/// A set of field groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Groups(u8);

impl Groups {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(0x7f);

    #[must_use]
    pub const fn only(group: FieldGroup) -> Self {
        Self(1 << group as u8)
    }

    #[must_use]
    pub fn with(self, group: FieldGroup) -> Self {
        Self(self.0 | 1 << group as u8)
    }

    #[must_use]
    pub fn has(self, group: FieldGroup) -> bool {
        self.0 >> (group as u8) & 1 == 1
    }

    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = FieldGroup> {
        FieldGroup::ALL
            .into_iter()
            .filter(move |&group| self.has(group))
    }
}

impl FromIterator<FieldGroup> for Groups {
    fn from_iter<I: IntoIterator<Item = FieldGroup>>(groups: I) -> Self {
        groups.into_iter().fold(Self::NONE, Self::with)
    }
}
