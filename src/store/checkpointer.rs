//! Checkpoints the writer's log on a thread of its own, so that no commit waits until megabytes have been copied.
//!
//! SQLite reuses the log from its start only when all of it has been copied. While commits keep coming, the thread alone never gets
//! there, so the commit that follows its checkpoint copies the little that was written meanwhile.

use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use rusqlite::hooks::Wal;
use rusqlite::wal::CheckpointMode;

use super::connection;
use crate::error::Result;

/// A checkpoint is requested each time the log has grown by this many pages.
const DUE: c_int = 1_000;
/// A log of this many pages makes the next commit run the checkpoint itself: the thread has not caught up, or a reader,
/// such as a standby's replication, keeps SQLite from reusing the log.
const OVERDUE: c_int = 16_000;

pub struct Checkpointer {
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Starts a thread that runs the checkpoints of `writer`'s commits. It ends when `writer` is closed.
    pub fn start(writer: &mut Connection) -> Result<Checkpointer> {
        let path = writer.path().unwrap_or_default().to_owned();
        // At most one request waits while a checkpoint runs.
        let (request, requests) = sync_channel(1);
        // The thread has ended a checkpoint since the last commit.
        let copied = Arc::new(AtomicBool::new(false));
        let thread_copied = Arc::clone(&copied);
        // The log's length when a checkpoint was last requested.
        let mut requested_at = 0;
        writer.wal_hook(Some(move |log: &mut Wal, pages: c_int| {
            // The log is shorter after SQLite has reused it from its start.
            requested_at = requested_at.min(pages);
            let is_due = pages - requested_at >= DUE;
            if is_due {
                requested_at = pages;
            }
            if copied.swap(false, Ordering::Relaxed) || (is_due && pages >= OVERDUE) {
                // It fails while the thread holds the lock; a later commit tries again.
                let _ = log.checkpoint_v2(CheckpointMode::PASSIVE);
            } else if is_due {
                let _ = request.try_send(());
            }
            Ok(())
        }))?;
        let thread = thread::Builder::new()
            .name("checkpointer".into())
            .spawn(move || serve(&path, &requests, &thread_copied))?;
        Ok(Checkpointer { thread: Some(thread) })
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(path: &str, requests: &Receiver<()>, copied: &AtomicBool) {
    // Most commands write little and never need it.
    let mut opened = None;
    while requests.recv().is_ok() {
        if opened.is_none() {
            opened = connection::open(path.as_ref()).ok();
        }
        let Some(connection) = &opened else { continue };
        // Without a checkpoint the log grows, nothing is lost, and a later commit asks again. If the disk is full or fails,
        // writes fail, too, and say so.
        let done = connection.wal_checkpoint_v2(None::<&str>, CheckpointMode::PASSIVE);
        copied.store(done.is_ok(), Ordering::Relaxed);
    }
}
