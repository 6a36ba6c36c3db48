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

use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue};
use tokio::sync::Semaphore;
use warp::reply::Response;

use super::state::Desk;
use crate::app::App;
use crate::error::{Error, Result};

/// So long a request waits for its turn to ask the payment provider.
const PATIENCE: Duration = Duration::from_secs(20);

/// A mail as it is sent may use the styles within it and nothing else, and runs no script.
const MAIL_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox; frame-ancestors 'self'";

/// The HTML of a mail, for a frame of our own page.
pub fn mail_html(html: String) -> Response {
    let mut response = Response::new(html.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(MAIL_POLICY));
    response
}

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
