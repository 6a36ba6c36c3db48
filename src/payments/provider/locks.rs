//! Takes turns: requests about one payment go to the provider one after the other, so that a double click
//! finds what the first click has made.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// More than requests are under way at once, so that strangers seldom wait for one another.
const PLACES: usize = 256;

pub struct Turns(Vec<Mutex<()>>);

impl Turns {
    /// Waits for, and holds, the turn of one entry.
    pub fn take(&self, entry_id: i64) -> MutexGuard<'_, ()> {
        let place = usize::try_from(entry_id.rem_euclid(PLACES as i64)).unwrap_or_default();
        self.0[place].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Turns {
    fn default() -> Self {
        Turns((0..PLACES).map(|_| Mutex::new(())).collect())
    }
}
