//! The writer thread. It takes all waiting jobs, runs each in a savepoint of one transaction, commits once and then answers
//! the callers: 64 waiting callers share one flush to disk, and a single caller does not wait for others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

use crate::error::{Error, Result};

/// The most jobs in one commit, so that the first one does not wait for an endless queue.
const BATCH: usize = 256;

/// Runs in the open savepoint. Without a connection there is no transaction, and the job is refused.
type Job = Box<dyn FnOnce(Option<&Connection>) -> Outcome + Send>;

struct Outcome {
    keep: bool,
    /// Answers the caller after the commit, or with the reason why it failed.
    answer: Box<dyn FnOnce(std::result::Result<(), String>) + Send>,
}

pub struct Writer {
    jobs: Option<Sender<Job>>,
    waiting: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub fn start(connection: Connection) -> Result<Writer> {
        let (jobs, queue) = channel();
        let thread =
            thread::Builder::new().name("store-writer".into()).spawn(move || serve(&connection, &queue))?;
        Ok(Writer { jobs: Some(jobs), waiting: Arc::default(), thread: Some(thread) })
    }

    /// The number of callers that wait for their work to be on disk.
    pub fn queue_length(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Blocks until `work` is on disk or has failed.
    pub fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = sync_channel(1);
        let job: Job = Box::new(move |connection| {
            let result = match connection {
                Some(connection) => catch_unwind(AssertUnwindSafe(|| work(connection)))
                    .unwrap_or_else(|_| Err(Error::Internal("a write panicked; it was undone".into()))),
                None => Err(Error::Unavailable("no transaction could be started".into())),
            };
            Outcome {
                keep: result.is_ok(),
                answer: Box::new(move |committed| {
                    let result = committed.map_err(Error::Unavailable).and(result);
                    // This fails only if the caller no longer waits.
                    let _ = answer.send(result);
                }),
            }
        });
        let gone = || Error::Unavailable("the writer thread has ended".into());
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let sent = self.jobs.as_ref().ok_or_else(gone).and_then(|jobs| jobs.send(job).map_err(|_| gone()));
        let answer = sent.and_then(|()| answered.recv().map_err(|_| gone()));
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        answer?
    }
}

impl Drop for Writer {
    /// Finishes the queued jobs, then closes the connection, which also checkpoints the log.
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(connection: &Connection, queue: &Receiver<Job>) {
    while let Ok(first) = queue.recv() {
        let batch = std::iter::once(first).chain(queue.try_iter().take(BATCH - 1)).collect();
        commit(connection, batch);
    }
}

fn commit(connection: &Connection, batch: Vec<Job>) {
    let begun = connection.execute_batch("begin immediate").map_err(|error| error.to_string());
    let outcomes: Vec<Outcome> = batch.into_iter().map(|job| in_savepoint(connection, job)).collect();
    let committed = begun.and_then(|()| finish(connection));
    for outcome in outcomes {
        (outcome.answer)(committed.clone());
    }
}

fn in_savepoint(connection: &Connection, job: Job) -> Outcome {
    // There is no transaction: it did not start, or SQLite rolled it back because the disk is full. A savepoint would start
    // its own transaction and commit a job that is then reported as failed.
    if connection.is_autocommit() || run(connection, "savepoint job").is_err() {
        return job(None);
    }
    let outcome = job(Some(connection));
    if !connection.is_autocommit() {
        let undone = if outcome.keep { Ok(()) } else { run(connection, "rollback to job") };
        if undone.and_then(|()| run(connection, "release job")).is_err() {
            // One job cannot be rolled back, so the whole batch is. `finish` then reports the failure to all callers.
            let _ = connection.execute_batch("rollback");
        }
    }
    outcome
}

/// Runs a cached statement, because these run for every job.
fn run(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([]).map(drop)
}

fn finish(connection: &Connection) -> std::result::Result<(), String> {
    if connection.is_autocommit() {
        return Err("the transaction was rolled back: the disk is full or failing".to_owned());
    }
    connection.execute_batch("commit").map_err(|error| {
        let _ = connection.execute_batch("rollback");
        error.to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writer(folder: &tempfile::TempDir) -> Writer {
        let connection = super::super::connection::open(&folder.path().join("test.db")).expect("a database");
        connection.execute_batch("create table t (n integer primary key)").expect("a table");
        Writer::start(connection).expect("a thread")
    }

    fn count(writer: &Writer) -> i64 {
        writer.run(|c| Ok(c.query_row("select count(*) from t", [], |row| row.get(0))?)).expect("a count")
    }

    #[test]
    fn a_failing_job_rolls_back_only_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = Arc::new(writer(&folder));
        let callers: Vec<_> = (0..40)
            .map(|n| {
                let writer = Arc::clone(&writer);
                thread::spawn(move || {
                    writer.run(move |c| {
                        c.execute("insert into t values (?)", [n])?;
                        match n % 4 {
                            0 => Err(Error::Conflict("no".into())),
                            1 => panic!("a job that panics"),
                            _ => Ok(n),
                        }
                    })
                })
            })
            .collect();
        for (n, caller) in (0..40).zip(callers) {
            let answer = caller.join().expect("the caller lives");
            match n % 4 {
                0 => assert!(matches!(answer, Err(Error::Conflict(_)))),
                1 => assert!(matches!(answer, Err(Error::Internal(_)))),
                _ => assert_eq!(answer.expect("kept"), n),
            }
        }
        assert_eq!(count(&writer), 20);
    }

    #[test]
    fn a_failed_commit_is_reported_to_every_caller() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = writer(&folder);
        // Simulates a full disk: no further page may be allocated.
        writer.run(|c| Ok(c.execute_batch("pragma max_page_count = 1")?)).expect("a pragma");
        let answer = writer.run(|c| {
            c.execute("insert into t select value from generate_series(1, 1)", []).ok();
            c.execute_batch("create table big (b blob); insert into big values (zeroblob(100000));")?;
            Ok(())
        });
        assert!(matches!(answer, Err(Error::Unavailable(_))), "{answer:?}");
        assert_eq!(count(&writer), 0);
    }

    #[test]
    fn the_queue_is_finished_before_the_writer_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = writer(&folder);
        for n in 0..10 {
            first.run(move |c| Ok(c.execute("insert into t values (?)", [n])?)).expect("kept");
        }
        drop(first);
        let connection = super::super::connection::open(&folder.path().join("test.db")).expect("a database");
        let rows: i64 =
            connection.query_row("select count(*) from t", [], |row| row.get(0)).expect("a count");
        assert_eq!(rows, 10);
    }
}
