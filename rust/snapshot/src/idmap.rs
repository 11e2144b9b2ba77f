//! Cgroup id to row slot: open addressing, linear probing, no tombstones.

/// Marks a free entry; no cgroup has the id 0.
const FREE: u64 = 0;

/// Map from non-zero ids to slots.
#[derive(Debug, Clone)]
pub struct IdMap {
    entries: Vec<(u64, u32)>,
    len: usize,
}

impl Default for IdMap {
    fn default() -> Self {
        Self {
            entries: vec![(FREE, 0); 64],
            len: 0,
        }
    }
}

impl IdMap {
    /// Ids are dense, so the high bits of a multiplicative hash spread them well.
    fn home(&self, id: u64) -> usize {
        let bits = self.entries.len().trailing_zeros();
        (id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as usize
    }

    /// Where the id is, or the free entry where it belongs.
    fn find(&self, id: u64) -> usize {
        let mask = self.entries.len() - 1;
        let mut at = self.home(id);
        while self.entries[at].0 != id && self.entries[at].0 != FREE {
            at = (at + 1) & mask;
        }
        at
    }

    #[must_use]
    pub fn get(&self, id: u64) -> Option<u32> {
        let (found, slot) = self.entries[self.find(id)];
        (found == id && id != FREE).then_some(slot)
    }

    pub fn insert(&mut self, id: u64, slot: u32) {
        debug_assert_ne!(id, FREE);
        if (self.len + 1) * 2 > self.entries.len() {
            let doubled = vec![(FREE, 0); self.entries.len() * 2];
            let entries = std::mem::replace(&mut self.entries, doubled);
            for (id, slot) in entries.into_iter().filter(|&(id, _)| id != FREE) {
                let at = self.find(id);
                self.entries[at] = (id, slot);
            }
        }
        let at = self.find(id);
        self.len += usize::from(self.entries[at].0 == FREE);
        self.entries[at] = (id, slot);
    }

    pub fn remove(&mut self, id: u64) {
        let mask = self.entries.len() - 1;
        let mut free = self.find(id);
        if id == FREE || self.entries[free].0 != id {
            return;
        }
        self.len -= 1;
        // Move back what a probe could no longer reach over the free entry.
        let mut next = free;
        loop {
            next = (next + 1) & mask;
            let (id, _) = self.entries[next];
            if id == FREE {
                break;
            }
            let distance = next.wrapping_sub(self.home(id)) & mask;
            if distance >= next.wrapping_sub(free) & mask {
                self.entries[free] = self.entries[next];
                free = next;
            }
        }
        self.entries[free] = (FREE, 0);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_answers_as_a_hash_map_does(steps in proptest::collection::vec((1_u64..200, any::<bool>()), 0..2000)) {
            let mut map = IdMap::default();
            let mut model = HashMap::new();
            for (slot, (id, insert)) in steps.into_iter().enumerate() {
                if insert {
                    map.insert(id, slot as u32);
                    model.insert(id, slot as u32);
                } else {
                    map.remove(id);
                    model.remove(&id);
                }
                prop_assert_eq!(map.len, model.len());
            }
            for id in 0..200 {
                prop_assert_eq!(map.get(id), model.get(&id).copied());
            }
        }
    }
}
