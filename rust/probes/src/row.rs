//! The record layout, generated from bpf/koord_row.h.

include!(concat!(env!("OUT_DIR"), "/layout.rs"));

/// What `quota_ns` and `memory_max_bytes` hold when there is no limit.
pub const NO_LIMIT: u64 = u64::MAX;

const _: () = assert!(size_of::<Row>() == 256 && size_of::<Control>() == 48);

impl Row {
    /// Whether the row carries every group in `groups`.
    #[must_use]
    pub fn has(&self, groups: Groups) -> bool {
        Groups::from_bits_retain(self.groups).contains(groups)
    }
}
