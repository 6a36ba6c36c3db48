//! What judges call. Without rubrics in the content there is nothing at these addresses. What they answer is of the types of
//! `judging::work`, which hold nothing of a competitor.

pub mod access;
pub mod sheets;

use std::future::Future;

use http::Method;
use warp::reply::Response;

use super::artist::{cookie, discard_body, refuse};
use super::call::Call;
use super::route::{Endpoint, public};
use super::session::require_own_origin;
use crate::app::App;
use crate::error::{Error, Result};
use crate::judging::access::{Judge, judge as judge_of};
use crate::portal::access::Audience;

/// A handler that everybody may call while something is judged.
pub fn judged<F, Fut>(method: Method, handler: F) -> Endpoint
where
    F: Fn(Call) -> Fut + Send + Sync + Copy + 'static,
    Fut: Future<Output = Result<Response>> + Send + 'static,
{
    public(method, move |mut call: Call| async move {
        if let Err(error) = require_judging(&call.state.app) {
            return refuse(&mut call, error).await;
        }
        discard_body(&mut call).await;
        handler(call).await
    })
}

/// A handler that only a signed-in judge may call; others get `401`.
pub fn judge<F, Fut>(method: Method, handler: F) -> Endpoint
where
    F: Fn(Call, Judge) -> Fut + Send + Sync + Copy + 'static,
    Fut: Future<Output = Result<Response>> + Send + 'static,
{
    public(method, move |mut call: Call| async move {
        match signed_in(&call).await {
            Ok(judge) => {
                discard_body(&mut call).await;
                handler(call, judge).await
            }
            Err(error) => refuse(&mut call, error).await,
        }
    })
}

/// Who is signed in; for a write also that the request comes from our own page or from a script.
pub async fn signed_in(call: &Call) -> Result<Judge> {
    require_judging(&call.state.app)?;
    let email = cookie::signed_in(call, Audience::Judges).await?;
    if !call.method.is_safe() {
        require_own_origin(&call.headers, &call.state.app)?;
    }
    call.run(move |app| judge_of(app, &email)).await
}

pub fn require_judging(app: &App) -> Result<()> {
    if app.content().judging.rubrics.is_empty() {
        return Err(Error::NotFound("There is nothing at this address.".into()));
    }
    Ok(())
}
