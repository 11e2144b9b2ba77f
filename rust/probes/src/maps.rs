//! The maps that every walk shares. They are created here, sized for the host, and lent to each object as it loads,
//! which fails when an object was compiled for another layout.

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;

use crate::cause::Failure;
use crate::object::last_errno;
use crate::row::{Control, Row};

/// A map whose values are mapped into this process.
struct MappedArray<T> {
    map: OwnedFd,
    values: NonNull<T>,
    bytes: usize,
}

// SAFETY: the mapping belongs to the value alone and is valid on any thread.
unsafe impl<T: Send> Send for MappedArray<T> {}

impl<T> MappedArray<T> {
    fn create(name: &CStr, entries: u32) -> Result<Self, Failure> {
        let failure = |errno| Failure {
            action: format!(
                "create the map {} with {entries} entries",
                name.to_string_lossy()
            ),
            errno,
            log: String::new(),
        };
        let options = libbpf_sys::bpf_map_create_opts {
            sz: size_of::<libbpf_sys::bpf_map_create_opts>() as libbpf_sys::size_t,
            map_flags: libbpf_sys::BPF_F_MMAPABLE,
            ..Default::default()
        };
        // SAFETY: the name ends in NUL and the options are complete.
        let fd = unsafe {
            libbpf_sys::bpf_map_create(
                libbpf_sys::BPF_MAP_TYPE_ARRAY,
                name.as_ptr(),
                size_of::<u32>() as u32,
                size_of::<T>() as u32,
                entries,
                &raw const options,
            )
        };
        if fd < 0 {
            return Err(failure(-fd));
        }
        // SAFETY: a new descriptor that nobody else owns.
        let map = unsafe { OwnedFd::from_raw_fd(fd) };
        let bytes = size_of::<T>() * entries as usize;
        // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists.
        let address = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                map.as_fd().as_raw_fd(),
                0,
            )
        };
        match NonNull::new(address.cast::<T>()) {
            Some(values) if address != libc::MAP_FAILED => Ok(Self { map, values, bytes }),
            _ => Err(failure(last_errno())),
        }
    }
}

impl<T> Drop for MappedArray<T> {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `create` with this length, and nobody borrows from it any more.
        unsafe { libc::munmap(self.values.as_ptr().cast(), self.bytes) };
    }
}

pub(crate) struct Maps {
    rows: MappedArray<Row>,
    control: MappedArray<Control>,
    cpu_offsets: MappedArray<u64>,
    capacity: u32,
}

impl Maps {
    /// Maps for up to `capacity` cgroups per walk.
    pub fn create(capacity: u32) -> Result<Self, Failure> {
        // SAFETY: reads a file of /sys.
        let nr_cpus = unsafe { libbpf_sys::libbpf_num_possible_cpus() };
        let nr_cpus = u32::try_from(nr_cpus).map_err(|_| Failure {
            action: "count the possible CPUs".into(),
            errno: -nr_cpus,
            log: String::new(),
        })?;
        let maps = Self {
            rows: MappedArray::create(c"rows", capacity)?,
            control: MappedArray::create(c"control_map", 1)?,
            cpu_offsets: MappedArray::create(c"cpu_offsets", nr_cpus)?,
            capacity,
        };
        // SAFETY: sysconf only answers.
        let page_size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        maps.set_control(Control {
            nr_cpus,
            page_shift: page_size.unsigned_abs().trailing_zeros(),
            ..maps.control()
        });
        Ok(maps)
    }

    /// The map of that name, to be lent to an object.
    pub fn fd(&self, name: &str) -> Option<BorrowedFd<'_>> {
        match name {
            "rows" => Some(self.rows.map.as_fd()),
            "control_map" => Some(self.control.map.as_fd()),
            "cpu_offsets" => Some(self.cpu_offsets.map.as_fd()),
            _ => None,
        }
    }

    pub fn control(&self) -> Control {
        // SAFETY: the map has one entry of this type; any bits are a valid value.
        unsafe { self.control.values.read_volatile() }
    }

    pub fn set_control(&self, control: Control) {
        // SAFETY: as above; no walk runs, since whoever runs one holds the snapshot exclusively.
        unsafe { self.control.values.write_volatile(control) };
    }

    /// The rows of the last walk.
    pub fn rows(&self, count: u32) -> &[Row] {
        let count = count.min(self.capacity) as usize;
        // SAFETY: the map has `capacity` rows, any bits are a valid row, and no walk writes while `self` is borrowed.
        unsafe { std::slice::from_raw_parts(self.rows.values.as_ptr(), count) }
    }
}
