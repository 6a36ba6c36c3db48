//! Emails to groups, and the page that unsubscribes from them.

use serde_json::{Value, json};
use warp::reply::Response;

use super::call::{Call, email_html, ok};
use super::fields::Fields;
use super::paging::Paging;
use super::precondition;
use super::token_pages;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail::group::{PLACEHOLDERS, Placeholder};
use crate::mailings::{self, Draft, Mailing, Previewed, group, unsubscribe};
use crate::store::mailings::{Notice, unreachable};

/// `GET /api/mailings?page= &pageSize=` → `{items, total, page, pageSize}`, the newest first.
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    let paging = Paging::parse(&call.query)?;
    let (mailings, total) = call.run(move |app| mailings::page(app, paging.size, paging.offset())).await?;
    Ok(paging.answer(&mailings.iter().map(to_json).collect::<Vec<_>>(), total))
}

/// `POST /api/mailings {group, subject, text, notice?}` → `201` with the draft.
pub async fn create(mut call: Call, session: Session) -> Result<Response> {
    let draft = draft(&call.json().await?)?;
    let mailing = call
        .run(move |app| {
            let id = mailings::create(app, &session.actor(), &draft)?;
            mailings::get(app, id)
        })
        .await?;
    Ok(precondition::created_record(&to_json(&mailing), &mailing.stored.version.to_string()))
}

pub async fn show(call: Call, _session: Session) -> Result<Response> {
    let id = call.id();
    changed_mailing(call, id, |_| Ok(())).await
}

/// `PATCH /api/mailings/<id> {group?, subject?, text?, notice?}` → the changed draft.
pub async fn change(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    let mut draft = draft(&call.json().await?)?;
    draft.expected = precondition::expected(&call.headers)?;
    changed_mailing(call, id, move |app| mailings::change(app, &session.actor(), id, draft)).await
}

/// `DELETE /api/mailings/<id>` deletes a draft → `{id}`.
pub async fn delete(call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    let expected = precondition::expected(&call.headers)?;
    call.run(move |app| match mailings::delete(app, &session.actor(), id, expected) {
        Ok(()) => Ok(ok(&json!({ "id": id }))),
        refused => precondition::after(refused, || current(app, id)),
    })
    .await
}

/// `POST /api/mailings/count {group, notice?}` → how many people are in a group now.
pub async fn count(mut call: Call, _session: Session) -> Result<Response> {
    let body = call.json().await?;
    let notice = notice(&Fields::parse(&body)?)?.flatten();
    let group = body["group"].clone();
    let count = call.run(move |app| mailings::count(app, &group, notice)).await?;
    Ok(ok(&count))
}

/// `GET /api/mailings/placeholders` → `{items: [{name, placeholder, meaning, ofEntries}]}`.
pub async fn placeholders(_call: Call, _session: Session) -> Result<Response> {
    Ok(ok(&json!({ "items": PLACEHOLDERS.into_iter().map(placeholder).collect::<Vec<_>>() })))
}

/// `GET /api/mailings/refused?page= &pageSize=` → `{items: [{recipient, at, reply}], total, page, pageSize}`.
pub async fn refused(call: Call, _session: Session) -> Result<Response> {
    let paging = Paging::parse(&call.query)?;
    let (refused, total) = call
        .run(move |app| {
            app.store.read(|connection| {
                let refused = unreachable::refused(connection, paging.size, paging.offset())?;
                Ok((refused, unreachable::count_refused(connection)?))
            })
        })
        .await?;
    Ok(paging.answer(&refused, total))
}

/// `GET /api/mailings/<id>/preview` → `{items: [{kind, registrationId, recipient, subject, text}], unnamed}`: three real people, and the names that
/// no greeting uses.
pub async fn preview(call: Call, _session: Session) -> Result<Response> {
    let id = call.id();
    let (previewed, unnamed) = call.run(move |app| mailings::preview(app, id)).await?;
    let item = |previewed: &Previewed| {
        Ok(json!({
            "kind": previewed.kind, "registrationId": previewed.registration_id,
            "recipient": previewed.message.to, "subject": previewed.message.subject,
            "text": previewed.message.body.text()?,
        }))
    };
    let items = previewed.iter().map(item).collect::<Result<Vec<Value>>>()?;
    Ok(ok(&json!({ "items": items, "unnamed": unnamed })))
}

/// `GET /api/mailings/<id>/preview/html?person=` → the HTML for one of them, from 1, for a frame of our own page.
pub async fn preview_html(call: Call, _session: Session) -> Result<Response> {
    let id = call.id();
    let person = call.query_value("person").unwrap_or_else(|| "1".to_owned());
    let (previewed, _) = call.run(move |app| mailings::preview(app, id)).await?;
    let number: Option<usize> = person.parse().ok();
    let chosen = number.and_then(|number| previewed.get(number.checked_sub(1)?));
    let chosen =
        chosen.ok_or_else(|| Error::NotFound(format!("There is no person {person} in this preview.")))?;
    Ok(email_html(chosen.message.body.html()?))
}

/// `POST /api/mailings/<id>/test {email?}` queues the email to an organiser's address, `reports.recipient` without one.
pub async fn test(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    let body = Fields::parse(&call.json_object_if_any().await?)?;
    let email = match body.text("email")? {
        Some(email) => email,
        None => call.state.app.config.reports.recipient.clone(),
    };
    let recipient = email.trim().to_owned();
    call.run(move |app| mailings::send_test(app, &session.actor(), id, &email)).await?;
    Ok(ok(&json!({ "recipient": recipient })))
}

/// `POST /api/mailings/<id>/send` starts or resumes → the mailing.
pub async fn send(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    call.discard_body().await?;
    let expected = precondition::expected(&call.headers)?;
    changed_mailing(call, id, move |app| mailings::send(app, &session.actor(), id, expected).map(drop)).await
}

/// `POST /api/mailings/<id>/pause` → the mailing.
pub async fn pause(call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    changed_mailing(call, id, move |app| mailings::pause(app, &session.actor(), id)).await
}

/// `POST /api/mailings/<id>/stop` → the mailing.
pub async fn stop(call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    changed_mailing(call, id, move |app| mailings::stop(app, &session.actor(), id)).await
}

/// `GET /unsubscribe/<token>` → a page that asks. It changes nothing, because mail programs follow links by themselves.
pub async fn ask_to_unsubscribe(call: Call) -> Result<Response> {
    let token = call.name();
    call.run(move |app| match unsubscribe::require_token(app, &token) {
        Ok(()) => token_pages::ask_to_unsubscribe(app),
        Err(error) => token_pages::refusal(app, error),
    })
    .await
}

/// `POST /unsubscribe/<token>` unsubscribes at once and ignores the body (RFC 8058) → a page that says so.
pub async fn unsubscribe(mut call: Call) -> Result<Response> {
    let token = call.name();
    call.discard_body().await?;
    call.run(move |app| match unsubscribe::unsubscribe(app, &token) {
        Ok(()) => token_pages::unsubscribed(app),
        Err(error) => token_pages::refusal(app, error),
    })
    .await
}

/// The changes of a draft in a request.
fn draft(body: &Value) -> Result<Draft> {
    let fields = Fields::parse(body)?;
    let group = body.get("group").filter(|group| !group.is_null()).cloned();
    Ok(Draft {
        group,
        subject: fields.text("subject")?,
        text: fields.text("text")?,
        notice: notice(&fields)?,
        ..Draft::default()
    })
}

/// The reason of a necessary notice. `Some(None)`: an empty text, which makes it an ordinary mailing.
fn notice(fields: &Fields) -> Result<Option<Option<Notice>>> {
    let Some(text) = fields.text("notice")? else { return Ok(None) };
    if text.is_empty() {
        return Ok(Some(None));
    }
    let known: Vec<&str> = Notice::ALL.into_iter().map(Notice::as_str).collect();
    let parsed = text.parse::<Notice>();
    let parsed =
        parsed.map_err(|_| Error::field("notice", &format!("Please use one of: {}", known.join(", "))));
    parsed.map(|notice| Some(Some(notice)))
}

/// Runs a change and answers with the changed mailing; with `412` and the current one if another version was
/// expected.
async fn changed_mailing(
    call: Call,
    id: i64,
    change: impl FnOnce(&App) -> Result<()> + Send + 'static,
) -> Result<Response> {
    call.run(move |app| precondition::after(change(app), || current(app, id))).await
}

/// A mailing and its version.
fn current(app: &App, id: i64) -> Result<(Value, String)> {
    let mailing = mailings::get(app, id)?;
    Ok((to_json(&mailing), mailing.stored.version.to_string()))
}

fn to_json(mailing: &Mailing) -> Value {
    let Mailing { stored, group, progress } = mailing;
    json!({
        "id": stored.id, "createdAt": stored.created_at, "actor": stored.actor.as_str(), "state": stored.state,
        "version": stored.version, "group": group::to_json(group), "subject": stored.subject, "text": stored.text,
        "notice": stored.notice, "noticeReason": stored.notice.map(mailings::reason),
        "placeholders": group::placeholders(group).map(placeholder).collect::<Vec<_>>(),
        "startedAt": stored.started_at, "endedAt": stored.ended_at,
        "progress": progress,
    })
}

fn placeholder(placeholder: Placeholder) -> Value {
    json!({
        "name": placeholder.name, "placeholder": format!("{{{}}}", placeholder.name),
        "meaning": placeholder.meaning, "ofEntries": placeholder.of_entries,
    })
}
