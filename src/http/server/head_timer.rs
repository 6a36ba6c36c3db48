//! The timeout of a request's head. The HTTP library creates and drops a timer for each head, and nearly none ever
//! fires. Here a connection keeps one timer registered with the runtime and resets it only when it fires too early.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

type TokioSleep = Pin<Box<tokio::time::Sleep>>;

/// The timer of one connection, which waits for one head at a time. Holds the runtime's timer between two heads.
#[derive(Clone, Default)]
pub struct HeadTimer(Arc<Mutex<Option<TokioSleep>>>);

impl HeadTimer {
    fn replace(&self, sleep: Option<TokioSleep>) -> Option<TokioSleep> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), sleep)
    }
}

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        // A timer that fires after this deadline cannot be reused.
        let kept = self.replace(None).filter(|sleep| sleep.deadline().into_std() <= deadline);
        let sleep = kept.unwrap_or_else(|| Box::pin(tokio::time::sleep_until(deadline.into())));
        Box::pin(Deadline { at: deadline, sleep: Some(sleep), timer: self.clone() })
    }
}

struct Deadline {
    at: Instant,
    /// `Some` until this is dropped.
    sleep: Option<TokioSleep>,
    timer: HeadTimer,
}

impl Future for Deadline {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let at = self.at;
        let Some(sleep) = &mut self.sleep else { return Poll::Ready(()) };
        loop {
            ready!(sleep.as_mut().poll(context));
            if Instant::now() >= at {
                return Poll::Ready(());
            }
            sleep.as_mut().reset(at.into());
        }
    }
}

impl Sleep for Deadline {}

impl Drop for Deadline {
    fn drop(&mut self) {
        let sleep = self.sleep.take();
        self.timer.replace(sleep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits for a deadline this far from now and returns how long that took.
    async fn waited(timer: &HeadTimer, milliseconds: u64) -> Duration {
        let started = timer.now();
        timer.sleep(Duration::from_millis(milliseconds)).await;
        timer.now() - started
    }

    #[tokio::test]
    async fn every_deadline_is_kept_whichever_timer_is_reused() {
        let timer = HeadTimer::default();
        // Created and dropped: the timer that is kept fires after 40 milliseconds.
        drop(timer.sleep(Duration::from_millis(40)));
        for milliseconds in [120, 20, 60, 1] {
            let waited = waited(&timer, milliseconds).await;
            assert!(waited >= Duration::from_millis(milliseconds), "{waited:?} of {milliseconds} ms");
        }
        // A timer that fires after the next deadline is not reused.
        let timer = HeadTimer::default();
        drop(timer.sleep(Duration::from_secs(3600)));
        let soon = tokio::time::timeout(Duration::from_secs(20), waited(&timer, 1)).await;
        soon.expect("a millisecond, and not the hour before it");
    }
}
