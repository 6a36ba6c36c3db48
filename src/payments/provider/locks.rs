//! One lock per entry: requests about the same payment reach the provider one after the other, so that a double click
//! finds the intent that the first click created.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::model::EntryId;

/// More than the number of concurrent requests, so that two entries seldom share a lock.
const LOCKS: usize = 256;

pub struct EntryLocks(Vec<Mutex<()>>);

impl EntryLocks {
    /// Waits for an entry's lock and holds it.
    pub fn lock(&self, entry_id: EntryId) -> MutexGuard<'_, ()> {
        let index = usize::try_from(entry_id.0.rem_euclid(LOCKS as i64)).unwrap_or_default();
        self.0[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for EntryLocks {
    fn default() -> Self {
        EntryLocks((0..LOCKS).map(|_| Mutex::new(())).collect())
    }
}
