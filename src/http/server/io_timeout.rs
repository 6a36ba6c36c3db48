//! Wraps a connection's stream: times out a client that does not read its answer, records its progress, and closes so that
//! a client that is still sending gets its whole answer.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::activity::{Activity, PROGRESS_BYTES};

/// How long an ended connection still reads what the client sends. When a socket is closed with bytes that nobody has
/// read, the kernel resets the connection and drops what it has not delivered of the answer.
const LINGER: Duration = Duration::from_secs(2);

pub struct TimeoutStream<S> {
    stream: S,
    activity: Arc<Activity>,
    /// Bytes written since the last progress minus bytes read since then. The answer to a PING is as long as the PING,
    /// so that PINGs are not progress.
    balance: i64,
    /// The activity's last progress that was seen here.
    since: u64,
    /// How long the client may read nothing while there is something to write.
    timeout: Duration,
    /// Runs while the client reads nothing.
    waiting: Option<Pin<Box<Sleep>>>,
    is_http_1: bool,
    /// Runs after the last answer while the client may still be sending.
    lingering: Option<Pin<Box<Sleep>>>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> TimeoutStream<S> {
    pub fn new(stream: S, activity: Arc<Activity>, timeout: Duration, is_http_1: bool) -> TimeoutStream<S> {
        TimeoutStream {
            stream,
            activity,
            balance: 0,
            since: 0,
            timeout,
            waiting: None,
            is_http_1,
            lingering: None,
        }
    }

    /// Turns a pending write into an error once it has been pending for the timeout.
    fn or_timeout<T>(
        &mut self,
        context: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.waiting = None;
            return polled;
        }
        let timeout = self.timeout;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(timeout)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client did not read its answer")))
    }

    /// Counts bytes written (positive) or read (negative).
    fn count(&mut self, bytes: i64) {
        let progress = self.activity.progress();
        if progress != self.since {
            (self.since, self.balance) = (progress, 0);
        }
        self.balance += bytes;
        if self.balance >= PROGRESS_BYTES as i64 {
            self.activity.note_progress();
        }
    }

    /// Whether the client may be sending a request that nobody reads: its body, or the rest of a head that the HTTP library
    /// has refused. HTTP/2 ends a single stream in that case.
    fn has_unread_request(&self) -> bool {
        self.is_http_1 && (self.activity.has_unread_body() || self.balance < 0)
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

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.count(before as i64 - buffer.filled().len() as i64);
        read
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for TimeoutStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        let written = ready!(self.or_timeout(context, polled))?;
        self.count(written as i64);
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        let written = ready!(self.or_timeout(context, polled))?;
        self.count(written as i64);
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.or_timeout(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.lingering.is_none() {
            let ended = Pin::new(&mut self.stream).poll_shutdown(context);
            ready!(self.or_timeout(context, ended))?;
        }
        if self.has_unread_request() {
            ready!(self.poll_discard(context));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn only_reading_a_kilobyte_more_than_was_sent_counts_as_progress() {
        let activity = Arc::new(Activity::new(Instant::now()));
        let (mut client, server) = duplex(1 << 16);
        let mut server = TimeoutStream::new(server, Arc::clone(&activity), Duration::from_secs(60), true);
        let before = activity.progress();
        // Many pings at once, and all their answers at once.
        for _ in 0..3 {
            client.write_all(&[0; 4096]).await.expect("sent");
            server.read_exact(&mut [0; 4096]).await.expect("read");
            server.write_all(&[0; 4096 + 300]).await.expect("written");
        }
        assert_eq!(activity.progress(), before);
        server.write_all(&[0; 200]).await.expect("written");
        let after = activity.progress();
        assert!(after > before);
        // A complete request counts as progress and resets the balance, regardless of its size.
        client.write_all(&[0; 8192]).await.expect("sent");
        server.read_exact(&mut [0; 8192]).await.expect("read");
        activity.note_request();
        let asked = activity.progress();
        server.write_all(&[0; 1024]).await.expect("written");
        assert!(asked > after && activity.progress() > asked);
    }
}
