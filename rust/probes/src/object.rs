//! Loads programs of one embedded BPF object.

use std::io;

use libbpf_rs::{AsRawLibbpf, Object, ObjectBuilder, OpenObject};

use crate::cause::Failure;
use crate::log::captured;
use crate::maps::Maps;

/// An object of ours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    name: &'static str,
    bytes: &'static [u8],
}

macro_rules! source {
    ($name:literal) => {
        Source {
            name: $name,
            bytes: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".bpf.o")),
        }
    };
}

pub(crate) const SNAPSHOT: Source = source!("snapshot");
pub(crate) const SNAPSHOT_ITER: Source = source!("snapshot_iter");

/// Loads the named programs of the object, all or none, with the shared maps in place of its own.
pub(crate) fn load(source: Source, programs: &[&str], maps: &Maps) -> Result<Object, Failure> {
    let (result, log) = captured(|| {
        let open = open(source, programs, maps).map_err(|_| last_errno())?;
        // SAFETY: the pointer is that of an open, not yet loaded object.
        let status = unsafe { libbpf_sys::bpf_object__load(open.as_libbpf_object().as_ptr()) };
        if status < 0 {
            return Err(-status);
        }
        // SAFETY: the object is loaded, and its pointer is handed over.
        Ok(unsafe { Object::from_ptr(open.take_ptr()) })
    });
    result.map_err(|errno| Failure {
        action: format!("load {} of {}", programs.join(", "), source.name),
        errno,
        log,
    })
}

fn open(source: Source, programs: &[&str], maps: &Maps) -> libbpf_rs::Result<OpenObject> {
    // Named, else the maps of its global variables get the hash of its bytes for a name.
    let mut open = ObjectBuilder::default()
        .name(source.name)?
        .open_memory(source.bytes)?;
    for mut map in open.maps_mut() {
        let name = map.name().to_string_lossy().into_owned();
        if let Some(fd) = maps.fd(&name) {
            map.reuse_fd(fd)?;
        }
    }
    for mut program in open.progs_mut() {
        let wanted = programs.iter().any(|name| program.name() == *name);
        program.set_autoload(wanted);
    }
    Ok(open)
}

/// The errno that libbpf left behind.
pub(crate) fn last_errno() -> i32 {
    io::Error::last_os_error()
        .raw_os_error()
        .unwrap_or(libc::EIO)
}
