//! Model releases: the model of a nomination reads and signs one. The key in the link is the only authorisation.

use super::PortalIsOpen;
use warp::reply::Response;

use super::super::call::{Call, ok};
use super::super::fields::Fields;
use super::super::session::require_own_origin;
use crate::error::Result;
use crate::portal::releases::{self, ReleaseForm};

/// `GET /api/releases/<key>` → `{text, version, signed}`
pub async fn show(call: Call, _: PortalIsOpen) -> Result<Response> {
    let key = call.name();
    Ok(ok(&call.run(move |app| releases::text(app, &key)).await?))
}

/// `POST /api/releases/<key> {name, adult, guardian?, signature, accepted, version}` → as [`show`]
pub async fn sign(mut call: Call, _: PortalIsOpen) -> Result<Response> {
    let body = call.json().await;
    require_own_origin(&call.headers, &call.state.app)?;
    call.state.writes.take(call.client)?;
    let body = Fields::parse(&body?)?;
    let signed = ReleaseForm {
        name: body.text("name")?.unwrap_or_default(),
        adult: body.flag("adult")?.unwrap_or_default(),
        guardian: body.text("guardian")?,
        signature: body.text("signature")?.unwrap_or_default(),
        accepted: body.flag("accepted")?.unwrap_or_default(),
        version: body.text("version")?.unwrap_or_default(),
    };
    let key = call.name();
    let text = call.run(move |app| {
        releases::sign(app, &key, signed)?;
        releases::text(app, &key)
    });
    Ok(ok(&text.await?))
}
