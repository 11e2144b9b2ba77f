//! CPU time of removed cgroups, credited to the nearest living parent.
//!
//! A cgroup's CPU time includes its descendants', also after they are removed. What a parent gained beyond its living children
//! was used by its own processes or by children that are gone, some of them created and removed between two frames. While the
//! parent has no process of its own, all of it is theirs.

use koord_cgroup::values::MISSING;

use crate::rows::{NO_SLOT, Rows};

/// What each row's children gained in this frame.
#[derive(Debug, Default)]
pub struct Accounts {
    /// By slot.
    children_ns: Vec<i64>,
}

impl Accounts {
    /// Starts a frame.
    pub fn begin(&mut self, rows: &Rows) {
        self.children_ns.clear();
        self.children_ns.resize(rows.current.len(), 0);
    }

    /// Adds a row's gain to its parent's account; call it for each row, with its reading complete, before any
    /// [`Accounts::credit`].
    pub fn add_to_parent(&mut self, rows: &mut Rows, slot: u32) {
        let row = rows.row(slot);
        let (parent, gone) = (row.parent, row.gone);
        if parent == NO_SLOT || rows.row(parent).gone {
            return;
        }
        let (now, before) = usage(rows, slot);
        if gone {
            rows.row_mut(parent).gone_shown_ns += before.unwrap_or(0);
        } else if let Some(now) = now {
            // A row without a previous sample was created since: all it used, it used since.
            self.children_ns[parent as usize] += now.saturating_sub(before.unwrap_or(0)) as i64;
        }
    }

    /// Credits a row for removed children that no frame showed. Returns what of it is new; `None` without a previous
    /// sample.
    pub fn credit(&self, rows: &mut Rows, slot: u32, number: u64) -> Option<u64> {
        let (Some(now), Some(before)) = usage(rows, slot) else {
            return None;
        };
        let own_tasks = [
            rows.current[slot as usize].own_tasks,
            rows.previous[slot as usize].own_tasks,
        ];
        let row = rows.row_mut(slot);
        if row.gone || row.born == number {
            return None;
        }
        if !row.had_children || own_tasks != [Some(0), Some(0)] {
            return Some(0);
        }
        // Parent and children are read some microseconds apart. Summing the balance with its sign cancels that.
        row.gone_balance_ns += now.saturating_sub(before) as i64 - self.children_ns[slot as usize];
        let unseen = u64::try_from(row.gone_balance_ns)
            .unwrap_or(0)
            .max(row.gone_unseen_ns);
        let new = unseen - row.gone_unseen_ns;
        row.gone_unseen_ns = unseen;
        Some(new)
    }
}

/// Current and previous usage of a slot.
fn usage(rows: &Rows, slot: u32) -> (Option<u64>, Option<u64>) {
    let known = |value: u64| (value != MISSING).then_some(value);
    (
        known(rows.current[slot as usize].values.usage_ns),
        known(rows.previous[slot as usize].values.usage_ns),
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Plays one frame of a single hierarchy: (id, path, usage, own tasks). Returns the total credited to `/p`.
    fn frame(rows: &mut Rows, number: u64, found: &[(u64, &str, u64, u64)]) -> u64 {
        rows.begin();
        for &(id, path, usage_ns, own_tasks) in found {
            let slot = rows
                .touch(0, id, number)
                .unwrap_or_else(|| rows.attach(0, id, Path::new(path), number));
            let reading = &mut rows.current[slot as usize];
            reading.values.usage_ns = usage_ns;
            reading.own_tasks = Some(own_tasks);
        }
        rows.sweep(number, |_, _| {});
        let mut accounts = Accounts::default();
        accounts.begin(rows);
        for slot in rows.order().to_vec() {
            accounts.add_to_parent(rows, slot);
        }
        for slot in rows.order().to_vec() {
            accounts.credit(rows, slot, number);
        }
        let parent = rows
            .order()
            .iter()
            .map(|&slot| rows.row(slot))
            .find(|row| row.path.as_os_str() == "/p")
            .unwrap();
        parent.gone_shown_ns + parent.gone_unseen_ns
    }

    #[test]
    fn a_removed_child_leaves_its_total_and_what_it_used_since() {
        let mut rows = Rows::default();
        frame(
            &mut rows,
            1,
            &[(2, "/p", 100, 0), (3, "/p/a", 60, 1), (4, "/p/b", 40, 1)],
        );
        frame(
            &mut rows,
            2,
            &[(2, "/p", 300, 0), (3, "/p/a", 160, 1), (4, "/p/b", 140, 1)],
        );
        // b used 25 more before it was removed.
        assert_eq!(
            frame(&mut rows, 3, &[(2, "/p", 335, 0), (3, "/p/a", 170, 1)]),
            165
        );
        assert_eq!(
            frame(&mut rows, 4, &[(2, "/p", 345, 0), (3, "/p/a", 180, 1)]),
            165
        );
    }

    #[test]
    fn children_that_no_frame_showed_are_credited_while_the_parent_has_no_process() {
        let mut rows = Rows::default();
        frame(&mut rows, 1, &[(2, "/p", 0, 0), (3, "/p/a", 0, 1)]);
        assert_eq!(
            frame(&mut rows, 2, &[(2, "/p", 500, 0), (3, "/p/a", 20, 1)]),
            480
        );
    }

    #[test]
    fn time_of_the_parents_own_processes_is_not_credited() {
        let mut rows = Rows::default();
        frame(&mut rows, 1, &[(2, "/p", 0, 3), (3, "/p/a", 0, 1)]);
        assert_eq!(
            frame(&mut rows, 2, &[(2, "/p", 500, 3), (3, "/p/a", 20, 1)]),
            0
        );
    }

    #[test]
    fn a_child_that_appeared_counts_in_full() {
        let mut rows = Rows::default();
        frame(&mut rows, 1, &[(2, "/p", 0, 0), (3, "/p/a", 0, 0)]);
        assert_eq!(
            frame(
                &mut rows,
                2,
                &[(2, "/p", 90, 0), (3, "/p/a", 0, 0), (4, "/p/b", 90, 1)]
            ),
            0
        );
    }

    #[test]
    fn reading_parent_and_child_at_different_times_adds_up_to_nothing() {
        let mut rows = Rows::default();
        frame(&mut rows, 1, &[(2, "/p", 1_000, 0), (3, "/p/a", 1_000, 1)]);
        let mut credited = 0;
        for number in 2..200 {
            let skew = if number % 2 == 0 { 7 } else { 0 };
            credited = frame(
                &mut rows,
                number,
                &[
                    (2, "/p", number * 1_000 + skew, 0),
                    (3, "/p/a", number * 1_000, 1),
                ],
            );
        }
        assert!(credited <= 7, "{credited}");
    }

    #[test]
    fn only_the_topmost_removed_cgroup_counts() {
        let mut rows = Rows::default();
        frame(
            &mut rows,
            1,
            &[(2, "/p", 50, 0), (3, "/p/a", 50, 0), (4, "/p/a/b", 50, 1)],
        );
        assert_eq!(frame(&mut rows, 2, &[(2, "/p", 50, 0)]), 50);
    }
}
