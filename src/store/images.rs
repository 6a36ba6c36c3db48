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
    pub name: String,
    pub hash: String,
    pub content_type: String,
}

/// A picture to be stored.
#[derive(Debug, Clone, Copy)]
pub struct NewImage<'a> {
    pub created_at: &'a str,
    pub actor: &'a Actor,
    pub name: &'a str,
    pub hash: &'a str,
    pub content_type: &'a str,
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
    let mut statement =
        connection.prepare("select id, created_at, name, hash, content_type from images order by name")?;
    let images = statement
        .query_map([], |row| {
            Ok(Image {
                id: row.get(0)?,
                created_at: row.get(1)?,
                name: row.get(2)?,
                hash: row.get(3)?,
                content_type: row.get(4)?,
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
    connection.execute(
        "insert into images (created_at, actor, name, hash, content_type) values (?, ?, ?, ?, ?)",
        (image.created_at, image.actor, image.name, image.hash, image.content_type),
    )?;
    Ok(connection.last_insert_rowid())
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
