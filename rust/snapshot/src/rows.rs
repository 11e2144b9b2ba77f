//! Which cgroups there are: one row per path, joined over the hierarchies, with an identity that is never reused.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use koord_cgroup::Values;

use crate::idmap::IdMap;

/// Hierarchies that one row can be in.
pub const MAX_HIERARCHIES: usize = 8;

/// No slot: the parent of `/`.
pub const NO_SLOT: u32 = u32::MAX;

/// What is read of a row in one frame.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    pub values: Values,
    /// CLOCK_MONOTONIC of each field group's sample; 0 where there is none.
    pub ts_ns: [u64; 7],
    /// Source code of each field group; 0 where there is none.
    pub sources: [u8; 7],
    /// Processes or threads directly in the cgroup, where that is known.
    pub own_tasks: Option<u64>,
}

impl Reading {
    pub const NONE: Self = Self {
        values: Values::NONE,
        ts_ns: [0; 7],
        sources: [0; 7],
        own_tasks: None,
    };
}

/// A cgroup's place in one hierarchy.
#[derive(Debug, Clone, Copy, Default)]
struct Member {
    /// 0: not in this hierarchy now.
    id: u64,
    /// The last id it had there: another one is another cgroup.
    last_id: u64,
}

/// What a pass touches of every row, kept close together.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    /// The frame that found the row last, by hierarchy.
    seen: [u64; MAX_HIERARCHIES],
    /// The hierarchy whose CPU usage it shows, once one counted something.
    usage_hierarchy: Option<u8>,
}

/// One cgroup.
#[derive(Debug, Clone)]
pub struct Row {
    pub key: u64,
    pub path: Arc<Path>,
    pub level: u32,
    /// Slot of the parent.
    pub parent: u32,
    /// Frame in which it appeared.
    pub born: u64,
    /// It was removed, or its name is another cgroup's: it is shown once more.
    pub gone: bool,
    pub had_children: bool,
    /// CPU time of removed children that a frame showed.
    pub gone_shown_ns: u64,
    /// CPU time of removed children that no frame showed: balance, and its highest value so far.
    pub gone_balance_ns: i64,
    pub gone_unseen_ns: u64,
    members: [Member; MAX_HIERARCHIES],
}

impl Row {
    /// Its id in a hierarchy, when it is there now.
    #[must_use]
    pub fn id(&self, hierarchy: usize) -> Option<u64> {
        let id = self.members[hierarchy].id;
        (id != 0).then_some(id)
    }
}

/// All rows, in slots that stay the same while a row lives.
#[derive(Debug, Default)]
pub struct Rows {
    slots: Vec<Row>,
    free: Vec<u32>,
    /// Slots in use, in the order in which they appeared, hence by ascending key.
    order: Vec<u32>,
    by_id: [IdMap; MAX_HIERARCHIES],
    by_path: HashMap<Arc<Path>, u32>,
    last_key: u64,
    marks: Vec<Mark>,
    pub current: Vec<Reading>,
    pub previous: Vec<Reading>,
}

impl Rows {
    /// Starts a frame: the current readings become the previous ones, and the rows shown for the last time go.
    ///
    /// Returns whether any row went.
    pub fn begin(&mut self) -> bool {
        std::mem::swap(&mut self.current, &mut self.previous);
        self.current.fill(Reading::NONE);
        let before = self.order.len();
        let Self {
            order, slots, free, ..
        } = self;
        order.retain(|&slot| {
            let gone = slots[slot as usize].gone;
            if gone {
                free.push(slot);
            }
            !gone
        });
        self.order.len() != before
    }

    /// Slots in use, by ascending key.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The row in a slot that is in use.
    #[must_use]
    pub fn row(&self, slot: u32) -> &Row {
        &self.slots[slot as usize]
    }

    /// As [`Rows::row`].
    pub fn row_mut(&mut self, slot: u32) -> &mut Row {
        &mut self.slots[slot as usize]
    }

    /// Whether a row with this key is to be shown again.
    #[must_use]
    pub fn is_alive(&self, key: u64) -> bool {
        let position = self
            .order
            .binary_search_by_key(&key, |&slot| self.row(slot).key);
        position.is_ok_and(|position| !self.row(self.order[position]).gone)
    }

    /// The slot of a known id, noted as read in this frame.
    pub fn touch(&mut self, hierarchy: usize, id: u64, number: u64) -> Option<u32> {
        let slot = self.by_id[hierarchy].get(id)?;
        self.marks[slot as usize].seen[hierarchy] = number;
        Some(slot)
    }

    /// Whether the frame `number` found the row in the hierarchy.
    #[must_use]
    pub fn seen(&self, slot: u32, hierarchy: usize, number: u64) -> bool {
        self.marks[slot as usize].seen[hierarchy] == number
    }

    /// The hierarchy whose CPU usage the row shows, once one counted something.
    #[must_use]
    pub fn usage_hierarchy(&self, slot: u32) -> Option<u8> {
        self.marks[slot as usize].usage_hierarchy
    }

    /// Decides whose CPU usage the row shows.
    pub fn show_usage_of(&mut self, slot: u32, hierarchy: u8) {
        self.marks[slot as usize].usage_hierarchy = Some(hierarchy);
    }

    /// Gives an id that is new in its hierarchy the row of its path (absolute, `/` for the root).
    pub fn attach(&mut self, hierarchy: usize, id: u64, path: &Path, number: u64) -> u32 {
        let slot = match self.by_path.get(path) {
            None => self.create(path, number),
            Some(&slot) => {
                let row = self.row(slot);
                let last = row.members[hierarchy].last_id;
                if last == 0 || last == id {
                    slot
                } else if row.born == number {
                    // The row was made in this frame for a name that is new in another hierarchy: this id completes it.
                    self.by_id[hierarchy].remove(last);
                    slot
                } else {
                    self.supersede(slot, hierarchy, number)
                }
            }
        };
        self.by_id[hierarchy].insert(id, slot);
        self.row_mut(slot).members[hierarchy] = Member { id, last_id: id };
        self.marks[slot as usize].seen[hierarchy] = number;
        slot
    }

    fn create(&mut self, path: &Path, number: u64) -> u32 {
        self.last_key += 1;
        let parent = path
            .parent()
            .and_then(|parent| self.by_path.get(parent))
            .copied()
            .unwrap_or(NO_SLOT);
        let path: Arc<Path> = Arc::from(path);
        let row = Row {
            key: self.last_key,
            path: Arc::clone(&path),
            // `/` has one component, its root.
            level: path.components().count().saturating_sub(1) as u32,
            parent,
            born: number,
            gone: false,
            had_children: false,
            gone_shown_ns: 0,
            gone_balance_ns: 0,
            gone_unseen_ns: 0,
            members: [Member::default(); MAX_HIERARCHIES],
        };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = row;
                slot
            }
            None => {
                self.slots.push(row);
                self.marks.push(Mark::default());
                self.current.push(Reading::NONE);
                self.previous.push(Reading::NONE);
                (self.slots.len() - 1) as u32
            }
        };
        self.marks[slot as usize] = Mark::default();
        self.current[slot as usize] = Reading::NONE;
        self.previous[slot as usize] = Reading::NONE;
        self.order.push(slot);
        self.by_path.insert(path, slot);
        if parent != NO_SLOT {
            self.row_mut(parent).had_children = true;
        }
        slot
    }

    /// A name was taken by a new cgroup in one hierarchy: the old row goes, a new one takes over what is left of it.
    fn supersede(&mut self, old: u32, hierarchy: usize, number: u64) -> u32 {
        let path = Arc::clone(&self.row(old).path);
        let new = self.create(&path, number);
        let mut members = self.row(old).members;
        self.by_id[hierarchy].remove(members[hierarchy].id);
        members[hierarchy] = Member::default();
        for (index, member) in members
            .iter()
            .enumerate()
            .filter(|(_, member)| member.id != 0)
        {
            self.by_id[index].insert(member.id, new);
        }
        self.row_mut(new).members = members;
        self.marks[new as usize].seen = self.marks[old as usize].seen;
        self.current.swap(old as usize, new as usize);
        for &slot in &self.order {
            let row = &mut self.slots[slot as usize];
            if row.parent == old {
                row.parent = new;
            }
        }
        let had_children = self.row(old).had_children;
        self.row_mut(new).had_children = had_children;
        let row = self.row_mut(old);
        row.members = [Member::default(); MAX_HIERARCHIES];
        row.gone = true;
        new
    }

    /// Ends a frame: members that it did not find leave, rows without members go, and `left` hears of each id that left.
    pub fn sweep(&mut self, number: u64, mut left: impl FnMut(usize, u64)) {
        for position in 0..self.order.len() {
            let slot = self.order[position];
            let row = &mut self.slots[slot as usize];
            if row.gone {
                continue;
            }
            let mark = &self.marks[slot as usize];
            let mut alive = false;
            for (hierarchy, member) in row
                .members
                .iter_mut()
                .enumerate()
                .filter(|(_, member)| member.id != 0)
            {
                if mark.seen[hierarchy] == number {
                    alive = true;
                } else {
                    self.by_id[hierarchy].remove(member.id);
                    left(hierarchy, member.id);
                    member.id = 0;
                }
            }
            if !alive {
                row.gone = true;
                self.by_path.remove(&row.path);
            }
        }
    }

    /// Absolute path of a path relative to a mount.
    #[must_use]
    pub fn absolute(relative: &Path) -> PathBuf {
        Path::new("/").join(relative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CPU: usize = 0;
    const MEMORY: usize = 1;

    /// Plays one frame: what each hierarchy holds, as (hierarchy, id, path). Returns (key, path, gone) of all rows.
    fn frame(
        rows: &mut Rows,
        number: u64,
        found: &[(usize, u64, &str)],
    ) -> Vec<(u64, String, bool)> {
        rows.begin();
        for &(hierarchy, id, path) in found {
            if rows.touch(hierarchy, id, number).is_none() {
                rows.attach(hierarchy, id, Path::new(path), number);
            }
        }
        rows.sweep(number, |_, _| {});
        rows.order()
            .iter()
            .map(|&slot| rows.row(slot))
            .map(|row| (row.key, row.path.display().to_string(), row.gone))
            .collect()
    }

    fn row(key: u64, path: &str, gone: bool) -> (u64, String, bool) {
        (key, path.to_owned(), gone)
    }

    #[test]
    fn the_same_path_in_two_hierarchies_is_one_row() {
        let mut rows = Rows::default();
        let shown = frame(
            &mut rows,
            1,
            &[
                (CPU, 1, "/"),
                (CPU, 5, "/a"),
                (MEMORY, 1, "/"),
                (MEMORY, 9, "/a"),
            ],
        );
        assert_eq!(shown, [row(1, "/", false), row(2, "/a", false)]);
        assert_eq!(rows.row(1).parent, 0);
        assert_eq!((rows.row(0).level, rows.row(1).level), (0, 1));
        assert_eq!(
            (rows.row(1).id(CPU), rows.row(1).id(MEMORY)),
            (Some(5), Some(9))
        );
    }

    #[test]
    fn a_removed_cgroup_is_shown_once_more_and_its_key_is_not_used_again() {
        let mut rows = Rows::default();
        frame(&mut rows, 1, &[(CPU, 1, "/"), (CPU, 5, "/a")]);
        assert_eq!(
            frame(&mut rows, 2, &[(CPU, 1, "/")]),
            [row(1, "/", false), row(2, "/a", true)]
        );
        assert_eq!(frame(&mut rows, 3, &[(CPU, 1, "/")]), [row(1, "/", false)]);
        assert_eq!(
            frame(&mut rows, 4, &[(CPU, 1, "/"), (CPU, 6, "/a")]),
            [row(1, "/", false), row(3, "/a", false)]
        );
    }

    #[test]
    fn a_recreated_name_is_a_new_row_and_the_old_one_goes() {
        let mut rows = Rows::default();
        frame(
            &mut rows,
            1,
            &[(CPU, 1, "/"), (CPU, 5, "/a"), (MEMORY, 9, "/a")],
        );
        let shown = frame(
            &mut rows,
            2,
            &[(CPU, 1, "/"), (CPU, 6, "/a"), (MEMORY, 10, "/a")],
        );
        assert_eq!(
            shown,
            [row(1, "/", false), row(2, "/a", true), row(3, "/a", false)]
        );
        let shown = frame(
            &mut rows,
            3,
            &[(CPU, 1, "/"), (CPU, 6, "/a"), (MEMORY, 10, "/a")],
        );
        assert_eq!(shown, [row(1, "/", false), row(3, "/a", false)]);
    }

    #[test]
    fn a_name_recreated_in_one_hierarchy_keeps_its_place_in_the_others() {
        let mut rows = Rows::default();
        frame(
            &mut rows,
            1,
            &[(MEMORY, 9, "/a"), (CPU, 5, "/a"), (CPU, 7, "/a/b")],
        );
        let shown = frame(
            &mut rows,
            2,
            &[(MEMORY, 9, "/a"), (CPU, 6, "/a"), (CPU, 7, "/a/b")],
        );
        assert_eq!(
            shown,
            [
                row(1, "/a", true),
                row(2, "/a/b", false),
                row(3, "/a", false)
            ]
        );
        let new = *rows.order().last().unwrap();
        assert_eq!(
            (rows.row(new).id(CPU), rows.row(new).id(MEMORY)),
            (Some(6), Some(9))
        );
        assert_eq!(rows.row(rows.order()[1]).parent, new);
    }

    #[test]
    fn a_name_that_left_a_hierarchy_and_came_back_with_another_id_is_a_new_row() {
        let mut rows = Rows::default();
        frame(&mut rows, 1, &[(CPU, 5, "/a"), (MEMORY, 9, "/a")]);
        assert_eq!(
            frame(&mut rows, 2, &[(MEMORY, 9, "/a")]),
            [row(1, "/a", false)]
        );
        let shown = frame(&mut rows, 3, &[(CPU, 6, "/a"), (MEMORY, 9, "/a")]);
        assert_eq!(shown, [row(1, "/a", true), row(2, "/a", false)]);
    }

    #[test]
    fn a_cgroup_that_joins_a_hierarchy_later_stays_the_same_row() {
        let mut rows = Rows::default();
        frame(&mut rows, 1, &[(CPU, 5, "/a")]);
        assert_eq!(
            frame(&mut rows, 2, &[(CPU, 5, "/a"), (MEMORY, 9, "/a")]),
            [row(1, "/a", false)]
        );
    }

    #[test]
    fn slots_of_gone_rows_are_used_again() {
        let mut rows = Rows::default();
        for number in 1..=1000 {
            frame(&mut rows, number, &[(CPU, number + 10, "/a")]);
        }
        assert!(rows.slots.len() <= 3, "{}", rows.slots.len());
    }
}
