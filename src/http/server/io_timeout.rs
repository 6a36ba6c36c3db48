//! A connection's bytes on their way: cuts off a client that does not read its answer, notes what it
//! takes, and gives the HTTP library's own refusals the words and headers that all our answers have.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::activity::{Activity, SOME_BYTES};
use super::refusals::Refusals;

pub struct Patient<S> {
    stream: S,
    activity: Arc<Activity>,
    /// Bytes that the client, or its machine for it, has taken since the last progress, less those that it has sent
    /// since: an answer to a PING is as long as the PING, and taking it is no progress.
    balance: i64,
    /// The last progress that was seen here.
    since: u64,
    patience: Duration,
    /// Runs while the client takes nothing.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Ready refusals, where the connection speaks HTTP/1.
    refusals: Option<Arc<Refusals>>,
    /// What stands in for bytes that the library believes are written.
    instead: Option<(Vec<u8>, usize)>,
}

impl<S: AsyncWrite + Unpin> Patient<S> {
    pub fn new(
        stream: S,
        activity: Arc<Activity>,
        patience: Duration,
        refusals: Option<Arc<Refusals>>,
    ) -> Patient<S> {
        Patient { stream, activity, balance: 0, since: 0, patience, waiting: None, refusals, instead: None }
    }

    /// Ends the wait, or keeps it, after the stream was asked to take something.
    fn judge<T>(&mut self, context: &mut Context<'_>, taken: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if taken.is_ready() {
            self.waiting = None;
            return taken;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client did not read its answer")))
    }

    /// Bytes that the client has taken, or, below zero, sent.
    fn count(&mut self, bytes: i64) {
        let progress = self.activity.progress();
        if progress != self.since {
            (self.since, self.balance) = (progress, 0);
        }
        self.balance += bytes;
        if self.balance >= SOME_BYTES as i64 {
            self.activity.note_progress();
        }
    }

    /// Writes what stands in for the library's bytes, to its end.
    fn write_instead(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some((bytes, at)) = &self.instead {
            if *at == bytes.len() {
                self.instead = None;
                break;
            }
            let taken = Pin::new(&mut self.stream).poll_write(context, &bytes[*at..]);
            let taken = ready!(self.judge(context, taken))?;
            if taken == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.count(taken as i64);
            if let Some((_, at)) = &mut self.instead {
                *at += taken;
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Whether these first bytes of an answer are the library's own refusal, and are replaced by ours.
    fn replaces(&mut self, bytes: &[u8]) -> bool {
        let Some(ours) = self.refusals.as_ref().and_then(|refusals| refusals.instead_of(bytes)) else {
            return false;
        };
        self.instead = Some((ours, 0));
        true
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Patient<S> {
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

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.write_instead(context))?;
        if self.replaces(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        let taken = Pin::new(&mut self.stream).poll_write(context, bytes);
        let taken = ready!(self.judge(context, taken))?;
        self.count(taken as i64);
        Poll::Ready(Ok(taken))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.write_instead(context))?;
        let whole: usize = slices.iter().map(|slice| slice.len()).sum();
        let first = slices.iter().find(|slice| !slice.is_empty());
        if first.is_some_and(|first| first.len() == whole && self.replaces(first)) {
            return Poll::Ready(Ok(whole));
        }
        let taken = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        let taken = ready!(self.judge(context, taken))?;
        self.count(taken as i64);
        Poll::Ready(Ok(taken))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.write_instead(context))?;
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.write_instead(context))?;
        let ended = Pin::new(&mut self.stream).poll_shutdown(context);
        self.judge(context, ended)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn taking_as_much_as_was_sent_is_no_progress_and_taking_a_kilobyte_more_is() {
        let activity = Arc::new(Activity::new(Instant::now()));
        let (mut client, server) = duplex(1 << 16);
        let mut server = Patient::new(server, Arc::clone(&activity), Duration::from_secs(60), None);
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
        // A request, or a part of a body, is progress by itself, and what it cost to send is not held against it.
        client.write_all(&[0; 8192]).await.expect("sent");
        server.read_exact(&mut [0; 8192]).await.expect("read");
        activity.note_request();
        let asked = activity.progress();
        server.write_all(&[0; 1024]).await.expect("written");
        assert!(asked > after && activity.progress() > asked);
    }
}
