//! The activity of a connection, from which the server decides whether its client still makes progress.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::Version;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// The bytes of an answer that count as progress.
const PROGRESS_BYTES: i64 = 1024;

/// How long an ended connection still reads what the client sends. When a socket is closed with bytes that nobody has
/// read, the kernel resets the connection and drops what it has not delivered of the answer.
const LINGER: Duration = Duration::from_secs(2);

#[derive(Default)]
pub struct Activity {
    /// Requests that have arrived, and answers that have become ready.
    steps: AtomicUsize,
    answering: AtomicUsize,
    /// Bytes written minus bytes read. The answer to a PING is as long as the PING, so that PINGs are not progress.
    balance: AtomicI64,
    /// Whether a request's body was not read to its end.
    has_unread_body: AtomicBool,
}

/// What was seen of an [`Activity`] when it last made progress.
#[derive(Default)]
pub struct Snapshot {
    steps: usize,
    balance: i64,
}

impl Activity {
    pub fn has_received_request(&self) -> bool {
        self.steps.load(Relaxed) > 0
    }

    pub fn has_unread_body(&self) -> bool {
        self.has_unread_body.load(Relaxed)
    }

    /// Whether a request is being answered, or there was progress since it was last seen: a request, an answer, or
    /// [`PROGRESS_BYTES`] of one that the client has taken.
    pub fn has_progressed(&self, seen: &mut Snapshot) -> bool {
        let now = Snapshot { steps: self.steps.load(Relaxed), balance: self.balance.load(Relaxed) };
        let has_progressed = self.answering.load(Relaxed) > 0
            || now.steps != seen.steps
            || now.balance - seen.balance >= PROGRESS_BYTES;
        if has_progressed {
            *seen = now;
        }
        has_progressed
    }
}

/// Counts a request as being answered until it is dropped.
pub struct Answering<'a>(&'a Activity);

impl Answering<'_> {
    pub fn begin(activity: &Activity) -> Answering<'_> {
        activity.answering.fetch_add(1, Relaxed);
        activity.steps.fetch_add(1, Relaxed);
        Answering(activity)
    }
}

impl Drop for Answering<'_> {
    fn drop(&mut self) {
        self.0.steps.fetch_add(1, Relaxed);
        self.0.answering.fetch_sub(1, Relaxed);
    }
}

/// A request's body. The connection learns whether it was read to its end.
pub struct RequestBody {
    body: Incoming,
    has_ended: bool,
    activity: Arc<Activity>,
}

impl RequestBody {
    pub fn new(body: Incoming, activity: &Arc<Activity>) -> RequestBody {
        RequestBody { has_ended: body.is_end_stream(), body, activity: Arc::clone(activity) }
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if !self.has_ended {
            self.activity.has_unread_body.store(true, Relaxed);
        }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        self.has_ended |= self.body.is_end_stream() || matches!(polled, Poll::Ready(None | Some(Err(_))));
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection's stream. It counts bytes, and closes so that a client that is still sending gets its whole answer.
pub struct CountedStream<S> {
    stream: S,
    activity: Arc<Activity>,
    version: Version,
    /// Runs after the last answer while the client may still be sending.
    lingering: Option<Pin<Box<Sleep>>>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> CountedStream<S> {
    pub fn new(stream: S, activity: Arc<Activity>, version: Version) -> CountedStream<S> {
        CountedStream { stream, activity, version, lingering: None }
    }

    fn count_written(&self, polled: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(written)) = &polled {
            self.activity.balance.fetch_add(*written as i64, Relaxed);
        }
        polled
    }

    /// Whether the client may be sending a request that nobody reads: its body, or the rest of a head that the HTTP library
    /// has refused. HTTP/2 ends a single stream in that case.
    fn has_unread_request(&self) -> bool {
        self.version != Version::HTTP_2
            && (self.activity.has_unread_body() || self.activity.balance.load(Relaxed) < 0)
    }

    /// Reads and drops what the client sends, until it closes its side or for [`LINGER`].
    fn poll_discard(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let lingering = self.lingering.get_or_insert_with(|| Box::pin(sleep(LINGER)));
        let mut bytes = [0; 4096];
        while lingering.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut bytes);
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for CountedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.activity.balance.fetch_sub((buffer.filled().len() - before) as i64, Relaxed);
        read
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for CountedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.count_written(polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.count_written(polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.lingering.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        }
        if self.has_unread_request() {
            ready!(self.poll_discard(context));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn a_request_an_answer_and_a_kilobyte_of_one_are_progress_and_pings_are_not() {
        let activity = Arc::new(Activity::default());
        let mut seen = Snapshot::default();
        let (mut client, server) = duplex(1 << 16);
        let mut server = CountedStream::new(server, Arc::clone(&activity), Version::HTTP_11);
        assert!(!activity.has_progressed(&mut seen) && !activity.has_received_request());
        // Many pings at once, and all their answers at once.
        for _ in 0..3 {
            client.write_all(&[0; 4096]).await.expect("sent");
            server.read_exact(&mut [0; 4096]).await.expect("read");
            server.write_all(&[0; 4096 + 300]).await.expect("written");
        }
        assert!(!activity.has_progressed(&mut seen));
        server.write_all(&[0; 200]).await.expect("written");
        assert!(activity.has_progressed(&mut seen) && !activity.has_progressed(&mut seen));
        // A request counts, regardless of its size.
        client.write_all(&[0; 8192]).await.expect("sent");
        server.read_exact(&mut [0; 8192]).await.expect("read");
        assert!(!activity.has_progressed(&mut seen));
        let answering = Answering::begin(&activity);
        assert!(activity.has_progressed(&mut seen) && activity.has_progressed(&mut seen));
        drop(answering);
        assert!(activity.has_progressed(&mut seen) && !activity.has_progressed(&mut seen));
        server.write_all(&[0; 1024]).await.expect("written");
        assert!(activity.has_progressed(&mut seen) && activity.has_received_request());
    }
}
