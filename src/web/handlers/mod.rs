//! Parse, call the use case, reply: one short function a request.

pub mod accounts;
pub mod admin;
pub mod desk;
pub mod export;
pub mod health;
pub mod lists;
pub mod payments;
pub mod registrations;
pub mod reports;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use super::desk::Desk;
use crate::app::App;
use crate::error::{Error, Result};

/// So long a request waits for its turn to ask the payment provider.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs a use case, which blocks, off the threads that serve connections.
pub async fn blocking<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T> + Send + 'static,
) -> Result<T> {
    let app = Arc::clone(app);
    tokio::task::spawn_blocking(move || work(&app))
        .await
        .unwrap_or_else(|_| Err(Error::Internal("a use case panicked".into())))
}

/// As [`blocking`], for what asks the payment provider for a visitor or an organiser: only so many at once.
///
/// # Errors
/// [`Error::Unavailable`] when no turn came.
pub async fn asking<T: Send + 'static>(
    desk: &Desk,
    work: impl FnOnce(&App) -> Result<T> + Send + 'static,
) -> Result<T> {
    in_turn(&desk.payments, &desk.app, work).await
}

/// Runs a use case that asks the payment provider once one of these turns is free.
///
/// # Errors
/// [`Error::Unavailable`] when no turn came.
pub async fn in_turn<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T> + Send + 'static,
) -> Result<T> {
    let turn = tokio::time::timeout(PATIENCE, Arc::clone(turns).acquire_owned()).await;
    let busy = || Error::Unavailable("too many requests wait for the payment provider".into());
    let turn = turn.map_err(|_| busy())?.map_err(|_| busy())?;
    blocking(app, move |app| {
        // Held for as long as the work goes on, also when the client has left.
        let _turn = turn;
        work(app)
    })
    .await
}
