//! The SQLite database: a writer thread with group commit, a pool of `query_only` readers, and one file of SQL per topic.
//! A topic's functions take the connection first; most are one statement.
//!
//! Left out on purpose: an ORM, and anything about sending email, taking payments or rendering pages.

/// The condition that a row of `competition_entries` takes part, as SQL: it holds a place
/// (`PaymentStatus::holds_place`) and was not refunded as a whole before a dispute, is not held for review, and was not taken out (`Status::is_out`).
macro_rules! takes_part {
    () => {
        "(payment_status in ('paid', 'partially_refunded', 'complimentary')
             or (payment_status = 'disputed' and refunded_cents < payment_amount_cents))
         and status not in ('set_aside', 'withdrawn', 'declined')"
    };
}

/// How many additional categories of a row of `competition_entries` take part, as SQL: not those whose nomination was withdrawn, for
/// instance with the refund of its fee. A category that the entry no longer names after a correction is in no count.
macro_rules! additional_nominations {
    () => {
        "(additional_categories - (select count(*) from nominations
             where nominations.entry_id = competition_entries.id and nominations.state = 'withdrawn'
             and (nominations.category, nominations.sub_category) in (values
                 (primary_category, competition_entries.sub_category),
                 (additional_category1, additional_category1_sub),
                 (additional_category2, additional_category2_sub))))"
    };
}

pub mod accounts;
pub mod audit;
pub mod backup;
mod checkpointer;
mod connection;
pub mod content_draft;
pub mod content_revisions;
pub mod door;
pub mod erasure;
mod fold;
pub mod guests;
pub mod hourly_counts;
pub mod idempotency;
pub mod images;
pub mod installation;
pub mod invitations;
pub mod judging;
pub mod known_addresses;
mod lock;
pub mod mail_texts;
pub mod mailings;
pub mod migrate;
pub mod outbox;
mod path_check;
pub mod payment_findings;
pub mod payments;
mod permissions;
pub mod portal;
pub mod query;
mod readers;
pub mod receipts;
pub mod redact;
pub mod refunds;
pub mod registrations;
pub mod reviews;
pub mod sessions;
pub mod sizes;
pub mod ticket_transfers;
pub mod tls_cache;
mod writer;

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;

pub use connection::{open as open_connection, open_query_only, open_read_only};
pub use lock::ServerLock;
pub use path_check::is_writable;
pub use permissions::{create_private, create_private_folder};
use writer::Priority;

use crate::error::{Error, Result};

/// The open database.
pub struct Store {
    path: PathBuf,
    /// `None` for a command that only reads.
    writer: Option<writer::Writer>,
    readers: readers::Readers,
    /// SQLite has reported a damaged page.
    has_suspected_damage: AtomicBool,
    /// A write has failed.
    has_failed_write: AtomicBool,
}

impl Store {
    /// Opens a database with this program's schema.
    pub fn open(path: &Path) -> Result<Store> {
        migrate::require_current(path)?;
        path_check::require_writable(path)?;
        let connection = connection::open_writer(path)?;
        // A damaged index fails here. The site still shows its pages, and `ops::health` reports the damage.
        if let Err(error) = connection.execute_batch("pragma optimize = 0x10002") {
            tracing::warn!("the query planner's statistics could not be updated: {error}");
        }
        let writer = Some(writer::Writer::start(connection)?);
        Ok(Store::new(path, writer, readers::Readers::new(path, readers::POOL, open_query_only)?))
    }

    /// Opens a database read-only; its folder may be read-only too.
    pub fn open_read_only(path: &Path) -> Result<Store> {
        migrate::require_current(path)?;
        Ok(Store::new(path, None, readers::Readers::new(path, readers::POOL, open_read_only)?))
    }

    fn new(path: &Path, writer: Option<writer::Writer>, readers: readers::Readers) -> Store {
        Store {
            path: path.to_owned(),
            writer,
            readers,
            has_suspected_damage: AtomicBool::new(false),
            has_failed_write: AtomicBool::new(false),
        }
    }

    /// Runs `work` in a transaction and returns once it is durable. Concurrent callers share one commit; an error of
    /// `work` rolls back only `work`.
    pub fn write<T: Send>(&self, work: impl FnOnce(&Connection) -> Result<T> + Send) -> Result<T> {
        self.write_with(Priority::Normal, work)
    }

    /// Like [`Store::write`], for a piece of something large: it has a transaction of its own and gives way to other writes,
    /// which wait for at most one such piece.
    pub fn write_bulk<T: Send>(&self, work: impl FnOnce(&Connection) -> Result<T> + Send) -> Result<T> {
        self.write_with(Priority::Bulk, work)
    }

    fn write_with<T: Send>(
        &self,
        priority: Priority,
        work: impl FnOnce(&Connection) -> Result<T> + Send,
    ) -> Result<T> {
        self.record_failed_write(self.writer()?.run(priority, work))
    }

    /// Like [`Store::write`], without blocking a thread: for registrations, hundreds of which may wait for the same commit.
    /// Waking a thread for each took the processor from the next commit.
    pub async fn write_async<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let outcome = self.writer()?.run_async(Priority::Normal, work).await;
        self.record_failed_write(outcome)
    }

    fn writer(&self) -> Result<&writer::Writer> {
        self.writer.as_ref().ok_or_else(|| Error::Unavailable("the database was opened read-only".into()))
    }

    fn record_failed_write<T>(&self, outcome: Result<T>) -> Result<T> {
        if let Err(Error::Unavailable(_)) = outcome {
            self.has_failed_write.store(true, Ordering::Relaxed);
        }
        self.record_damage(outcome)
    }

    /// Writes an audit line about an action that only reads, such as an export. If it cannot be written, the program's log
    /// says so: a full or read-only disk must not keep anybody from saving the data.
    pub fn write_audit_line(&self, what: &str, line: impl FnOnce(&Connection) -> Result<()> + Send) {
        if let Err(error) = self.write(line) {
            tracing::warn!("{what} is not in the audit log: {}", error.for_log());
        }
    }

    /// Runs `work` on a reading connection, in one snapshot of the database.
    pub fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let connection = self.readers.take();
        let snapshot = self.record_damage(connection.unchecked_transaction().map_err(Error::from))?;
        let outcome = work(&snapshot);
        snapshot.finish()?;
        self.record_damage(outcome)
    }

    fn record_damage<T>(&self, outcome: Result<T>) -> Result<T> {
        if let Err(Error::Damaged(_)) = outcome {
            self.has_suspected_damage.store(true, Ordering::Relaxed);
        }
        outcome
    }

    /// Whether SQLite has reported damage since the last call.
    pub fn take_suspected_damage(&self) -> bool {
        self.has_suspected_damage.swap(false, Ordering::Relaxed)
    }

    /// Whether a write has failed since the last call.
    pub fn take_failed_write(&self) -> bool {
        self.has_failed_write.swap(false, Ordering::Relaxed)
    }

    /// Fails if the database cannot be read.
    pub fn require_readable(&self) -> Result<()> {
        Ok(self.readers.take().query_row("pragma data_version", [], |_| Ok(()))?)
    }

    /// Updates the query planner's statistics, which SQLite recommends daily for a long-running program.
    pub fn optimize(&self) -> Result<()> {
        self.write(|connection| Ok(connection.execute_batch("pragma optimize")?))
    }

    /// Empties the page caches of all connections, after the file was repaired.
    pub fn forget_cached(&self) -> Result<()> {
        let all: Vec<_> = (0..readers::POOL).map(|_| self.readers.take()).collect();
        for reader in &all {
            reader.execute_batch("pragma shrink_memory")?;
        }
        self.write(|connection| Ok(connection.execute_batch("pragma shrink_memory")?))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of callers that wait for the writer.
    pub fn queue_length(&self) -> usize {
        self.writer.as_ref().map_or(0, writer::Writer::queue_length)
    }
}

/// Appends to a file name: `showcase.db` and `-wal` give `showcase.db-wal`.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// The folder of a file that may not exist; `.` for a bare name.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether two files or folders are on one disk; `false` if one of them cannot be read.
pub fn is_same_disk(one: &Path, other: &Path) -> bool {
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => one.dev() == other.dev(),
        _ => false,
    }
}

/// The free space on a folder's disk, in bytes.
pub fn free_bytes(folder: &Path) -> Result<u64> {
    let disk = rustix::fs::statvfs(folder).map_err(|error| {
        Error::Failed(format!("The free space of {} cannot be read: {error}.", folder.display()))
    })?;
    Ok(disk.f_bavail * disk.f_frsize)
}

#[cfg(test)]
mod tests {
    use crate::model::{PaymentStatus, Status};

    #[test]
    fn an_entry_takes_part_by_the_same_rule_in_sql_and_here() {
        let connection = rusqlite::Connection::open_in_memory().expect("a database");
        let sql = concat!(
            "select ",
            takes_part!(),
            " from (select ?1 as payment_status, ?2 as status, 0 as refunded_cents, 1 as payment_amount_cents)"
        );
        for payment in PaymentStatus::ALL {
            for status in Status::ALL {
                let found: bool =
                    connection.query_row(sql, (payment, status), |row| row.get(0)).expect("a row");
                let expected = payment.holds_place() && !status.is_out() && status != Status::SetAside;
                assert_eq!(found, expected, "{payment} {status}");
            }
        }
    }
}
