//! Who may call a path: the type of its handler's second argument decides.

use std::future::Future;
use std::sync::Arc;

use http::Method;
use warp::reply::Response;

use super::call::Call;
use super::route::{Endpoint, public};
use crate::admin::sessions::Session;
use crate::app::App;
use crate::door;
use crate::error::{Error, Result};
use crate::http::blocking::blocking;
use crate::judging;

/// The largest body that is read before a request is refused.
pub const MAX_BODY: usize = 1 << 20;

/// Who may call a path: somebody who must be signed in (an organiser, a competitor, a judge, a volunteer's device), or
/// everybody while a condition holds.
pub trait Caller: Sized + Send + 'static {
    /// Identifies the caller. For a write, also checks that the request comes from our own page or from a script.
    ///
    /// # Errors
    /// The answer to a request that is refused: [`Error::Unauthorised`] if nobody is signed in.
    fn identify(call: &mut Call) -> impl Future<Output = Result<Self>> + Send;
}

/// A handler that only such a caller may call.
pub fn for_caller<C, F, Fut>(method: Method, handler: F) -> Endpoint
where
    C: Caller,
    F: Fn(Call, C) -> Fut + Send + Sync + Copy + 'static,
    Fut: Future<Output = Result<Response>> + Send + 'static,
{
    public(method, move |mut call: Call| async move {
        match C::identify(&mut call).await {
            Ok(caller) => {
                discard_body(&mut call).await;
                handler(call, caller).await
            }
            Err(error) => refuse(&mut call, error).await,
        }
    })
}

/// A handler that only a signed-in organiser may call; others get `401`.
pub fn organiser<F, Fut>(method: Method, handler: F) -> Endpoint
where
    F: Fn(Call, Session) -> Fut + Send + Sync + Copy + 'static,
    Fut: Future<Output = Result<Response>> + Send + 'static,
{
    for_caller(method, move |call: Call, session: Session| async move {
        let (app, is_write) = (Arc::clone(&call.state.app), call.method != Method::GET);
        let response = handler(call, session).await?;
        if is_write && let Err(error) = blocking(&app, update_dependents).await {
            tracing::error!("sheets and tickets could not be updated: {}", error.for_log());
        }
        Ok(response)
    })
}

/// Gives judges the sheets and guests the tickets that follow from an organiser's change. The jobs of each minute do so, too;
/// this way the next page that the organiser opens shows them.
fn update_dependents(app: &App) -> Result<()> {
    let assigned = judging::assign_due_work(app);
    door::follow_registrations(app)?;
    assigned
}

/// Reads a body that the handler of a `GET` or a `DELETE` does not look at.
async fn discard_body(call: &mut Call) {
    if matches!(call.method, Method::GET | Method::DELETE) {
        let _ = call.bytes(MAX_BODY).await;
    }
}

/// Reads the body before it refuses the call: some clients show a reset connection instead of an answer that comes while
/// they still send.
async fn refuse(call: &mut Call, error: Error) -> Result<Response> {
    let _ = call.bytes(MAX_BODY).await;
    Err(error)
}
