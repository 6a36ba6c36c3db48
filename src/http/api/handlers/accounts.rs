//! Who may sign in, and who is signed in. A change needs a password that was given recently, so that a stolen session
//! cannot make itself an account: `403` with the code `password_required` asks for `POST /api/admin/session/confirm`.

use std::sync::Arc;

use http::StatusCode;
use serde_json::{Value, json};
use warp::Reply;

use super::blocking;
use crate::admin::accounts;
use crate::admin::sessions::{self, Session};
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::api::fields::Fields;
use crate::http::api::state::Desk;

/// `GET /api/admin/sessions` → `{items}`, the one that asks marked.
pub async fn sessions(desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    let session = session?;
    let items = blocking(&desk.app, sessions::list).await?;
    let items: Vec<Value> = items
        .into_iter()
        .map(|item| {
            let is_this = item.id == session.id;
            let mut item = json!(item);
            item["isThis"] = is_this.into();
            item
        })
        .collect();
    Ok(warp::reply::json(&json!({ "items": items })))
}

/// `DELETE /api/admin/sessions/<id>` ends it; another one than one's own only soon after the password was given.
pub async fn end_session(id: String, desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    let session = session?;
    let session = if session.id == id { session } else { session.require_confirmed()? };
    blocking(&desk.app, move |app| sessions::end(app, &session.username, &id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/admin/accounts` → `{items}`.
pub async fn list(desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    session?;
    Ok(warp::reply::json(&blocking(&desk.app, listed).await?))
}

/// `POST /api/admin/accounts {username, password}` → `201` and the list.
pub async fn add(desk: Arc<Desk>, session: Result<Session>, body: Result<Value>) -> Result<impl Reply> {
    let (session, body) = (session?.require_confirmed()?, Fields::of(&body?)?);
    let username = body.text("username")?.ok_or_else(|| Error::field("username", "Please enter a name"))?;
    let password =
        body.text("password")?.ok_or_else(|| Error::field("password", "Please enter a password"))?;
    let permit = desk.sign_ins.permit_organiser().await?;
    let list = blocking(&desk.app, move |app| {
        let _permit = permit;
        accounts::add(app, &session.username, username.trim(), &password)?;
        listed(app)
    });
    Ok(warp::reply::with_status(warp::reply::json(&list.await?), StatusCode::CREATED))
}

/// `PATCH /api/admin/accounts/<username> {password}` → the list.
pub async fn change(
    username: String,
    desk: Arc<Desk>,
    session: Result<Session>,
    body: Result<Value>,
) -> Result<impl Reply> {
    let (session, body) = (session?.require_confirmed()?, Fields::of(&body?)?);
    let password =
        body.text("password")?.ok_or_else(|| Error::field("password", "Please enter a password"))?;
    let permit = desk.sign_ins.permit_organiser().await?;
    let list = blocking(&desk.app, move |app| {
        let _permit = permit;
        accounts::set_password(app, &session.username, &username, &password)?;
        listed(app)
    });
    Ok(warp::reply::json(&list.await?))
}

/// `DELETE /api/admin/accounts/<username>` → the list.
pub async fn remove(username: String, desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    let session = session?.require_confirmed()?;
    let list = blocking(&desk.app, move |app| {
        accounts::remove(app, &session.username, &username)?;
        listed(app)
    });
    Ok(warp::reply::json(&list.await?))
}

fn listed(app: &App) -> Result<Value> {
    let items = accounts::list(app)?.into_iter().map(|account| {
        json!({
            "username": account.username, "createdAt": account.created_at,
            "passwordChangedAt": account.password_changed_at, "lastSeenAt": account.last_seen_at,
        })
    });
    Ok(json!({ "items": items.collect::<Value>() }))
}
