//! Who may call a path: the type of its handler's second argument decides.

use std::future::Future;

use http::Method;
use warp::reply::Response;

use super::call::Call;
use super::route::{Endpoint, public};
use crate::error::{Error, Result};

/// The largest body that is read before a request is refused.
pub const MAX_BODY: usize = 1 << 20;

/// Who may call a path: somebody who must be signed in (a competitor, a judge, a volunteer's device), or everybody while a
/// condition holds.
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
