//! The deadline of a request's head. The HTTP library sets one before each head and takes it away after it, and
//! nearly none is ever reached: each goes into the runtime's wheel and out of it for nothing. Here one alarm stays in the
//! wheel from head to head, and when it rings it is asked which deadline counts by then.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

type Alarm = Pin<Box<tokio::time::Sleep>>;

/// Of one connection, which waits for one head at a time. Keeps the alarm between two of them.
#[derive(Clone, Default)]
pub struct HeadTimer(Arc<Mutex<Option<Alarm>>>);

impl HeadTimer {
    fn keep(&self, alarm: Option<Alarm>) -> Option<Alarm> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), alarm)
    }
}

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        // One that rings too late for this deadline is of no use.
        let kept = self.keep(None).filter(|alarm| alarm.deadline().into_std() <= deadline);
        let alarm = kept.unwrap_or_else(|| Box::pin(tokio::time::sleep_until(deadline.into())));
        Box::pin(Deadline { at: deadline, alarm: Some(alarm), timer: self.clone() })
    }
}

struct Deadline {
    at: Instant,
    /// There until this is dropped.
    alarm: Option<Alarm>,
    timer: HeadTimer,
}

impl Future for Deadline {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let at = self.at;
        let Some(alarm) = &mut self.alarm else { return Poll::Ready(()) };
        loop {
            ready!(alarm.as_mut().poll(context));
            if Instant::now() >= at {
                return Poll::Ready(());
            }
            alarm.as_mut().reset(at.into());
        }
    }
}

impl Sleep for Deadline {}

impl Drop for Deadline {
    fn drop(&mut self) {
        let alarm = self.alarm.take();
        self.timer.keep(alarm);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits for a deadline that much later than now; how long that took.
    async fn waited(timer: &HeadTimer, milliseconds: u64) -> Duration {
        let started = timer.now();
        timer.sleep(Duration::from_millis(milliseconds)).await;
        timer.now() - started
    }

    #[tokio::test]
    async fn every_deadline_is_kept_whichever_alarm_was_kept_before_it() {
        let timer = HeadTimer::default();
        // Set, and not waited for: what stays rings after 40 milliseconds.
        drop(timer.sleep(Duration::from_millis(40)));
        for milliseconds in [120, 20, 60, 1] {
            let waited = waited(&timer, milliseconds).await;
            assert!(waited >= Duration::from_millis(milliseconds), "{waited:?} of {milliseconds} ms");
        }
        // An alarm that is set for later than the next deadline is of no use to it.
        let timer = HeadTimer::default();
        drop(timer.sleep(Duration::from_secs(3600)));
        let soon = tokio::time::timeout(Duration::from_secs(20), waited(&timer, 1)).await;
        soon.expect("a millisecond, and not the hour before it");
    }
}
