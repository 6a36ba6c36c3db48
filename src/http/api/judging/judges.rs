//! Judges, for the organiser.

use serde_json::json;
use warp::reply::Response;

use super::super::call::{Call, accepted, created, no_content, ok};
use super::super::fields::Fields;
use crate::admin::sessions::Session;
use crate::error::Result;
use crate::judging::judges::{self, Change, Invitation};

/// `GET /api/judges` → `{items, applications}`
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    Ok(ok(&call.run(judges::list).await?))
}

/// `POST /api/judges {name, email, applicationId?, anyway?}` → `201 {id}`
pub async fn invite(mut call: Call, session: Session) -> Result<Response> {
    let fields = Fields::parse(&call.json().await?)?;
    let invitation = Invitation {
        name: fields.text("name")?.unwrap_or_default(),
        email: fields.text("email")?.unwrap_or_default(),
        application_id: fields.whole_number("applicationId")?,
        anyway: fields.flag("anyway")?.unwrap_or_default(),
    };
    let id = call.run(move |app| judges::invite(app, &session.actor(), &invitation)).await?;
    Ok(created(&json!({ "id": id })))
}

pub async fn show(call: Call, _session: Session) -> Result<Response> {
    let id = call.id();
    Ok(ok(&call.run(move |app| judges::get(app, id)).await?))
}

/// `PATCH /api/judges/<id> {name?, publicName?, email?, phone?, instagram?, businessName?}` → the judge
pub async fn change(mut call: Call, session: Session) -> Result<Response> {
    let fields = Fields::parse(&call.json().await?)?;
    let change = Change {
        name: fields.text("name")?,
        public_name: fields.text("publicName")?,
        email: fields.text("email")?,
        phone: fields.text("phone")?,
        instagram: fields.text("instagram")?,
        business_name: fields.text("businessName")?,
    };
    let id = call.id();
    Ok(ok(&call.run(move |app| judges::change(app, &session.actor(), id, change)).await?))
}

/// `DELETE /api/judges/<id>` → `204`
pub async fn remove(call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    call.run(move |app| judges::remove(app, &session.actor(), id)).await?;
    Ok(no_content())
}

/// `POST /api/judges/<id>/link` ends the judge's links and emails a new one → `202`
pub async fn replace_link(mut call: Call, session: Session) -> Result<Response> {
    call.json_object_if_any().await?;
    let id = call.id();
    call.run(move |app| judges::replace_link(app, &session.actor(), id)).await?;
    Ok(link_on_its_way())
}

pub fn link_on_its_way() -> Response {
    accepted(&json!({ "detail": "The former links are ended, and an email with a new one is on its way." }))
}
