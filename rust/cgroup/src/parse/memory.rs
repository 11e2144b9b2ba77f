//! Memory usage, limits, composition, NUMA placement and OOM kills.

use super::ParseError;
use super::text::{decimal, keyed, lines, number, required};

/// The lines of `memory.stat` that "with / without page cache" is made of, descendants included, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stat {
    pub inactive_anon: u64,
    pub active_anon: u64,
    pub inactive_file: u64,
    pub active_file: u64,
    pub unevictable: u64,
}

fn stat(content: &[u8], keys: [&'static str; 5]) -> Result<Stat, ParseError> {
    let values = keyed(content, keys)?;
    Ok(Stat {
        inactive_anon: required(keys[0], values[0])?,
        active_anon: required(keys[1], values[1])?,
        inactive_file: required(keys[2], values[2])?,
        active_file: required(keys[3], values[3])?,
        unevictable: required(keys[4], values[4])?,
    })
}

/// v2 `memory.stat`.
pub fn stat_v2(content: &[u8]) -> Result<Stat, ParseError> {
    stat(
        content,
        [
            "inactive_anon",
            "active_anon",
            "inactive_file",
            "active_file",
            "unevictable",
        ],
    )
}

/// v1 `memory.stat`; the `total_` lines include descendants.
pub fn stat_v1(content: &[u8]) -> Result<Stat, ParseError> {
    stat(
        content,
        [
            "total_inactive_anon",
            "total_active_anon",
            "total_inactive_file",
            "total_active_file",
            "total_unevictable",
        ],
    )
}

/// v1 `memory.limit_in_bytes`: the page counter's maximum, whatever the page size, is no limit (`None`).
pub fn limit_v1(content: &[u8]) -> Result<Option<u64>, ParseError> {
    // PAGE_COUNTER_MAX is LONG_MAX rounded down to pages, of 64 KiB at most.
    const UNLIMITED: u64 = i64::MAX as u64 & !0xffff;
    let limit = number("memory.limit_in_bytes", content)?;
    Ok((limit < UNLIMITED).then_some(limit))
}

/// `oom_kill` of v2 `memory.events` and v1 `memory.oom_control`; v1 has the line since 4.13.
pub fn oom_kills(content: &[u8]) -> Result<Option<u64>, ParseError> {
    let [kills] = keyed(content, ["oom_kill"])?;
    Ok(kills)
}

/// Memory of one NUMA node, in the unit of the file: pages (v1) or bytes (v2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeAmount {
    pub node: u32,
    pub amount: u64,
}

/// The line of `memory.numa_stat` with this key: `total` (v1), `anon`, `file` (v2), …; node ids may have gaps.
pub fn numa_stat(content: &[u8], key: &'static str) -> Result<Vec<NodeAmount>, ParseError> {
    for line in lines(content) {
        let mut fields = line
            .split(|&byte| byte == b' ')
            .filter(|field| !field.is_empty());
        let Some(first) = fields.next() else { continue };
        // v1 writes the sum behind the key: `total=5487 N0=5487`.
        if first.split(|&byte| byte == b'=').next() == Some(key.as_bytes()) {
            return fields.map(node_amount).collect();
        }
    }
    Err(ParseError::Missing { key })
}

fn node_amount(field: &[u8]) -> Result<NodeAmount, ParseError> {
    let malformed = || ParseError::malformed("memory.numa_stat", field, "N<node>=<amount>");
    let rest = field.strip_prefix(b"N").ok_or_else(malformed)?;
    let equals = rest
        .iter()
        .position(|&byte| byte == b'=')
        .ok_or_else(malformed)?;
    let node = decimal(&rest[..equals])
        .and_then(|node| u32::try_from(node).ok())
        .ok_or_else(malformed)?;
    Ok(NodeAmount {
        node,
        amount: decimal(&rest[equals + 1..]).ok_or_else(malformed)?,
    })
}
