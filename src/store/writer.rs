//! The writer thread. It takes all waiting jobs, runs each in a savepoint of one transaction, commits once and then answers
//! the callers: 64 waiting callers share one flush to disk, and a single caller does not wait for others. A bulk job, such
//! as a piece of an upload, has a transaction of its own and gives way: other jobs wait for at most one of them.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::checkpointer::Checkpointer;
use crate::error::{Error, Result};

/// The most jobs in one commit, so that the first one does not wait for an endless queue.
const BATCH: usize = 256;

/// What a caller wants done, and how it hears of it. The fields are dropped in this order: see [`Writer::run`].
struct Job {
    /// Runs in the open savepoint and says whether to keep what it did. Without a connection there is no transaction, and the
    /// job is refused.
    work: Work<'static>,
    /// Wakes the caller after the commit, with the reason if it failed.
    answer: Answer,
}

type Work<'a> = Box<dyn FnOnce(Option<&Connection>) -> bool + Send + 'a>;
type Answer = Box<dyn FnOnce(std::result::Result<(), String>) + Send>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    Normal,
    /// Gives way to the others.
    Bulk,
}

pub struct Writer {
    jobs: Option<Sender<(Priority, Job)>>,
    waiting: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
    /// Ends when the thread has closed the connection.
    checkpointer: Option<Checkpointer>,
}

impl Writer {
    pub fn start(mut connection: Connection) -> Result<Writer> {
        let checkpointer = Some(Checkpointer::start(&mut connection)?);
        let (jobs, queue) = channel();
        let thread =
            thread::Builder::new().name("store-writer".into()).spawn(move || serve(&connection, &queue))?;
        Ok(Writer { jobs: Some(jobs), waiting: Arc::default(), thread: Some(thread), checkpointer })
    }

    /// The number of callers that wait for their work to be on disk.
    pub fn queue_length(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Blocks until `work` is on disk or has failed, so `work` may borrow from the caller.
    pub fn run<T: Send>(
        &self,
        priority: Priority,
        work: impl FnOnce(&Connection) -> Result<T> + Send,
    ) -> Result<T> {
        let mut outcome = None;
        let slot = &mut outcome;
        let work: Work<'_> = Box::new(move |connection| {
            let result = attempt(connection, work);
            let keep = result.is_ok();
            *slot = Some(result);
            keep
        });
        // SAFETY: the writer thread may use what `work` borrows until `work` is gone. This function returns only when
        // `answer` was called or dropped, and `Job` gives up `work` before `answer`, also when the thread unwinds.
        #[expect(
            unsafe_code,
            reason = "std has scoped threads, and no scoped job for a thread that lives on"
        )]
        let work = unsafe { std::mem::transmute::<Work<'_>, Work<'static>>(work) };
        let (answer, answered) = sync_channel(1);
        self.submit(priority, Job { work, answer: Box::new(move |committed| drop(answer.send(committed))) })?;
        answered.recv().map_err(|_| ended())?.map_err(Error::Unavailable)?;
        outcome.unwrap_or_else(|| Err(ended()))
    }

    /// Like [`Writer::run`], without blocking a thread. The work is done even if the future is dropped.
    pub async fn run_async<T: Send + 'static>(
        &self,
        priority: Priority,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (send_outcome, outcome) = oneshot::channel();
        let work = Box::new(move |connection: Option<&Connection>| {
            let result = attempt(connection, work);
            let keep = result.is_ok();
            let _ = send_outcome.send(result);
            keep
        });
        let (answer, answered) = oneshot::channel();
        self.submit(priority, Job { work, answer: Box::new(move |committed| drop(answer.send(committed))) })?;
        answered.await.map_err(|_| ended())?.map_err(Error::Unavailable)?;
        outcome.await.map_err(|_| ended())?
    }

    fn submit(&self, priority: Priority, Job { work, answer }: Job) -> Result<()> {
        let waiting = Arc::clone(&self.waiting);
        let answer: Answer = Box::new(move |committed| {
            waiting.fetch_sub(1, Ordering::Relaxed);
            answer(committed);
        });
        let jobs = self.jobs.as_ref().ok_or_else(ended)?;
        self.waiting.fetch_add(1, Ordering::Relaxed);
        jobs.send((priority, Job { work, answer })).map_err(|_| ended())
    }
}

fn attempt<T>(connection: Option<&Connection>, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    let connection =
        connection.ok_or_else(|| Error::Unavailable("no transaction could be started".into()))?;
    catch_unwind(AssertUnwindSafe(|| work(connection)))
        .unwrap_or_else(|_| Err(Error::Internal("a write panicked; it was undone".into())))
}

fn ended() -> Error {
    Error::Unavailable("the writer thread has ended".into())
}

impl Drop for Writer {
    /// Finishes the queued jobs, then closes the connections, which also checkpoints the log.
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        drop(self.checkpointer.take());
    }
}

fn serve(connection: &Connection, queue: &Receiver<(Priority, Job)>) {
    let mut bulk = VecDeque::new();
    loop {
        let mut next = if bulk.is_empty() { queue.recv().ok() } else { queue.try_recv().ok() };
        if next.is_none() && bulk.is_empty() {
            return;
        }
        let mut batch = Vec::new();
        while let Some((priority, job)) = next {
            match priority {
                Priority::Normal => batch.push(job),
                Priority::Bulk => bulk.push_back(job),
            }
            next = if batch.len() < BATCH { queue.try_recv().ok() } else { None };
        }
        if !batch.is_empty() {
            commit(connection, batch);
        }
        // One after each batch, so that bulk jobs are never left waiting for ever.
        if let Some(job) = bulk.pop_front() {
            commit(connection, vec![job]);
        }
    }
}

fn commit(connection: &Connection, batch: Vec<Job>) {
    let begun = connection.execute_batch("begin immediate").map_err(|error| error.to_string());
    let answers: Vec<Answer> = batch.into_iter().map(|job| in_savepoint(connection, job)).collect();
    let committed = begun.and_then(|()| finish(connection));
    for answer in answers {
        answer(committed.clone());
    }
}

fn in_savepoint(connection: &Connection, job: Job) -> Answer {
    // There is no transaction: it did not start, or SQLite rolled it back because the disk is full. A savepoint would start
    // its own transaction and commit a job that is then reported as failed.
    if connection.is_autocommit() || run(connection, "savepoint job").is_err() {
        (job.work)(None);
        return job.answer;
    }
    let keep = (job.work)(Some(connection));
    if !connection.is_autocommit() {
        let undone = if keep { Ok(()) } else { run(connection, "rollback to job") };
        if undone.and_then(|()| run(connection, "release job")).is_err() {
            // One job cannot be rolled back, so the whole batch is. `finish` then reports the failure to all callers.
            let _ = connection.execute_batch("rollback");
        }
    }
    job.answer
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
    use std::sync::Mutex;
    use std::time::{Duration, Instant};

    use super::*;

    fn writer(folder: &tempfile::TempDir) -> Writer {
        let connection = super::super::connection::open(&folder.path().join("test.db")).expect("a database");
        connection.execute_batch("create table t (n integer primary key)").expect("a table");
        Writer::start(connection).expect("a thread")
    }

    fn count(writer: &Writer) -> i64 {
        writer
            .run(Priority::Normal, |c| Ok(c.query_row("select count(*) from t", [], |row| row.get(0))?))
            .expect("a count")
    }

    #[test]
    fn a_failing_job_rolls_back_only_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = writer(&folder);
        let numbers: Vec<i64> = (0..40).collect();
        fn insert<'a>(writer: &Writer, n: &'a i64) -> Result<&'a i64> {
            writer.run(Priority::Normal, |c| {
                c.execute("insert into t values (?)", [n])?;
                match n % 4 {
                    0 => Err(Error::Conflict("no".into())),
                    1 => panic!("a job that panics"),
                    _ => Ok(n),
                }
            })
        }
        thread::scope(|scope| {
            for n in &numbers {
                let writer = &writer;
                scope.spawn(move || match (n % 4, insert(writer, n)) {
                    (0, answer) => assert!(matches!(answer, Err(Error::Conflict(_)))),
                    (1, answer) => assert!(matches!(answer, Err(Error::Internal(_)))),
                    (_, answer) => assert!(std::ptr::eq(answer.expect("kept"), n)),
                });
            }
        });
        assert_eq!(count(&writer), 20);
    }

    #[test]
    fn a_failed_commit_is_reported_to_every_caller() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = writer(&folder);
        // Simulates a full disk: no further page may be allocated.
        writer
            .run(Priority::Normal, |c| Ok(c.execute_batch("pragma max_page_count = 1")?))
            .expect("a pragma");
        let answer = writer.run(Priority::Normal, |c| {
            c.execute("insert into t select value from generate_series(1, 1)", []).ok();
            c.execute_batch("create table big (b blob); insert into big values (zeroblob(100000));")?;
            Ok(())
        });
        assert!(matches!(answer, Err(Error::Unavailable(_))), "{answer:?}");
        assert_eq!(count(&writer), 0);
    }

    #[tokio::test]
    async fn work_is_done_even_if_nobody_waits_for_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = writer(&folder);
        let insert = |n: i64| {
            writer.run_async(Priority::Normal, move |c| Ok(c.execute("insert into t values (?)", [n])?))
        };
        {
            let mut gone = std::pin::pin!(insert(1));
            // Queues it. The answer comes from another thread, perhaps before this returns.
            let polled = std::future::poll_fn(|context| std::task::Poll::Ready(gone.as_mut().poll(context)));
            let _ = polled.await;
        }
        assert_eq!(insert(2).await.expect("kept"), 1);
        let rows = writer.run_async(Priority::Normal, |c| {
            Ok(c.query_row("select count(*) from t", [], |row| row.get::<_, i64>(0))?)
        });
        assert_eq!((rows.await.expect("a count"), writer.queue_length()), (2, 0));
    }

    #[test]
    fn other_jobs_wait_for_at_most_one_bulk_job() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = writer(&folder);
        let order = Arc::new(Mutex::new(Vec::new()));
        let submit = |name: &'static str, priority, until: Option<Receiver<()>>| {
            let order = Arc::clone(&order);
            let (begun, has_begun) = channel();
            let work = move |_: &Connection| {
                let _ = begun.send(());
                if let Some(until) = until {
                    let _ = until.recv();
                }
                order.lock().expect("a lock").push(name);
                Ok(())
            };
            let (answer, answered) = channel();
            let work = Box::new(move |connection: Option<&Connection>| attempt(connection, work).is_ok());
            let answer = Box::new(move |committed| drop(answer.send(committed)));
            writer.submit(priority, Job { work, answer }).expect("queued");
            (answered, has_begun)
        };
        let (let_first_go, first_may_go) = channel();
        let (let_bulk_go, bulk_may_go) = channel();
        let (_, first_has_begun) = submit("first", Priority::Normal, Some(first_may_go));
        first_has_begun.recv().expect("begun");
        let (_, bulk_has_begun) = submit("bulk 1", Priority::Bulk, Some(bulk_may_go));
        submit("bulk 2", Priority::Bulk, None);
        let (last, _) = submit("bulk 3", Priority::Bulk, None);
        let (second, _) = submit("second", Priority::Normal, None);
        let (third, _) = submit("third", Priority::Normal, None);
        let_first_go.send(()).expect("it waits");
        // Both were committed before the bulk job, which is not over.
        second.recv().expect("an answer").expect("kept");
        third.recv().expect("an answer").expect("kept");
        bulk_has_begun.recv().expect("begun");
        let (fourth, _) = submit("fourth", Priority::Normal, None);
        let_bulk_go.send(()).expect("it waits");
        fourth.recv().expect("an answer").expect("kept");
        last.recv().expect("an answer").expect("kept");
        let order = order.lock().expect("a lock");
        assert_eq!(*order, ["first", "second", "third", "bulk 1", "fourth", "bulk 2", "bulk 3"]);
    }

    #[test]
    fn the_log_is_checkpointed_while_the_writer_is_idle() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = writer(&folder);
        let bytes: u32 = 2_000 * 4_096;
        writer
            .run(Priority::Normal, |c| Ok(c.execute_batch("create table b (content blob)")?))
            .expect("a table");
        writer
            .run(Priority::Bulk, move |c| Ok(c.execute("insert into b values (zeroblob(?))", [bytes])?))
            .expect("a row");
        let deadline = Instant::now() + Duration::from_secs(60);
        let size = || folder.path().join("test.db").metadata().expect("a file").len();
        while size() < u64::from(bytes) {
            assert!(Instant::now() < deadline, "{} bytes", size());
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn the_log_stays_bounded_while_writes_never_pause() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = writer(&folder);
        let log = folder.path().join("test.db-wal");
        let run = |sql: &'static str| {
            writer.run(Priority::Bulk, move |c| Ok(c.execute_batch(sql)?)).expect("stored");
        };
        run("create table blobs (content blob)");
        let longest = thread::scope(|scope| {
            let callers: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        let store = |_| {
                            run("insert into blobs values (zeroblob(131072))");
                            log.metadata().expect("a file").len()
                        };
                        (0..300).map(store).max()
                    })
                })
                .collect();
            callers.into_iter().filter_map(|caller| caller.join().expect("it ends")).max()
        });
        // 157 MB were written.
        assert!(longest.expect("a length") < 80_000_000, "{longest:?}");
    }
}
