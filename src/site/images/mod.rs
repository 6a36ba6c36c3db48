//! The organiser's pictures: added by name, listed, removed.

pub mod encode;

use std::collections::BTreeSet;

use rusqlite::Connection;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::draft;
use super::render::Picture;
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::model::{Actor, Expected};
use crate::site::content::is_slug;
use crate::store::audit;
use crate::store::images::{self, Image, NewImage};
use crate::time;
use encode::Encoded;

pub use crate::store::images::{About, Focus};
pub use encode::MAX_BYTES;

/// The longest name, in bytes.
const MAX_NAME_LENGTH: usize = 60;

/// The longest description, in characters.
const MAX_ALT_LENGTH: usize = 200;
/// The width that a preview of a picture has at most, in pixels.
const PREVIEW_WIDTH: u32 = 960;

/// A picture in the list.
pub struct ListedPicture {
    pub image: Image,
    /// As pages use it.
    pub picture: Picture,
    pub widths: Vec<u32>,
    /// The bytes of all sizes together.
    pub bytes: usize,
    /// The dotted keys of the live content and of the draft that name it.
    pub used_by: Vec<String>,
}

/// Stores a picture in its sizes under a name, replacing one of the same name. Returns the widths.
///
/// # Errors
/// [`Error::Failed`]: the name is not valid, or the file cannot be used. [`Error::Changed`]; [`Error::NotFound`] if one is expected.
pub fn add(
    app: &App,
    name: &str,
    about: &About,
    file: &[u8],
    expected: Expected,
    actor: &Actor,
) -> Result<Vec<u32>> {
    require_name(name)?;
    let Encoded { content_type, sizes } = encode::encode(file)?;
    let widths = sizes.iter().map(|size| size.width).collect();
    app.store.write(|connection| {
        if expected != Expected::Any {
            expected.require(&load(connection, name)?.version())?;
        }
        images::delete(connection, name)?;
        let now = time::stored(time::now());
        let hash = hash(&sizes);
        let image = NewImage { created_at: &now, actor, name, hash: &hash, content_type, about };
        let id = images::insert(connection, &image)?;
        for size in &sizes {
            images::insert_size(connection, id, size)?;
        }
        audit::record(connection, actor, "picture added", &json!({ "name": name }))
    })?;
    Ok(widths)
}

/// Like [`add`], for a form in the browser. Returns whether it has replaced another one.
///
/// # Errors
/// [`Error::Invalid`] on `name` and `alt`; [`Error::Unsupported`] if the file cannot be used; others those of [`add`].
pub fn upload(
    app: &App,
    name: &str,
    about: &About,
    file: &[u8],
    expected: Expected,
    actor: &Actor,
) -> Result<bool> {
    let mut errors = about_errors(about);
    if let Err(error) = require_name(name) {
        errors.insert("name".into(), error.to_string());
    }
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    let is_new = find(app, name).is_err();
    match add(app, name, about, file, expected, actor) {
        Ok(_) => Ok(!is_new),
        Err(Error::Failed(reason)) => Err(Error::Unsupported(reason)),
        Err(error) => Err(error),
    }
}

/// Changes what a picture is said to show, and its focal point.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] on `alt`; [`Error::Changed`].
pub fn describe(app: &App, name: &str, about: &About, expected: Expected, actor: &Actor) -> Result<()> {
    let errors = about_errors(about);
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    app.store.write(|connection| {
        expected.require(&load(connection, name)?.version())?;
        images::describe(connection, name, about)?;
        audit::record(connection, actor, "picture described", &json!({ "name": name }))
    })
}

/// Removes a picture.
///
/// # Errors
/// [`Error::NotFound`]: there is no picture of that name. [`Error::Conflict`]: the live content or the draft names it,
/// or the draft cannot be read. [`Error::Changed`].
pub fn remove(app: &App, name: &str, expected: Expected, actor: &Actor) -> Result<()> {
    // A draft that cannot be read may name it too.
    draft::get(app)?;
    let used_by = used_by(&users(app), name);
    if !used_by.is_empty() {
        return Err(Error::Conflict(format!(
            "The content uses '{name}' at {}. First publish a content that does not.",
            used_by.join(", ")
        )));
    }
    app.store.write(|connection| {
        expected.require(&load(connection, name)?.version())?;
        images::delete(connection, name)?;
        audit::record(connection, actor, "picture removed", &json!({ "name": name }))
    })
}

fn load(connection: &Connection, name: &str) -> Result<Image> {
    images::list(connection)?.into_iter().find(|image| image.name == name).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Error {
    Error::NotFound(format!("There is no picture '{name}'. `showcase content image list` shows all of them."))
}

/// All pictures by name.
pub fn list(app: &App) -> Result<Vec<ListedPicture>> {
    let users = users(app);
    app.store.read(|connection| {
        let listed = |image: Image| {
            let sizes = images::sizes(connection, image.id)?;
            let dimensions: Vec<(u32, u32)> = sizes.iter().map(|size| (size.width, size.height)).collect();
            Ok(Picture::new(&image, &dimensions).map(|picture| ListedPicture {
                picture,
                widths: sizes.iter().map(|size| size.width).collect(),
                bytes: sizes.iter().map(|size| size.bytes.len()).sum(),
                used_by: used_by(&users, &image.name),
                image,
            }))
        };
        let listed: Result<Vec<Option<ListedPicture>>> =
            images::list(connection)?.into_iter().map(listed).collect();
        Ok(listed?.into_iter().flatten().collect())
    })
}

/// One picture.
///
/// # Errors
/// [`Error::NotFound`].
pub fn find(app: &App, name: &str) -> Result<ListedPicture> {
    list(app)?.into_iter().find(|listed| listed.image.name == name).ok_or_else(|| unknown(name))
}

/// The bytes of a picture in a small size, with their type.
///
/// # Errors
/// [`Error::NotFound`].
pub fn preview(app: &App, name: &str) -> Result<(Vec<u8>, String)> {
    app.store.read(|connection| {
        let image = load(connection, name)?;
        let sizes = images::sizes(connection, image.id)?;
        let small = sizes.iter().rposition(|size| size.width <= PREVIEW_WIDTH).unwrap_or(0);
        let size = sizes.into_iter().nth(small).ok_or_else(|| unknown(name))?;
        Ok((size.bytes, image.content_type))
    })
}

/// Where pictures are used: dotted key and name, in what is live and in the draft.
fn users(app: &App) -> BTreeSet<(String, String)> {
    let drafted = draft::get(app).map(|draft| draft.content.images()).unwrap_or_default();
    app.content().images().into_iter().chain(drafted).collect()
}

fn used_by(users: &BTreeSet<(String, String)>, name: &str) -> Vec<String> {
    users.iter().filter(|(_, used)| used == name).map(|(key, _)| key.clone()).collect()
}

fn about_errors(about: &About) -> FieldErrors {
    let mut errors = FieldErrors::new();
    let alt = &about.alt;
    if alt.trim().is_empty() {
        errors.insert("alt".into(), "Please say what the picture shows, for people who cannot see it".into());
    } else if alt.chars().count() > MAX_ALT_LENGTH || alt.contains(char::is_control) {
        errors.insert("alt".into(), format!("Please write one line of at most {MAX_ALT_LENGTH} characters"));
    }
    errors
}

/// A focal point, written `50,30`.
pub fn focus(text: &str) -> Option<Focus> {
    let (x, y) = text.split_once(',')?;
    let percent = |text: &str| text.trim().parse::<u8>().ok().filter(|percent| *percent <= 100);
    Some(Focus { x: percent(x)?, y: percent(y)? })
}

fn require_name(name: &str) -> Result<()> {
    if (1..=MAX_NAME_LENGTH).contains(&name.len()) && is_slug(name) {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "'{name}' cannot be a picture's name. Use at most {MAX_NAME_LENGTH} lowercase letters, digits and hyphens, as in 'lake-at-night'."
    )))
}

fn hash(sizes: &[images::Size]) -> String {
    let mut digest = Sha256::new();
    for size in sizes {
        digest.update(&size.bytes);
    }
    hex::encode(&digest.finalize()[..8])
}
