//! The organiser's pictures, in the sizes that are served.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::Actor;
use crate::store::query::{execute, from_row, query_all};

/// A stored picture, without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    pub id: i64,
    /// RFC 3339, UTC.
    pub created_at: String,
    pub actor: String,
    pub name: String,
    pub hash: String,
    pub content_type: String,
    pub about: About,
    version: i64,
}

impl Image {
    /// Changes with every change of the description, and when the picture is replaced.
    pub fn version(&self) -> String {
        format!("{:x}{:08x}", self.id, self.version)
    }
}

/// What a picture shows, and what stays in view when it is cropped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// For people who cannot see it.
    pub alt: String,
    pub focus: Focus,
}

/// A point of a picture, in percent from the left and from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Focus {
    pub x: u8,
    pub y: u8,
}

impl Default for Focus {
    fn default() -> Self {
        Focus { x: 50, y: 50 }
    }
}

/// A picture to be stored.
#[derive(Debug, Clone, Copy)]
pub struct NewImage<'a> {
    pub created_at: &'a str,
    pub actor: &'a Actor,
    pub name: &'a str,
    pub hash: &'a str,
    pub content_type: &'a str,
    pub about: &'a About,
}

/// A picture in one width, in pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
    pub bytes: Vec<u8>,
}

from_row!(Size: width, height, bytes);

/// All pictures by name.
pub fn list(connection: &Connection) -> Result<Vec<Image>> {
    let sql = "select id, created_at, actor, name, hash, content_type, alt, focus_x, focus_y, version from images order by name";
    query_all(connection, sql, [], |row| {
        Ok(Image {
            id: row.get(0)?,
            created_at: row.get(1)?,
            actor: row.get(2)?,
            name: row.get(3)?,
            hash: row.get(4)?,
            content_type: row.get(5)?,
            about: About { alt: row.get(6)?, focus: Focus { x: row.get(7)?, y: row.get(8)? } },
            version: row.get(9)?,
        })
    })
}

/// The sizes of a picture, the narrowest first.
pub fn sizes(connection: &Connection, image_id: i64) -> Result<Vec<Size>> {
    let sql = "select width, height, bytes from image_sizes where image_id = ? order by width";
    query_all(connection, sql, [image_id], Size::from_row)
}

pub fn insert(connection: &Connection, image: &NewImage<'_>) -> Result<i64> {
    let about = image.about;
    let sql = "insert into images (created_at, actor, name, hash, content_type, alt, focus_x, focus_y)
         values (?, ?, ?, ?, ?, ?, ?, ?)";
    Ok(connection.prepare_cached(sql)?.insert((
        image.created_at,
        image.actor,
        image.name,
        image.hash,
        image.content_type,
        &about.alt,
        about.focus.x,
        about.focus.y,
    ))?)
}

/// Changes the description of a picture.
pub fn describe(connection: &Connection, name: &str, about: &About) -> Result<()> {
    let sql = "update images set alt = ?, focus_x = ?, focus_y = ?, version = version + 1 where name = ?";
    execute(connection, sql, (&about.alt, about.focus.x, about.focus.y, name))
}

pub fn insert_size(connection: &Connection, image_id: i64, size: &Size) -> Result<()> {
    let sql = "insert into image_sizes (image_id, width, height, bytes) values (?, ?, ?, ?)";
    execute(connection, sql, (image_id, size.width, size.height, &size.bytes))
}

/// Deletes a picture and its sizes; `false` if there is none with this name.
pub fn delete(connection: &Connection, name: &str) -> Result<bool> {
    Ok(connection.execute("delete from images where name = ?", [name])? > 0)
}
