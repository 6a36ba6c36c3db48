//! The pictures that the content names.

use std::time::Duration;

use serde_json::{Value, json};
use warp::reply::Response;

use super::call::{Call, no_content, of_type, ok};
use super::fields::Fields;
use super::precondition;
use crate::admin::sessions::Session;
use crate::error::{Error, Result};
use crate::site::images::{self, About, Focus, ListedPicture, MAX_BYTES};

/// How long a picture may take to arrive: 15 MB from a phone.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(180);
/// How long one waits while another picture is encoded.
const ENCODING_TIMEOUT: Duration = Duration::from_secs(30);

/// `GET /api/content/images` → `{items}`.
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    let listed = call.run(images::list).await?;
    Ok(ok(&json!({ "items": listed.iter().map(to_json).collect::<Vec<_>>() })))
}

/// `POST /api/content/images?name=&alt=&focus=` with the bytes → the picture.
pub async fn add(mut call: Call, session: Session) -> Result<Response> {
    let file = call.bytes_within(MAX_BYTES, UPLOAD_TIMEOUT).await?;
    let text = |name: &str| call.query_value(name).unwrap_or_default().trim().to_owned();
    let (name, alt) = (text("name"), text("alt"));
    let focus = match call.query_value("focus") {
        None => Focus::default(),
        Some(text) => images::focus(&text).ok_or_else(|| {
            Error::field("focus", "The focal point is two numbers from 0 to 100, like 50,30")
        })?,
    };
    let about = About { alt, focus };
    let expected = precondition::expected(&call.headers)?;
    let permit = call.state.permit_to_decode(ENCODING_TIMEOUT).await?;
    call.run(move |app| {
        let _permit = permit;
        let answer = match images::upload(app, &name, &about, file.as_slice(), expected, &session.actor()) {
            Ok(replaced) if replaced => precondition::record,
            Ok(_) => precondition::created_record,
            Err(Error::Changed) => precondition::changed,
            Err(error) => return Err(error),
        };
        let listed = images::find(app, &name)?;
        Ok(answer(&to_json(&listed), &listed.image.version()))
    })
    .await
}

/// `GET /api/content/images/<name>` → the bytes in a small size.
pub async fn show(call: Call, _session: Session) -> Result<Response> {
    let name = call.name();
    let (bytes, content_type) = call.run(move |app| images::preview(app, &name)).await?;
    let is_png = content_type == "image/png";
    Ok(of_type(bytes, if is_png { "image/png" } else { "image/jpeg" }))
}

/// `PATCH /api/content/images/<name> {alt?, focus?}` → the picture as it is then.
pub async fn describe(mut call: Call, session: Session) -> Result<Response> {
    let body = call.json().await?;
    let alt = Fields::parse(&body)?.text("alt")?.map(|alt| alt.trim().to_owned());
    let focus = match body.get("focus").filter(|focus| !focus.is_null()) {
        None => None,
        Some(focus) => Some(point(focus)?),
    };
    let name = call.name();
    let expected = precondition::expected(&call.headers)?;
    call.run(move |app| {
        let before = images::find(app, &name)?.image.about;
        let about = About { alt: alt.unwrap_or(before.alt), focus: focus.unwrap_or(before.focus) };
        precondition::after(images::describe(app, &name, &about, expected, &session.actor()), || {
            let listed = images::find(app, &name)?;
            Ok((to_json(&listed), listed.image.version()))
        })
    })
    .await
}

/// `DELETE /api/content/images/<name>` → `204`.
pub async fn remove(call: Call, session: Session) -> Result<Response> {
    let name = call.name();
    let expected = precondition::expected(&call.headers)?;
    call.run(move |app| match images::remove(app, &name, expected, &session.actor()) {
        Ok(()) => Ok(no_content()),
        Err(Error::Changed) => {
            let listed = images::find(app, &name)?;
            Ok(precondition::changed(&to_json(&listed), &listed.image.version()))
        }
        Err(error) => Err(error),
    })
    .await
}

fn point(focus: &Value) -> Result<Focus> {
    let percent = |name: &str| {
        let number = focus.get(name).and_then(Value::as_f64).filter(|number| (0.0..=100.0).contains(number));
        number.map(|number| number.round() as u8)
    };
    let point = percent("x").zip(percent("y")).map(|(x, y)| Focus { x, y });
    point.ok_or_else(|| Error::field("focus", "The focal point has an x and a y from 0 to 100"))
}

fn to_json(listed: &ListedPicture) -> Value {
    let (image, picture) = (&listed.image, &listed.picture);
    json!({
        "name": image.name, "alt": image.about.alt,
        "focus": { "x": image.about.focus.x, "y": image.about.focus.y },
        "width": picture.width, "height": picture.height, "bytes": listed.bytes,
        "src": picture.src, "srcSet": picture.src_set,
        "at": image.created_at, "by": image.actor, "usedBy": listed.used_by,
        "version": image.version(),
    })
}
