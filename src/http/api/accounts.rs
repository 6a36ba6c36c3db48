//! Accounts and sessions. A change requires that the password was entered recently, so that a stolen session cannot
//! create an account. Otherwise the answer is `403` with the code `password_required`, and the client must call
//! `POST /api/admin/session/confirm` first.

use serde_json::{Value, json};
use warp::reply::Response;

use super::call::{Call, created, no_content, ok};
use super::fields::Fields;
use crate::admin::accounts;
use crate::admin::sessions::{self, Session};
use crate::app::App;
use crate::error::{Error, Result};

/// `GET /api/admin/sessions` → `{items}`; `isThis` marks the session of this request.
pub async fn sessions(call: Call, session: Session) -> Result<Response> {
    let items = call.run(sessions::list).await?;
    let items: Vec<Value> = items
        .into_iter()
        .map(|item| {
            let is_this = item.id == session.id;
            let mut item = json!(item);
            item["isThis"] = is_this.into();
            item
        })
        .collect();
    Ok(ok(&json!({ "items": items })))
}

/// `DELETE /api/admin/sessions/<id>` ends a session. Ending another one than one's own requires a
/// recently entered password.
pub async fn end_session(call: Call, session: Session) -> Result<Response> {
    let id = call.name();
    let session = if session.id == id { session } else { session.require_confirmed()? };
    call.run(move |app| sessions::end(app, &session.actor(), &id)).await?;
    Ok(no_content())
}

/// `GET /api/admin/accounts` → `{items}`.
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    Ok(ok(&call.run(accounts_json).await?))
}

/// `POST /api/admin/accounts {username, password}` → `201` and the list.
pub async fn add(mut call: Call, session: Session) -> Result<Response> {
    let (session, body) = confirmed(&mut call, session).await?;
    let username = body.text("username")?.ok_or_else(|| Error::field("username", "Please enter a name"))?;
    let password = required_password(&body)?;
    // Hashing a password takes as much as checking one, so it waits for its turn (`sign_in_limits`).
    let permit = call.state.sign_ins.permit_organiser().await?;
    let list = call.run(move |app| {
        let _permit = permit;
        accounts::add(app, &session.actor(), username.trim(), &password)?;
        accounts_json(app)
    });
    Ok(created(&list.await?))
}

/// `PATCH /api/admin/accounts/<username> {password}` → the list.
pub async fn change(mut call: Call, session: Session) -> Result<Response> {
    let username = call.name();
    let (session, body) = confirmed(&mut call, session).await?;
    let password = required_password(&body)?;
    let permit = call.state.sign_ins.permit_organiser().await?;
    let list = call.run(move |app| {
        let _permit = permit;
        accounts::set_password(app, &session.actor(), &username, &password)?;
        accounts_json(app)
    });
    Ok(ok(&list.await?))
}

/// `DELETE /api/admin/accounts/<username>` → the list.
pub async fn remove(call: Call, session: Session) -> Result<Response> {
    let username = call.name();
    let session = session.require_confirmed()?;
    let list = call.run(move |app| {
        accounts::remove(app, &session.actor(), &username)?;
        accounts_json(app)
    });
    Ok(ok(&list.await?))
}

/// The body, if the password was entered recently.
async fn confirmed(call: &mut Call, session: Session) -> Result<(Session, Fields)> {
    let body = call.json().await;
    let session = session.require_confirmed()?;
    Ok((session, Fields::parse(&body?)?))
}

fn required_password(body: &Fields) -> Result<String> {
    body.text("password")?.ok_or_else(|| Error::field("password", "Please enter a password"))
}

fn accounts_json(app: &App) -> Result<Value> {
    Ok(json!({ "items": accounts::list(app)? }))
}
