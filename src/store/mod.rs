//! The one SQLite file: a writer thread with group commit, a pool of `query_only` readers, and one
//! file of SQL a topic. Every function of a topic takes the connection first and is one statement.
//!
//! Left out on purpose: an ORM, and any knowledge of mail, payment or pages.

pub mod accounts;
pub mod audit;
pub mod backup;
mod connection;
pub mod content_revisions;
pub mod erasure;
pub mod idempotency;
pub mod images;
mod lock;
pub mod migrate;
pub mod outbox;
pub mod payment_findings;
pub mod payments;
mod readers;
pub mod refunds;
pub mod registrations;
pub mod reviews;
pub mod sessions;
pub mod settings;
pub mod tallies;
mod writer;

use std::path::{Path, PathBuf};

use rusqlite::Connection;

pub use connection::open as open_connection;
pub use lock::ServerLock;

use crate::error::Result;

/// The open database. Cloning is not needed: share it by reference.
pub struct Store {
    path: PathBuf,
    writer: writer::Writer,
    readers: readers::Readers,
}

impl Store {
    /// Opens a database whose schema is the one this program knows.
    ///
    /// # Errors
    /// [`Error::Failed`] says which command brings an older or missing database up to date.
    pub fn open(path: &Path) -> Result<Store> {
        migrate::require_current(path)?;
        let connection = connection::open_writer(path)?;
        connection.execute_batch("pragma optimize = 0x10002")?;
        Ok(Store {
            path: path.to_owned(),
            writer: writer::Writer::start(connection)?,
            readers: readers::Readers::new(path, readers::POOL)?,
        })
    }

    /// Runs `work` in a transaction and returns once it is durable. What other callers wait with is
    /// committed together; an error of `work` undoes `work` alone.
    pub fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.writer.run(work)
    }

    /// Runs `work` on a reading connection, in one snapshot of the database.
    pub fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let connection = self.readers.take()?;
        let snapshot = connection.unchecked_transaction()?;
        let outcome = work(&snapshot);
        snapshot.finish()?;
        outcome
    }

    /// SQLite's counter of changes made by other connections, to notice another command's work.
    pub fn changes_seen(&self) -> Result<i64> {
        let connection = self.readers.take()?;
        Ok(connection.query_row("pragma data_version", [], |row| row.get(0))?)
    }

    /// Refreshes what the query planner knows, as SQLite asks a long-running program to do daily.
    pub fn optimize(&self) -> Result<()> {
        self.write(|connection| Ok(connection.execute_batch("pragma optimize")?))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}
