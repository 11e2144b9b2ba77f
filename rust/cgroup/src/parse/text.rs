//! The forms that kernel files share: one number, `key value` lines.

use super::ParseError;

/// A decimal u64 without sign, as the kernel prints it.
pub(crate) fn decimal(text: &[u8]) -> Option<u64> {
    if text.is_empty() || text.len() > 20 {
        return None;
    }
    text.iter().try_fold(0_u64, |value, &byte| match byte {
        b'0'..=b'9' => value.checked_mul(10)?.checked_add(u64::from(byte - b'0')),
        _ => None,
    })
}

/// A file that holds one number.
pub fn number(field: &'static str, content: &[u8]) -> Result<u64, ParseError> {
    decimal(content.trim_ascii()).ok_or_else(|| ParseError::malformed(field, content, "an integer"))
}

/// A file that holds one number or `max`; `None` is `max`.
pub fn number_or_max(field: &'static str, content: &[u8]) -> Result<Option<u64>, ParseError> {
    match content.trim_ascii() {
        b"max" => Ok(None),
        text => decimal(text)
            .map(Some)
            .ok_or_else(|| ParseError::malformed(field, content, "an integer or max")),
    }
}

/// Non-empty lines.
pub(crate) fn lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    content
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
}

/// Values of the lines `key value` whose key is asked for; other lines are skipped, newer kernels add some.
pub(crate) fn keyed<const N: usize>(
    content: &[u8],
    keys: [&'static str; N],
) -> Result<[Option<u64>; N], ParseError> {
    let mut values = [None; N];
    let mut missing = N;
    for line in lines(content) {
        let Some(space) = line.iter().position(|&byte| byte == b' ') else {
            continue;
        };
        let (key, value) = (&line[..space], &line[space + 1..]);
        let Some(index) = keys.iter().position(|wanted| wanted.as_bytes() == key) else {
            continue;
        };
        if values[index].is_none() {
            missing -= 1;
        }
        values[index] = Some(
            decimal(value)
                .ok_or_else(|| ParseError::malformed(keys[index], value, "an integer"))?,
        );
        if missing == 0 {
            break;
        }
    }
    Ok(values)
}

/// The value of a line that every kernel writes.
pub(crate) fn required(key: &'static str, value: Option<u64>) -> Result<u64, ParseError> {
    value.ok_or(ParseError::Missing { key })
}

/// Microseconds to nanoseconds; a value that does not fit is the kernel's error, not ours to wrap.
pub(crate) fn ns_from_us(field: &'static str, us: u64) -> Result<u64, ParseError> {
    us.checked_mul(1_000).ok_or_else(|| {
        ParseError::malformed(
            field,
            us.to_string().as_bytes(),
            "microseconds below 2^64 ns",
        )
    })
}
