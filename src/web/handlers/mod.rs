//! Parse, call the use case, reply: one short function a request.

pub mod admin;
pub mod export;
pub mod health;
pub mod lists;
pub mod payments;
pub mod registrations;
pub mod reports;

use crate::app::App;
use crate::error::{Error, Result};
use std::sync::Arc;

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
