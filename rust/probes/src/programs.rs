//! Every program of ours, each loaded by itself.

use libbpf_rs::{Object, ProgramMut};

use crate::cause::{Cause, Failure, Missing, diagnose};
use crate::host::Host;
use crate::maps::Maps;
use crate::object::{
    FLUSH_CGROUP, FLUSH_CSS, SNAPSHOT_CSS, SNAPSHOT_CSS1, SNAPSHOT_ITER, Source, load,
};

pub(crate) const WALK_CSS: &str = "walk_css";
pub(crate) const WALK_CSS1: &str = "walk_css1";
pub(crate) const WALK_ITER: &str = "walk_iter";
pub(crate) const FLUSH: &str = "flush";

/// A loaded object and its one program.
pub(crate) struct Loaded(Object);

impl Loaded {
    /// The object's program.
    pub fn program(&self) -> Option<ProgramMut<'_>> {
        self.0.progs_mut().next()
    }
}

/// What the kernel took. A v2 tree is walked by `walk_css` or `walk_iter`, a v1 hierarchy by `walk_css1` or `walk_iter`.
pub(crate) struct Programs {
    pub walk_css: Result<Loaded, Missing>,
    pub walk_css1: Result<Loaded, Missing>,
    pub walk_iter: Result<Loaded, Missing>,
    pub flush: Result<Loaded, Missing>,
}

impl Programs {
    /// Tries each program once.
    pub fn load(host: &Host, maps: &Maps) -> Self {
        let attempt = |what, source: Source| {
            load(source, maps)
                .map(Loaded)
                .map_err(|failure| missing(host, what, &failure))
        };
        Self {
            walk_css: attempt(WALK_CSS, SNAPSHOT_CSS),
            walk_css1: attempt(WALK_CSS1, SNAPSHOT_CSS1),
            walk_iter: attempt(WALK_ITER, SNAPSHOT_ITER),
            flush: attempt(FLUSH, FLUSH_CSS).or_else(|newer| {
                attempt(FLUSH, FLUSH_CGROUP).map_err(|older| either(newer, older))
            }),
        }
    }

    /// The missing ones.
    pub fn missing(&self) -> Vec<Missing> {
        self.all()
            .filter_map(|program| program.as_ref().err().cloned())
            .collect()
    }

    /// Whether there is one that walks.
    pub fn can_walk(&self) -> bool {
        [&self.walk_css, &self.walk_css1, &self.walk_iter]
            .into_iter()
            .any(Result::is_ok)
    }

    fn all(&self) -> impl Iterator<Item = &Result<Loaded, Missing>> {
        [
            &self.walk_css,
            &self.walk_css1,
            &self.walk_iter,
            &self.flush,
        ]
        .into_iter()
    }
}

/// Why `what` isn't available.
pub(crate) fn missing(host: &Host, what: &'static str, failure: &Failure) -> Missing {
    Missing {
        what,
        cause: diagnose(host, failure),
    }
}

/// Two programs for one purpose failed: what one of them found wrong beyond a missing function, else both functions.
fn either(newer: Missing, older: Missing) -> Missing {
    match (newer.cause, older.cause) {
        (Cause::Kfunc(mut names), Cause::Kfunc(more)) => {
            names.extend(more);
            Missing {
                what: newer.what,
                cause: Cause::Kfunc(names),
            }
        }
        (Cause::Kfunc(_), cause) | (cause, _) => Missing {
            what: newer.what,
            cause,
        },
    }
}
