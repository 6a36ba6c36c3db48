//! A small pool of reading connections.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Condvar, Mutex, PoisonError};

use rusqlite::Connection;

use crate::error::Result;

/// The number of concurrent reads; more do not help a small machine.
pub const POOL: usize = 4;

pub struct Readers {
    idle: Mutex<Vec<Connection>>,
    returned: Condvar,
}

impl Readers {
    pub fn new(path: &Path, count: usize, open: impl Fn(&Path) -> Result<Connection>) -> Result<Readers> {
        let idle = (0..count).map(|_| open(path)).collect::<Result<Vec<_>>>()?;
        Ok(Readers { idle: Mutex::new(idle), returned: Condvar::new() })
    }

    /// Waits for a free connection. It returns to the pool when dropped.
    pub fn take(&self) -> Reader<'_> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = self.returned.wait_while(idle, |idle| idle.is_empty());
        Reader { pool: self, connection: idle.unwrap_or_else(PoisonError::into_inner).pop() }
    }
}

pub struct Reader<'a> {
    pool: &'a Readers,
    connection: Option<Connection>,
}

impl Deref for Reader<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("present until dropped")
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            self.pool.returned.notify_one();
        }
    }
}
