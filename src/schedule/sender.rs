//! Empties the outbox, one mail at a time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::TICK;
use crate::app::App;
use crate::mail::Mailer;
use crate::outbox;

pub fn run(app: &App, mailer: &Mailer, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        match outbox::deliver_next(app, mailer) {
            Ok(true) => {}
            Ok(false) => thread::sleep(TICK),
            Err(error) => {
                tracing::error!("the outbox: {}", error.cause().unwrap_or(&error.to_string()));
                thread::sleep(TICK * 25);
            }
        }
    }
}
