//! Every program of ours, loaded when it is needed.

use libbpf_rs::{Object, ProgramMut};

use crate::cause::{Missing, diagnose};
use crate::host::Host;
use crate::maps::Maps;
use crate::object::{SNAPSHOT, SNAPSHOT_ITER, Source, load};

/// A v2 tree is walked by `WalkCss` or `WalkIter`, a v1 hierarchy by `WalkCss1` or `WalkIter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    WalkCss,
    WalkCss1,
    Flush,
    WalkIter,
}

impl Part {
    pub const ALL: [Self; 4] = [Self::WalkCss, Self::WalkCss1, Self::Flush, Self::WalkIter];

    /// Stable name of the piece.
    pub fn name(self) -> &'static str {
        match self {
            Self::WalkCss => "walk_css",
            Self::WalkCss1 => "walk_css1",
            Self::Flush => "flush",
            Self::WalkIter => "walk_iter",
        }
    }

    fn program(self) -> &'static str {
        match self {
            Self::WalkCss => "koord_walk_css",
            Self::WalkCss1 => "koord_walk_css1",
            Self::Flush => "koord_flush",
            Self::WalkIter => "koord_walk_iter",
        }
    }

    /// Tier B, the last resort, shares nothing with the others.
    fn source(self) -> Source {
        match self {
            Self::WalkCss | Self::WalkCss1 | Self::Flush => SNAPSHOT,
            Self::WalkIter => SNAPSHOT_ITER,
        }
    }
}

/// What was tried, and what the kernel took of it.
#[derive(Default)]
pub(crate) struct Programs {
    objects: Vec<Object>,
    /// By part: the object that holds it.
    tried: [Option<Result<usize, Missing>>; Part::ALL.len()],
}

impl Programs {
    /// Tries each part that wasn't yet. Those that come together in an object are loaded together, which costs little
    /// more than one; where the kernel refuses that, each is loaded by itself, so that none takes another down.
    pub fn load(&mut self, host: &Host, maps: &Maps, parts: &[Part]) {
        let untried = |part: &Part| self.tried[*part as usize].is_none();
        let (iterators, others): (Vec<Part>, Vec<Part>) = parts
            .iter()
            .copied()
            .filter(untried)
            .partition(|&part| part == Part::WalkIter);
        for together in [others, iterators] {
            if together.len() > 1 && self.attempt(host, maps, &together).is_ok() {
                continue;
            }
            for part in together {
                if self.tried[part as usize].is_none()
                    && let Err(missing) = self.attempt(host, maps, &[part])
                {
                    self.tried[part as usize] = Some(Err(missing));
                }
            }
        }
    }

    fn attempt(&mut self, host: &Host, maps: &Maps, parts: &[Part]) -> Result<(), Missing> {
        let Some(first) = parts.first() else {
            return Ok(());
        };
        let names: Vec<&str> = parts.iter().map(|part| part.program()).collect();
        let object = load(first.source(), &names, maps).map_err(|failure| Missing {
            what: first.name(),
            cause: diagnose(host, &failure),
        })?;
        for part in parts {
            self.tried[*part as usize] = Some(Ok(self.objects.len()));
        }
        self.objects.push(object);
        Ok(())
    }

    /// Why the part is missing; None when it was loaded or never tried.
    pub fn missing(&self, part: Part) -> Option<&Missing> {
        self.tried[part as usize].as_ref()?.as_ref().err()
    }

    /// The part's program, if it was loaded.
    pub fn program(&self, part: Part) -> Option<ProgramMut<'_>> {
        let index = *self.tried[part as usize].as_ref()?.as_ref().ok()?;
        self.objects[index]
            .progs_mut()
            .find(|program| program.name() == part.program())
    }
}
