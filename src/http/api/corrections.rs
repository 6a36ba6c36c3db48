//! Corrections of a registration's answers.

use serde_json::{Map, Value, json};
use warp::reply::Response;

use super::call::{Call, ok};
use super::fields::Fields;
use super::precondition;
use super::records::changed_record;
use crate::admin::sessions::Session;
use crate::error::{Error, Result};
use crate::payments;
use crate::registrations::correct_answers::{self, AnswerChange, AnswerCorrection};

/// `PATCH /api/<kind>/<id>/fields {values, reason, mail?}` → the changed record.
pub async fn correct(mut call: Call, session: Session) -> Result<Response> {
    let (kind, id) = (call.kind(), call.id());
    let body = call.json().await?;
    let fields = Fields::parse(&body)?;
    let correction = AnswerCorrection {
        values: values(&body)?,
        reason: correct_answers::reason(&fields.text("reason")?.unwrap_or_default())?,
        mail: fields.flag("mail")?.unwrap_or_default(),
        expected: precondition::expected(&call.headers)?,
    };
    changed_record(&call, kind, id, move |app| {
        payments::correct_answers(app, &session.actor(), (kind, id), correction).map(drop)
    })
    .await
}

/// `POST /api/<kind>/<id>/fields/preview {values}` → `{changes, mail}`; nothing is stored or queued.
pub async fn preview(mut call: Call, _session: Session) -> Result<Response> {
    let (kind, id) = (call.kind(), call.id());
    let values = values(&call.json().await?)?;
    let preview = call.run(move |app| payments::preview_correction(app, (kind, id), &values)).await?;
    let mail = match &preview.message {
        Some(mail) => json!({ "recipient": mail.to, "subject": mail.subject, "text": mail.body.text()? }),
        None => Value::Null,
    };
    let changes: Vec<Value> = preview.changes.iter().map(change_json).collect();
    Ok(ok(&json!({ "changes": changes, "mail": mail })))
}

fn change_json(change: &AnswerChange) -> Value {
    json!({ "field": change.field, "label": change.label, "from": change.from, "to": change.to })
}

fn values(body: &Value) -> Result<Map<String, Value>> {
    match &body["values"] {
        Value::Object(values) => Ok(values.clone()),
        Value::Null if body.is_object() => Err(Error::field("values", "Please send the answers to correct")),
        Value::Null => Err(Error::not_an_object()),
        _ => Err(Error::wrong_type("values")),
    }
}
