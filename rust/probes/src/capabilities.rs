//! What this kernel and process can do with BPF, piece by piece.

use crate::cause::{Cause, Missing};
use crate::host::Host;
use crate::maps::Maps;
use crate::programs::{FLUSH, Programs, WALK_CSS, WALK_CSS1, WALK_ITER, missing};

/// Whether a piece is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// It loaded.
    Available,
    /// It didn't, and why.
    Missing(Cause),
}

/// One thing that the kernel may offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Stable name.
    pub name: &'static str,
    /// What it is good for.
    pub purpose: &'static str,
    /// Whether it is there.
    pub support: Support,
}

/// The host's facts and every piece.
#[derive(Clone, Debug)]
pub struct Capabilities {
    /// What surrounds this process.
    pub host: Host,
    /// In the order of preference.
    pub pieces: Vec<Piece>,
}

impl Capabilities {
    /// Loads every program once and unloads it again; takes about 0.1 s.
    #[must_use]
    pub fn probe() -> Self {
        let host = Host::probe();
        let absent = match Maps::create(1) {
            Ok(maps) => Programs::load(&host, &maps).missing(),
            Err(failure) => [WALK_CSS, WALK_CSS1, WALK_ITER, FLUSH]
                .into_iter()
                .map(|what| missing(&host, what, &failure))
                .collect(),
        };
        let piece = |name, purpose| Piece {
            name,
            purpose,
            support: support(&absent, name),
        };
        let stats = match host.may_enable_stats() {
            true => Support::Available,
            false => Support::Missing(Cause::Capability(vec!["CAP_SYS_ADMIN"])),
        };
        let pieces = vec![
            piece(WALK_CSS, "reads a v2 tree under RCU (tier A)"),
            piece(WALK_CSS1, "reads a v1 hierarchy under RCU (tier A)"),
            piece(
                WALK_ITER,
                "reads v1 hierarchies and v2 trees by the cgroup iterator (tier B)",
            ),
            piece(FLUSH, "makes v2 CPU usage current before a walk"),
            Piece {
                name: "stats",
                purpose: "measures what the programs cost",
                support: stats,
            },
        ];
        Self { host, pieces }
    }
}

fn support(absent: &[Missing], name: &str) -> Support {
    match absent.iter().find(|missing| missing.what == name) {
        Some(missing) => Support::Missing(missing.cause.clone()),
        None => Support::Available,
    }
}
