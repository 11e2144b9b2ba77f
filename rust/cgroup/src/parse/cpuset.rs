//! The kernel's list format of CPUs and NUMA nodes: `0-3,8,10-11`.

use super::ParseError;
use super::text::decimal;

/// More than any kernel is built for (NR_CPUS is 8192); bounds what a broken list can allocate.
const HIGHEST: u64 = 65_535;

/// Members in ascending order, each once; an empty list is an empty set.
pub fn list(content: &[u8]) -> Result<Vec<u32>, ParseError> {
    let mut members = Vec::new();
    for part in content
        .trim_ascii()
        .split(|&byte| byte == b',')
        .filter(|part| !part.is_empty())
    {
        let malformed = || ParseError::malformed("list", part, "N or FIRST-LAST up to 65535");
        let (first, last) = match part.iter().position(|&byte| byte == b'-') {
            Some(dash) => (decimal(&part[..dash]), decimal(&part[dash + 1..])),
            None => (decimal(part), decimal(part)),
        };
        let (first, last) = first.zip(last).ok_or_else(malformed)?;
        if first > last || last > HIGHEST {
            return Err(malformed());
        }
        members.extend(first as u32..=last as u32);
    }
    members.sort_unstable();
    members.dedup();
    Ok(members)
}
