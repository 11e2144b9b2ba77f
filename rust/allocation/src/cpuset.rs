//! A set of logical CPU ids, and its Linux list text such as `0-3,8`.

use std::fmt;

/// Ids at or beyond this are refused, so that a hostile text cannot take gigabytes.
const MAX_CPUS: u32 = 1 << 16;

/// A text that is no CPU list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "CPU list {text:?}: {part:?} is neither a CPU id below {MAX_CPUS} nor an ascending range of them"
)]
pub struct ParseCpuSetError {
    text: String,
    part: String,
}

/// A set of CPU ids.
#[derive(Clone, Default)]
pub struct CpuSet {
    words: Vec<u64>,
}

impl CpuSet {
    /// Reads the Linux list form; white space around parts and empty parts are allowed, as in the kernel's own files.
    pub fn parse(text: &str) -> Result<Self, ParseCpuSetError> {
        let mut set = Self::default();
        for part in text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let id = |id: &str| id.trim().parse().ok().filter(|&id: &u32| id < MAX_CPUS);
            match (id(first), id(last)) {
                (Some(first), Some(last)) if first <= last => {
                    (first..=last).for_each(|cpu| set.insert(cpu))
                }
                _ => {
                    return Err(ParseCpuSetError {
                        text: text.to_owned(),
                        part: part.to_owned(),
                    });
                }
            }
        }
        Ok(set)
    }

    pub fn insert(&mut self, cpu: u32) {
        let word = cpu as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (cpu % 64);
    }

    pub fn contains(&self, cpu: u32) -> bool {
        let word = self.words.get(cpu as usize / 64);
        word.is_some_and(|word| word & (1 << (cpu % 64)) != 0)
    }

    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Ids in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    index as u32 * 64 + bit
                })
            })
        })
    }

    pub fn union(&self, other: &Self) -> Self {
        let (long, short) = if self.words.len() >= other.words.len() {
            (self, other)
        } else {
            (other, self)
        };
        let mut words = long.words.clone();
        for (word, &more) in words.iter_mut().zip(&short.words) {
            *word |= more;
        }
        Self { words }
    }

    pub fn intersection(&self, other: &Self) -> Self {
        let pairs = self.words.iter().zip(&other.words);
        Self {
            words: pairs.map(|(one, two)| one & two).collect(),
        }
    }

    pub fn difference(&self, other: &Self) -> Self {
        let mut words = self.words.clone();
        for (word, &less) in words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
        Self { words }
    }
}

impl FromIterator<u32> for CpuSet {
    fn from_iter<T: IntoIterator<Item = u32>>(cpus: T) -> Self {
        let mut set = Self::default();
        cpus.into_iter().for_each(|cpu| set.insert(cpu));
        set
    }
}

/// Equal when they hold the same ids, however much room each has.
impl PartialEq for CpuSet {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for CpuSet {}

/// The canonical list text: ascending, runs joined.
impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cpus = self.iter().peekable();
        let mut separator = "";
        while let Some(first) = cpus.next() {
            let mut last = first;
            while let Some(next) = cpus.next_if_eq(&(last + 1)) {
                last = next;
            }
            match last - first {
                0 => write!(f, "{separator}{first}")?,
                _ => write!(f, "{separator}{first}-{last}")?,
            }
            separator = ",";
        }
        Ok(())
    }
}

impl fmt::Debug for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CpuSet({self})")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_read_as_the_kernel_writes_them() {
        let text = |text: &str| CpuSet::parse(text).map(|set| set.to_string());
        assert_eq!(text("").unwrap(), "");
        assert_eq!(text("3,1-2,0").unwrap(), "0-3");
        assert_eq!(text("0-1,64,127-128\n").unwrap(), "0-1,64,127-128");
        for wrong in ["a", "3-1", "1-", "-1", "1-2-3", "65536", "0-4294967295"] {
            let error = text(wrong).unwrap_err().to_string();
            assert!(error.contains(wrong), "{error}");
        }
    }

    proptest! {
        #[test]
        fn a_set_is_a_set(a: BTreeSet<u16>, b: BTreeSet<u16>) {
            let of = |ids: &BTreeSet<u16>| ids.iter().map(|&id| u32::from(id)).collect::<CpuSet>();
            let back = |set: CpuSet| set.iter().map(|id| id as u16).collect::<BTreeSet<_>>();
            prop_assert_eq!(of(&a).len(), a.len());
            prop_assert_eq!(back(of(&a).union(&of(&b))), &a | &b);
            prop_assert_eq!(back(of(&a).intersection(&of(&b))), &a & &b);
            prop_assert_eq!(back(of(&a).difference(&of(&b))), &a - &b);
            prop_assert_eq!(CpuSet::parse(&of(&a).to_string()).unwrap(), of(&a));
        }

        #[test]
        fn any_text_gives_a_set_or_an_error(text in ".*") {
            let _ = CpuSet::parse(&text);
        }
    }
}
