//! What each kernel file says. Pure: any bytes give a value or an error that names the field.

pub mod cpu;
pub mod cpuset;
pub mod memory;
pub mod pressure;
mod text;

pub use text::{number, number_or_max};

/// A file's content is not what the kernel writes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// A line that every kernel writes is missing.
    #[error("no line {key:?}")]
    Missing { key: &'static str },
    /// A value has the wrong form or does not fit.
    #[error("{field}: found {found:?}, expected {expected}")]
    Malformed {
        field: &'static str,
        found: String,
        expected: &'static str,
    },
}

impl ParseError {
    pub(crate) fn malformed(field: &'static str, found: &[u8], expected: &'static str) -> Self {
        // Enough to recognize it; a message never carries a whole file.
        let shown = &found[..found.len().min(40)];
        Self::Malformed {
            field,
            found: String::from_utf8_lossy(shown).into_owned(),
            expected,
        }
    }
}
