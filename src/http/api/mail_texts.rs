//! The texts of the standard emails.

use serde_json::{Value, json};
use warp::reply::Response;

use super::call::{Call, email_html, ok};
use super::fields::Fields;
use super::precondition;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::Result;
use crate::mailings::texts::{self, Edit, Text};

/// `GET /api/mail-texts` → `{items}`.
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    let texts = call.run(texts::list).await?;
    Ok(ok(&json!({ "items": texts.iter().map(to_json).collect::<Vec<_>>() })))
}

pub async fn show(call: Call, _session: Session) -> Result<Response> {
    changed_text(call, |_, _| Ok(())).await
}

/// `PATCH /api/mail-texts/<name> {subject?, text?}` → the changed text.
pub async fn change(mut call: Call, session: Session) -> Result<Response> {
    let edit = edit(&call.json().await?)?;
    let expected = precondition::expected(&call.headers)?;
    changed_text(call, move |app, name| texts::edit(app, &session.actor(), name, edit, expected)).await
}

/// `DELETE /api/mail-texts/<name>` → the default, which is sent again.
pub async fn reset(call: Call, session: Session) -> Result<Response> {
    let expected = precondition::expected(&call.headers)?;
    changed_text(call, move |app, name| texts::reset(app, &session.actor(), name, expected)).await
}

/// Runs a change and answers with the changed text; with `412` and the current text if another version was
/// expected.
async fn changed_text(
    call: Call,
    change: impl FnOnce(&App, &str) -> Result<()> + Send + 'static,
) -> Result<Response> {
    let name = call.name();
    call.run(move |app| {
        precondition::after(change(app, &name), || {
            let text = texts::get(app, &name)?;
            Ok((to_json(&text), text.version().to_owned()))
        })
    })
    .await
}

/// `POST /api/mail-texts/<name>/preview {subject?, text?}` → the email to a real person with these texts; stores nothing.
pub async fn preview(mut call: Call, _session: Session) -> Result<Response> {
    let name = call.name();
    let edit = edit(&call.json_object_if_any().await?)?;
    let mail = call.run(move |app| texts::preview(app, &name, &edit)).await?;
    Ok(ok(&json!({ "recipient": mail.to, "subject": mail.subject, "text": mail.body.text()? })))
}

/// `GET /api/mail-texts/<name>/preview/html` → the HTML with the stored text, for a frame of our own page.
pub async fn preview_html(call: Call, _session: Session) -> Result<Response> {
    let name = call.name();
    let mail = call.run(move |app| texts::preview(app, &name, &Edit::default())).await?;
    Ok(email_html(mail.body.html()?))
}

fn edit(body: &Value) -> Result<Edit> {
    let fields = Fields::parse(body)?;
    Ok(Edit { subject: fields.text("subject")?, text: fields.text("text")? })
}

fn to_json(text: &Text) -> Value {
    let placeholder = |name: &&str| json!({ "name": name, "placeholder": format!("{{{name}}}"), "meaning": texts::meaning(name) });
    json!({
        "name": text.name, "title": text.title, "kind": text.kind, "subject": text.subject, "text": text.text,
        "isDefault": text.edited.is_none(),
        "default": { "subject": text.default_subject, "text": text.default_text },
        "placeholders": text.placeholders.iter().map(placeholder).collect::<Vec<_>>(),
        "changedAt": text.edited.as_ref().map(|(at, _)| at),
        "actor": text.edited.as_ref().map(|(_, actor)| actor.as_str()),
    })
}
