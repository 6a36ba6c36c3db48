//! What a connection is doing, for deciding how long it may stay open.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::sync::Notify;

/// The bytes of a body or of an answer that count as progress.
pub const PROGRESS_BYTES: usize = 1024;

/// Written by the connection and read by the table of all connections.
pub struct Activity {
    /// The origin of `progress`: the same for all connections, so that they can be compared.
    epoch: Instant,
    /// When the last progress was, in nanoseconds. Progress is: the connection was accepted, a request arrived, an
    /// answer became ready, or [`PROGRESS_BYTES`] of a body or an answer were transferred. A PING or a WINDOW_UPDATE
    /// is not.
    progress: AtomicU64,
    has_requested: AtomicBool,
    /// Requests that are being answered.
    answering: AtomicUsize,
    /// The part of `answering` whose body has not fully arrived.
    receiving: AtomicUsize,
    /// Whether a request's body was not read to its end.
    has_unread_body: AtomicBool,
    ended: Notify,
}

impl Activity {
    pub fn new(epoch: Instant) -> Activity {
        Activity {
            epoch,
            progress: AtomicU64::new(nanoseconds_since(epoch)),
            has_requested: AtomicBool::new(false),
            answering: AtomicUsize::new(0),
            receiving: AtomicUsize::new(0),
            has_unread_body: AtomicBool::new(false),
            ended: Notify::new(),
        }
    }

    pub fn note_request(&self) {
        self.has_requested.store(true, Ordering::Relaxed);
        self.note_progress();
    }

    pub fn note_progress(&self) {
        self.progress.store(nanoseconds_since(self.epoch), Ordering::Release);
    }

    pub fn has_requested(&self) -> bool {
        self.has_requested.load(Ordering::Relaxed)
    }

    pub fn has_unread_body(&self) -> bool {
        self.has_unread_body.load(Ordering::Relaxed)
    }

    pub fn is_answering(&self) -> bool {
        self.answering.load(Ordering::Acquire) > 0
    }

    /// Whether a request has arrived completely and is not answered yet.
    pub fn is_working(&self) -> bool {
        self.answering.load(Ordering::Acquire) > self.receiving.load(Ordering::Acquire)
    }

    /// In nanoseconds since the epoch.
    pub fn progress(&self) -> u64 {
        self.progress.load(Ordering::Acquire)
    }

    /// The time since the last progress; zero while a request is being answered.
    pub fn silence(&self) -> Duration {
        if self.is_answering() {
            return Duration::ZERO;
        }
        Duration::from_nanos(nanoseconds_since(self.epoch).saturating_sub(self.progress()))
    }

    /// Makes the connection end now.
    pub fn end(&self) {
        self.ended.notify_one();
    }

    /// Waits for [`Activity::end`].
    pub async fn ended(&self) {
        self.ended.notified().await;
    }
}

/// Wraps around after 584 years.
pub fn nanoseconds_since(epoch: Instant) -> u64 {
    epoch.elapsed().as_nanos() as u64
}

/// Counts a request as being answered until it is dropped.
pub struct Answering(Arc<Activity>);

impl Answering {
    pub fn begin(activity: &Arc<Activity>) -> Answering {
        activity.answering.fetch_add(1, Ordering::Relaxed);
        Answering(Arc::clone(activity))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        // Progress first: a thread that sees the lower count must also see the progress.
        self.0.note_progress();
        self.0.answering.fetch_sub(1, Ordering::Release);
    }
}

/// Counts a request's body as incomplete until it is dropped.
struct Receiving {
    activity: Arc<Activity>,
    /// Bytes since the last progress.
    bytes: usize,
}

impl Receiving {
    fn begin(activity: &Arc<Activity>) -> Receiving {
        activity.receiving.fetch_add(1, Ordering::Relaxed);
        Receiving { activity: Arc::clone(activity), bytes: 0 }
    }

    fn count(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.bytes >= PROGRESS_BYTES {
            self.bytes = 0;
            self.activity.note_progress();
        }
    }
}

impl Drop for Receiving {
    fn drop(&mut self) {
        self.activity.receiving.fetch_sub(1, Ordering::Release);
    }
}

/// A request's body that reports its progress to the connection's [`Activity`].
pub struct Received {
    body: Incoming,
    /// `None` once the body is complete.
    receiving: Option<Receiving>,
}

impl Received {
    pub fn new(body: Incoming, activity: &Arc<Activity>) -> Received {
        let receiving = (!body.is_end_stream()).then(|| Receiving::begin(activity));
        Received { body, receiving }
    }
}

impl Drop for Received {
    fn drop(&mut self) {
        if let Some(receiving) = &self.receiving {
            receiving.activity.has_unread_body.store(true, Ordering::Relaxed);
        }
    }
}

impl Body for Received {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let (Some(data), Some(receiving)) = (frame.data_ref(), &mut self.receiving)
        {
            receiving.count(data.len());
        }
        if self.body.is_end_stream() || matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.receiving = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_worked_on_from_the_end_of_its_body_until_its_answer() {
        let activity = Arc::new(Activity::new(Instant::now()));
        let receiving = Receiving::begin(&activity);
        let answering = Answering::begin(&activity);
        assert!(activity.is_answering() && !activity.is_working());
        drop(receiving);
        assert!(activity.is_answering() && activity.is_working());
        drop(answering);
        assert!(!activity.is_answering() && !activity.is_working());
    }

    #[test]
    fn each_kilobyte_of_a_body_is_progress() {
        let activity = Arc::new(Activity::new(Instant::now()));
        let mut receiving = Receiving::begin(&activity);
        let before = activity.progress();
        (1..PROGRESS_BYTES).for_each(|_| receiving.count(1));
        assert_eq!(activity.progress(), before);
        receiving.count(1);
        assert!(activity.progress() > before);
    }
}
