//! Rust's view of bpf/koord_row.h. The header keeps to a small grammar (one member or enumerator per line, u32, u64
//! and arrays of them), and a line outside of it is an error, so nothing can be shared that isn't generated.

use std::fmt::Write;

/// Turns the header into Rust source: `bitflags` for `enum koord_group`, `#[repr(C)]` structs for the rest.
pub fn generate(header: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut block = Block::Outside;
    for (number, line) in header.lines().enumerate() {
        let line = line.trim();
        let (code, comment) = split_comment(line);
        let parsed = match (&block, code) {
            (Block::Outside, _) => open_block(code, &mut out).map(|opened| block = opened),
            (Block::Enum, "};") => {
                out.push_str("    }\n}\n");
                block = Block::Outside;
                Some(())
            }
            (Block::Struct, "};") => {
                out.push_str("}\n");
                block = Block::Outside;
                Some(())
            }
            (Block::Enum, _) => enumerator(code, comment, &mut out),
            (Block::Struct, _) => member(code, comment, &mut out),
        };
        if parsed.is_none() {
            return Err(format!("line {}: not understood: {line}", number + 1));
        }
    }
    Ok(out)
}

enum Block {
    Outside,
    Enum,
    Struct,
}

fn split_comment(line: &str) -> (&str, &str) {
    match line.split_once("/*") {
        Some((code, comment)) => (code.trim(), comment.trim_end_matches("*/").trim()),
        None => (line, ""),
    }
}

fn open_block(code: &str, out: &mut String) -> Option<Block> {
    if code == "enum koord_group {" {
        out.push_str(concat!(
            "bitflags::bitflags! {\n    /// Groups of values that a walk reads and a row carries.\n",
            "    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n    pub struct Groups: u32 {\n"
        ));
        return Some(Block::Enum);
    }
    if let Some(name) = code
        .strip_prefix("struct koord_")
        .and_then(|rest| rest.strip_suffix(" {"))
    {
        let (camel, what) = match name {
            "row" => ("Row", "One cgroup, as the programs of bpf/ write it."),
            "control" => ("Control", "What user space and a walk tell each other."),
            _ => return None,
        };
        let _ = write!(
            out,
            "/// {what}\n#[repr(C)]\n#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]\npub struct {camel} {{\n"
        );
        return Some(Block::Struct);
    }
    // Preprocessor lines, comments and assertions concern C alone.
    let ignored = code.is_empty()
        || ["#", "*", "_Static_assert"]
            .iter()
            .any(|start| code.starts_with(start));
    ignored.then_some(Block::Outside)
}

fn enumerator(code: &str, comment: &str, out: &mut String) -> Option<()> {
    let (name, value) = code.strip_suffix(',')?.split_once(" = ")?;
    let name = name.strip_prefix("KOORD_")?;
    let (one, shift) = value.split_once(" << ")?;
    let shift: u32 = shift.parse().ok()?;
    (one == "1").then(|| {
        let _ = write!(
            out,
            "        /// {comment}\n        const {name} = 1 << {shift};\n"
        );
    })
}

fn member(code: &str, comment: &str, out: &mut String) -> Option<()> {
    let (kind, name) = code.strip_suffix(';')?.split_once(' ')?;
    if !matches!(kind, "u32" | "u64") {
        return None;
    }
    let (name, rust_type) = match name.split_once('[') {
        Some((name, length)) => {
            let length: usize = length.strip_suffix(']')?.parse().ok()?;
            (name, format!("[{kind}; {length}]"))
        }
        None => (name, kind.to_string()),
    };
    let _ = write!(out, "    /// {comment}\n    pub {name}: {rust_type},\n");
    Some(())
}
