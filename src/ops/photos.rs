//! How much space competitors' photos take.

use rusqlite::Connection;

use super::backups;
use crate::config::Config;
use crate::error::Result;
use crate::store::is_same_disk;
use crate::store::portal::media;

/// '12 photos of competitors take 15 MB in the database, and as much beside the backups.' `None` without photos.
pub fn storage_sentence(config: &Config, connection: &Connection) -> Result<Option<String>> {
    let stored = media::storage_use(connection)?;
    if stored.photos == 0 {
        return Ok(None);
    }
    let folder = backups::folder(config);
    let is_kept_twice =
        config.backup.every_hours > 0 && (!folder.exists() || is_same_disk(&folder, &config.database));
    let photos = if stored.photos == 1 {
        "1 photo of a competitor takes".to_owned()
    } else {
        format!("{} photos of competitors take", stored.photos)
    };
    let twice = if is_kept_twice { ", and as much beside the backups" } else { "" };
    Ok(Some(format!("{photos} {} MB in the database{twice}.", (stored.bytes + 999_999) / 1_000_000)))
}
