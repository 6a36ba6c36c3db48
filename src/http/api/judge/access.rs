//! Judges' links and terms. Their sessions start and end as those of competitors.

use serde_json::{Value, json};
use warp::reply::Response;

use super::super::artist::access::send;
use super::super::call::{Call, ok};
use super::super::fields::Fields;
use super::super::session::signed_in_by_link;
use super::SomethingIsJudged;
use crate::app::App;
use crate::error::{Error, Result};
use crate::judging::access::{self, Judge, judge_with_email};
use crate::portal::access::Audience;

/// `POST /api/judge/links {email}` → `202`
pub async fn send_link(call: Call, _: SomethingIsJudged) -> Result<Response> {
    let detail = "If this is the address of a judge, an email with a link is on its way.";
    send(call, detail, access::send_link).await
}

/// `GET /api/judge/session` → `{signedIn: true, id, email, name, terms}` or `{signedIn: false}`
pub async fn show(call: Call, _: SomethingIsJudged) -> Result<Response> {
    let found = match signed_in_by_link(&call, Audience::Judges).await {
        Ok(email) => call.run(move |app| judge_with_email(app, &email)).await,
        Err(error) => Err(error),
    };
    match found {
        Ok(judge) => {
            let terms = shown_terms(&call.state.app, judge.has_accepted);
            Ok(ok(&json!({
                "signedIn": true, "id": judge.id, "email": judge.email, "name": judge.name, "terms": terms
            })))
        }
        Err(Error::Unauthorised(_)) => Ok(ok(&json!({ "signedIn": false }))),
        Err(error) => Err(error),
    }
}

/// `GET /api/judge/terms` → `{version, text, accepted}`
pub async fn terms(call: Call, judge: Judge) -> Result<Response> {
    Ok(ok(&shown_terms(&call.state.app, judge.has_accepted)))
}

/// `POST /api/judge/terms {accepted: true, version}` → as [`terms`]
pub async fn accept_terms(mut call: Call, judge: Judge) -> Result<Response> {
    let body = Fields::parse(&call.json().await?)?;
    let accepted = body.flag("accepted")?.unwrap_or_default();
    let version = body.text("version")?.unwrap_or_default();
    call.run(move |app| access::accept_terms(app, &judge, accepted, &version)).await?;
    Ok(ok(&shown_terms(&call.state.app, accepted)))
}

fn shown_terms(app: &App, accepted: bool) -> Value {
    let content = app.content();
    let terms = &content.judging.terms;
    json!({ "version": terms.version, "text": terms.text, "accepted": accepted })
}
