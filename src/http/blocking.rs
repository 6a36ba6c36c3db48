//! Runs use cases on blocking threads, so that they do not block the threads that serve connections.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::app::App;
use crate::error::{Error, Result};

/// How long a request waits for a permit to call the payment provider.
const PERMIT_TIMEOUT: Duration = Duration::from_secs(20);

/// Runs a use case on a blocking thread.
pub async fn blocking<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T> + Send + 'static,
) -> Result<T> {
    let app = Arc::clone(app);
    tokio::task::spawn_blocking(move || work(&app))
        .await
        .unwrap_or_else(|_| Err(Error::Internal("a use case panicked".into())))
}

/// Like [`blocking`], after waiting for a permit. The permit is held until the work is done, even if the client has
/// disconnected.
///
/// # Errors
/// [`Error::Unavailable`] when no permit became free in time.
pub async fn with_permit<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T> + Send + 'static,
) -> Result<T> {
    let permit = tokio::time::timeout(PERMIT_TIMEOUT, Arc::clone(permits).acquire_owned()).await;
    let Ok(Ok(permit)) = permit else {
        return Err(Error::Unavailable("too many requests wait for the payment provider".into()));
    };
    blocking(app, move |app| {
        let _permit = permit;
        work(app)
    })
    .await
}
