//! The values of a cgroup from its files.

use std::io;
use std::path::Path;

use crate::Error;
use crate::descriptors::{BUFFER_BYTES, Content, Descriptors, bound};
use crate::field_group::{FieldGroup, Groups};
use crate::file_tables::{self, Parser};
use crate::mounts::Hierarchy;
use crate::tree::Tree;
use crate::values::Values;

/// Processes directly in a cgroup, on both versions; its handle comes after those of the values.
const PROCESSES: &str = "cgroup.procs";

/// One kernel file: its name, the groups it may supply, and how its content fills them.
struct File {
    name: &'static str,
    groups: Groups,
    parse: Parser,
    /// Why it could not be read, the last time that it was not there.
    absent: Option<io::Error>,
    /// The last error of another kind.
    failure: Option<Error>,
    /// Some cgroup had it.
    seen: bool,
}

/// The files of one hierarchy's cgroups.
pub struct Files {
    files: Vec<File>,
    descriptors: Descriptors,
    bound: usize,
    buffer: Vec<u8>,
}

impl Files {
    /// The files that this hierarchy can have; at most `bound` descriptors are kept, see [`descriptors::bound`].
    ///
    /// [`descriptors::bound`]: crate::descriptors::bound
    #[must_use]
    pub fn new(hierarchy: &Hierarchy, bound: usize) -> Self {
        let files: Vec<File> = file_tables::of(hierarchy)
            .into_iter()
            .map(|(name, groups, parse)| File {
                name,
                groups,
                parse,
                absent: None,
                failure: None,
                seen: false,
            })
            .collect();
        Self {
            descriptors: Descriptors::new(files.len() + 1),
            files,
            bound,
            buffer: vec![0; BUFFER_BYTES],
        }
    }

    /// Bound for one of `hierarchies` that are read together.
    #[must_use]
    pub fn share_of_bound(hierarchies: usize) -> usize {
        bound() / hierarchies.max(1)
    }

    /// Groups that some file of this hierarchy may supply.
    #[must_use]
    pub fn possible(&self) -> Groups {
        self.files
            .iter()
            .fold(Groups::NONE, |groups, file| groups.or(file.groups))
    }

    /// Number of descriptors held.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.descriptors.kept()
    }

    /// Reads the wanted groups of one cgroup into `values` and says which of them it has.
    ///
    /// A file that the cgroup or the kernel does not have, or that cannot be understood, leaves its values alone; [`Files::problem`]
    /// tells. The only error is one that [`Error::is_vanished`]: the cgroup was removed.
    pub fn read(
        &mut self,
        tree: &Tree,
        id: u64,
        wanted: Groups,
        values: &mut Values,
    ) -> Result<Groups, Error> {
        let Some(directory) = tree.path(id) else {
            return Ok(Groups::NONE);
        };
        let mut supplied = Groups::NONE;
        for index in 0..self.files.len() {
            if self.files[index].groups.and(wanted).is_empty() {
                continue;
            }
            match self.read_file(tree, id, directory, index, wanted, values) {
                Ok(groups) => supplied = supplied.or(groups),
                Err(error) if error.is_vanished() => return Err(error),
                Err(error) => self.files[index].failure = Some(error),
            }
        }
        Ok(supplied)
    }

    /// Whether the cgroup has a process of its own, descendants aside; `None` where the kernel does not say (threaded v2 cgroups).
    pub fn has_processes(&mut self, tree: &Tree, id: u64) -> Result<Option<bool>, Error> {
        let Some(directory) = tree.path(id) else {
            return Ok(None);
        };
        let Self {
            files,
            descriptors,
            bound,
            buffer,
        } = self;
        let keep = descriptors.kept() < *bound;
        match descriptors.read(
            tree.root_fd(),
            id,
            directory,
            (files.len(), PROCESSES),
            keep,
            buffer,
        ) {
            Ok(Content::Bytes(length)) => Ok(Some(length > 0)),
            Ok(Content::Absent(_)) => Ok(None),
            Err(error) => Err(Error::io(tree.absolute(directory).join(PROCESSES), error)),
        }
    }

    fn read_file(
        &mut self,
        tree: &Tree,
        id: u64,
        directory: &Path,
        index: usize,
        wanted: Groups,
        values: &mut Values,
    ) -> Result<Groups, Error> {
        let Self {
            files,
            descriptors,
            bound,
            buffer,
        } = self;
        let file = &mut files[index];
        let path = || tree.absolute(directory).join(file.name);
        let keep = descriptors.kept() < *bound;
        let content = match descriptors.read(
            tree.root_fd(),
            id,
            directory,
            (index, file.name),
            keep,
            buffer,
        ) {
            Ok(content) => content,
            Err(error) if descriptors_exhausted(&error) && descriptors.kept() > 0 => {
                // The process uses more than we left it: give half back, and open for each read from here on.
                *bound = descriptors.kept() / 2;
                descriptors.clear();
                return self.read_file(tree, id, directory, index, wanted, values);
            }
            Err(error) => return Err(Error::io(path(), error)),
        };
        match content {
            Content::Bytes(length) => {
                let supplied =
                    (file.parse)(&buffer[..length], wanted, values).map_err(|source| {
                        Error::Parse {
                            path: path(),
                            source,
                        }
                    })?;
                file.seen = true;
                Ok(supplied)
            }
            Content::Absent(cause) => {
                if cause.is_some() {
                    file.absent = cause;
                }
                Ok(Groups::NONE)
            }
        }
    }

    /// Closes what is held for a removed cgroup.
    pub fn forget(&mut self, id: u64) {
        self.descriptors.forget(id);
    }

    /// Looks again for files that were not there.
    pub fn retry_absent(&mut self) {
        self.descriptors.retry_absent();
    }

    /// Names of the files that supply a group here, such as `cpu.stat, cpu.max`; only those that some cgroup had.
    #[must_use]
    pub fn names(&self, group: FieldGroup) -> String {
        let names: Vec<&str> = self
            .files
            .iter()
            .filter(|file| file.groups.has(group) && file.seen)
            .map(|file| file.name)
            .collect();
        names.join(", ")
    }

    /// Why a group is not supplied, or not everywhere: a file that cannot be understood, else one that no cgroup has.
    #[must_use]
    pub fn problem(&self, group: FieldGroup) -> Option<String> {
        let files = || self.files.iter().filter(|file| file.groups.has(group));
        if let Some(failure) = files().find_map(|file| file.failure.as_ref()) {
            return Some(failure.to_string());
        }
        let mut unseen = files().filter(|file| !file.seen);
        unseen.find_map(|file| {
            file.absent
                .as_ref()
                .map(|cause| format!("{}: {cause}", file.name))
        })
    }
}

/// EMFILE or ENFILE.
fn descriptors_exhausted(error: &io::Error) -> bool {
    let code = error.raw_os_error();
    code == Some(rustix::io::Errno::MFILE.raw_os_error())
        || code == Some(rustix::io::Errno::NFILE.raw_os_error())
}
