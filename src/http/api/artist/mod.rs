//! What competitors call. While the Artist Portal is closed, there is nothing at these addresses.

pub mod access;
pub mod cookie;
pub mod nominations;
pub mod relations;
pub mod releases;
pub mod uploads;

use std::future::Future;

use http::Method;
use warp::reply::Response;

use super::call::Call;
use super::route::{Endpoint, public};
use super::session::require_own_origin;
use crate::app::App;
use crate::error::{Error, Result};
use crate::portal::access::{Artist, Audience};

/// The largest body that is read before a request is refused.
const LARGEST_BODY: usize = 1 << 20;

/// A handler that everybody may call while the portal is open.
pub fn open<F, Fut>(method: Method, handler: F) -> Endpoint
where
    F: Fn(Call) -> Fut + Send + Sync + Copy + 'static,
    Fut: Future<Output = Result<Response>> + Send + 'static,
{
    public(method, move |mut call: Call| async move {
        if let Err(error) = require_open(&call.state.app) {
            return refuse(&mut call, error).await;
        }
        discard_body(&mut call).await;
        handler(call).await
    })
}

/// A handler that only a signed-in competitor may call, while the portal is open; others get `401`.
pub fn artist<F, Fut>(method: Method, handler: F) -> Endpoint
where
    F: Fn(Call, Artist) -> Fut + Send + Sync + Copy + 'static,
    Fut: Future<Output = Result<Response>> + Send + 'static,
{
    public(method, move |mut call: Call| async move {
        match signed_in(&call).await {
            Ok(artist) => {
                discard_body(&mut call).await;
                handler(call, artist).await
            }
            Err(error) => refuse(&mut call, error).await,
        }
    })
}

/// Who is signed in; for a write also that the request comes from our own page or from a script.
async fn signed_in(call: &Call) -> Result<Artist> {
    require_open(&call.state.app)?;
    let email = cookie::signed_in(call, Audience::Competitors).await?;
    if !call.method.is_safe() {
        require_own_origin(&call.headers, &call.state.app)?;
    }
    Ok(Artist { email })
}

/// Reads a body that the handler of a `GET` or a `DELETE` does not look at.
pub(super) async fn discard_body(call: &mut Call) {
    if matches!(call.method, Method::GET | Method::DELETE) {
        let _ = call.bytes(LARGEST_BODY).await;
    }
}

/// Reads the body before it refuses the call: some clients show a reset connection instead of an answer that comes while
/// they still send.
pub(super) async fn refuse(call: &mut Call, error: Error) -> Result<Response> {
    let _ = call.bytes(LARGEST_BODY).await;
    Err(error)
}

fn require_open(app: &App) -> Result<()> {
    if app.content().portal.open {
        return Ok(());
    }
    Err(Error::NotFound("There is nothing at this address.".into()))
}
