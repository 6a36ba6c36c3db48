//! The organiser's pictures: added by name, listed, removed.

pub mod encode;

use serde_json::json;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::store::audit;
use crate::store::images::{self, Image, NewImage};
use crate::time;
use encode::Encoded;

pub use encode::LARGEST;

/// The longest name, in bytes.
const LONGEST_NAME: usize = 60;

/// A picture in the list.
pub struct Listed {
    pub image: Image,
    pub widths: Vec<u32>,
    /// The bytes of all sizes together.
    pub bytes: usize,
    /// The dotted keys of the content that name it.
    pub used_by: Vec<String>,
}

/// Stores a picture in its sizes under a name, replacing one of the same name. Returns the widths.
///
/// # Errors
/// [`Error::Failed`]: the name is not valid, or the file cannot be used.
pub fn add(app: &App, name: &str, file: &[u8], actor: &Actor) -> Result<Vec<u32>> {
    require_name(name)?;
    let Encoded { content_type, sizes } = encode::encode(file)?;
    let widths = sizes.iter().map(|size| size.width).collect();
    let (actor, name, hash, now) =
        (actor.to_owned(), name.to_owned(), hash(&sizes), time::stored(time::now()));
    app.store.write(move |connection| {
        images::delete(connection, &name)?;
        let image = NewImage { created_at: &now, actor: &actor, name: &name, hash: &hash, content_type };
        let id = images::insert(connection, &image)?;
        for size in &sizes {
            images::insert_size(connection, id, size)?;
        }
        let line = audit::Line { actor: &actor, action: "picture added", subject: None };
        audit::insert_with(connection, &now, &line, &json!({ "name": name }))
    })?;
    Ok(widths)
}

/// Removes a picture.
///
/// # Errors
/// [`Error::Failed`]: there is no picture of that name, or the current content names it.
pub fn remove(app: &App, name: &str, actor: &Actor) -> Result<()> {
    let used_by = used_by(app, name);
    if !used_by.is_empty() {
        return Err(Error::Failed(format!(
            "The content uses '{name}' at {}. First import a content that does not.",
            used_by.join(", ")
        )));
    }
    let (actor, name, now) = (actor.to_owned(), name.to_owned(), time::stored(time::now()));
    app.store.write(move |connection| {
        if !images::delete(connection, &name)? {
            return Err(Error::Failed(format!(
                "There is no picture '{name}'. `showcase content image list` shows all of them."
            )));
        }
        let line = audit::Line { actor: &actor, action: "picture removed", subject: None };
        audit::insert_with(connection, &now, &line, &json!({ "name": name }))
    })
}

/// All pictures by name.
pub fn list(app: &App) -> Result<Vec<Listed>> {
    app.store.read(|connection| {
        let listed = |image: Image| {
            let sizes = images::sizes(connection, image.id)?;
            Ok(Listed {
                widths: sizes.iter().map(|size| size.width).collect(),
                bytes: sizes.iter().map(|size| size.bytes.len()).sum(),
                used_by: used_by(app, &image.name),
                image,
            })
        };
        images::list(connection)?.into_iter().map(listed).collect()
    })
}

fn used_by(app: &App, name: &str) -> Vec<String> {
    app.content().images().into_iter().filter(|(_, used)| used == name).map(|(key, _)| key).collect()
}

fn require_name(name: &str) -> Result<()> {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if (1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(is_allowed) {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "'{name}' cannot be a picture's name. Use at most {LONGEST_NAME} lowercase letters, digits and hyphens, as in 'lake-at-night'."
    )))
}

fn hash(sizes: &[images::Size]) -> String {
    let mut digest = Sha256::new();
    for size in sizes {
        digest.update(&size.bytes);
    }
    hex::encode(&digest.finalize()[..8])
}
