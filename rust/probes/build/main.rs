//! Compiles the BPF objects, or takes the prebuilt ones, and generates the Rust side of the record layout.

mod layout;
mod objects;

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let sources = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../bpf");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo:rerun-if-changed={}", sources.display());

    let header = sources.join("koord_row.h");
    let generated = layout::generate(&fs::read_to_string(&header)?)
        .map_err(|error| format!("{}: {error}", header.display()))?;
    fs::write(out.join("layout.rs"), generated)?;
    objects::build(&sources, &out)
}
