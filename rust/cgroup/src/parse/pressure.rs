//! Pressure stall information.

use super::ParseError;
use super::text::{decimal, lines, ns_from_us};

/// Totals of one pressure file. `full` of `cpu.pressure` exists since 5.13.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pressure {
    pub some_ns: u64,
    pub full_ns: Option<u64>,
}

/// `cpu.pressure`, `memory.pressure`, `io.pressure`.
pub fn pressure(content: &[u8]) -> Result<Pressure, ParseError> {
    let (mut some, mut full) = (None, None);
    for line in lines(content) {
        if line.starts_with(b"some ") {
            some = Some(total(line)?);
        } else if line.starts_with(b"full ") {
            full = Some(total(line)?);
        }
    }
    Ok(Pressure {
        some_ns: some.ok_or(ParseError::Missing { key: "some" })?,
        full_ns: full,
    })
}

fn total(line: &[u8]) -> Result<u64, ParseError> {
    let us = line
        .split(|&byte| byte == b' ')
        .find_map(|field| field.strip_prefix(b"total="))
        .and_then(decimal)
        .ok_or_else(|| ParseError::malformed("pressure", line, "total=<integer>"))?;
    ns_from_us("total", us)
}
