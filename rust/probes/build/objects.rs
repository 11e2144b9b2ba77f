//! The BPF objects: compiled when a clang is found, else the prebuilt ones.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const OBJECTS: [&str; 2] = ["snapshot", "snapshot_iter"];

pub fn build(sources: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=KOORD_CLANG");
    let arch = env::var("CARGO_CFG_TARGET_ARCH")?;
    let clang = find_tool("KOORD_CLANG", "clang");
    for name in OBJECTS {
        let object = out.join(format!("{name}.bpf.o"));
        match &clang {
            Some(clang) => {
                compile(clang, &arch, sources, name, &object)?;
            }
            None => {
                let prebuilt = sources.join(format!("prebuilt/{name}.{arch}.bpf.o"));
                fs::copy(&prebuilt, &object).map_err(|error| {
                    format!(
                        "no clang found (KOORD_CLANG, clang, clang-21 to clang-14) and {}: {error}",
                        prebuilt.display()
                    )
                })?;
            }
        }
    }
    Ok(())
}

fn compile(
    clang: &OsString,
    arch: &str,
    sources: &Path,
    name: &str,
    object: &Path,
) -> Result<(), Box<dyn Error>> {
    let target = match arch {
        "x86_64" => "x86",
        "aarch64" => "arm64",
        other => return Err(format!("no BPF target is known for the architecture {other}").into()),
    };
    let headers = env::var("DEP_BPF_INCLUDE")
        .map_err(|_| "libbpf-sys did not say where its headers are (DEP_BPF_INCLUDE)")?;
    let status = Command::new(clang)
        .args([
            "-g",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-unused-parameter",
        ])
        .args(["-target", "bpf", "-mcpu=v3"])
        .arg(format!("-D__TARGET_ARCH_{target}"))
        .arg("-isystem")
        .arg(headers)
        // No path of the machine that built it.
        .arg("-ffile-compilation-dir=bpf")
        .current_dir(sources)
        .arg("-c")
        .arg(format!("{name}.bpf.c"))
        .arg("-o")
        .arg(object)
        .status()?;
    if !status.success() {
        return Err(format!("{name}.bpf.c does not compile").into());
    }
    // Drops DWARF and keeps BTF: half the size.
    if let Some(strip) = find_tool("KOORD_LLVM_STRIP", "llvm-strip") {
        Command::new(strip).arg("-g").arg(object).status()?;
    }
    Ok(())
}

/// The tool that the variable names, else the first of NAME, NAME-21 ... NAME-14 that runs. An empty variable counts
/// as unset.
fn find_tool(variable: &str, name: &str) -> Option<OsString> {
    if let Some(chosen) = env::var_os(variable).filter(|value| !value.is_empty()) {
        return Some(chosen);
    }
    let versioned = (14..=21).rev().map(|version| format!("{name}-{version}"));
    std::iter::once(name.to_string())
        .chain(versioned)
        .map(OsString::from)
        .find(|tool| {
            Command::new(tool)
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
        })
}
