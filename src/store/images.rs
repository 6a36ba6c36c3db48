//! The organiser's pictures, in the sizes that are served.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::Actor;

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
    /// Changes with every change of what is said about the picture, and when it is replaced.
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

/// All pictures by name.
pub fn list(connection: &Connection) -> Result<Vec<Image>> {
    let mut statement = connection.prepare(
        "select id, created_at, actor, name, hash, content_type, alt, focus_x, focus_y, version from images order by name",
    )?;
    let images = statement
        .query_map([], |row| {
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
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(images)
}

/// The sizes of a picture, the narrowest first.
pub fn sizes(connection: &Connection, image_id: i64) -> Result<Vec<Size>> {
    let mut statement = connection
        .prepare_cached("select width, height, bytes from image_sizes where image_id = ? order by width")?;
    let sizes = statement
        .query_map([image_id], |row| {
            Ok(Size { width: row.get(0)?, height: row.get(1)?, bytes: row.get(2)? })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(sizes)
}

pub fn insert(connection: &Connection, image: &NewImage<'_>) -> Result<i64> {
    let about = image.about;
    connection.execute(
        "insert into images (created_at, actor, name, hash, content_type, alt, focus_x, focus_y)
         values (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            image.created_at,
            image.actor,
            image.name,
            image.hash,
            image.content_type,
            &about.alt,
            about.focus.x,
            about.focus.y,
        ),
    )?;
    Ok(connection.last_insert_rowid())
}

/// Changes what is said about a picture.
pub fn describe(connection: &Connection, name: &str, about: &About) -> Result<()> {
    connection.execute(
        "update images set alt = ?, focus_x = ?, focus_y = ?, version = version + 1 where name = ?",
        (&about.alt, about.focus.x, about.focus.y, name),
    )?;
    Ok(())
}

pub fn insert_size(connection: &Connection, image_id: i64, size: &Size) -> Result<()> {
    connection.execute(
        "insert into image_sizes (image_id, width, height, bytes) values (?, ?, ?, ?)",
        (image_id, size.width, size.height, &size.bytes),
    )?;
    Ok(())
}

/// Deletes a picture and its sizes; `false` if there is none with this name.
pub fn delete(connection: &Connection, name: &str) -> Result<bool> {
    Ok(connection.execute("delete from images where name = ?", [name])? > 0)
}
