//! How much space competitors' photos take, and when the disk will be full of them.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;

use super::backups;
use crate::config::Config;
use crate::error::Result;
use crate::store::portal::media::{self, StorageUse};
use crate::store::{folder_of, free_bytes, is_same_disk};
use crate::time;

/// The growth is measured over this period.
const GROWTH_PERIOD: TimeDelta = TimeDelta::days(7);
/// A disk that will be full within so many days needs attention.
const SOON: u64 = 30;

/// The disk space that competitors' photos need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpaceNeed {
    pub stored: StorageUse,
    /// Photos are kept twice on the database's disk: in it, and beside the backups.
    is_kept_twice: bool,
    free_bytes: u64,
}

/// `None` without photos.
pub fn need(config: &Config, connection: &Connection, now: DateTime<Utc>) -> Result<Option<SpaceNeed>> {
    let stored = media::storage_use(connection, &time::stored(now - GROWTH_PERIOD))?;
    if stored.photos == 0 {
        return Ok(None);
    }
    let folder = backups::folder(config);
    let is_kept_twice =
        config.backup.every_hours > 0 && (!folder.exists() || is_same_disk(&folder, &config.database));
    Ok(Some(SpaceNeed { stored, is_kept_twice, free_bytes: free_bytes(folder_of(&config.database))? }))
}

impl SpaceNeed {
    /// In how many days the disk is full if photos keep arriving as in the last week.
    pub fn days_left(&self) -> Option<u64> {
        let copies = if self.is_kept_twice { 2 } else { 1 };
        let week = u64::try_from(self.stored.recent_bytes).ok()? * copies;
        (self.free_bytes * u64::try_from(GROWTH_PERIOD.num_days()).ok()?).checked_div(week)
    }

    /// '12 photos of competitors take 15 MB, in the database and as much beside the backups.'
    pub fn sentence(&self) -> String {
        let StorageUse { photos, bytes, .. } = self.stored;
        let photos = if photos == 1 {
            "1 photo of a competitor takes".to_owned()
        } else {
            format!("{photos} photos of competitors take")
        };
        let twice = if self.is_kept_twice { ", and as much beside the backups" } else { "" };
        format!("{photos} {} MB in the database{twice}.", (bytes + 999_999) / 1_000_000)
    }

    /// When the disk will be full, if that is soon.
    pub fn warning(&self) -> Option<String> {
        let days = self.days_left().filter(|days| *days < SOON)?;
        Some(format!(
            "At the pace of the last 7 days, competitors' photos fill the disk in {days} days. Ask for a larger disk, or keep \
             the backups on another one (backup.folder)."
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_of_a_week_says_when_the_disk_is_full() {
        let need = |recent_bytes, is_kept_twice, free_bytes| SpaceNeed {
            stored: StorageUse { photos: 2, bytes: 1_500_000, recent_bytes },
            is_kept_twice,
            free_bytes,
        };
        for (recent, twice, free, days) in [
            (0, true, 1_000, None),
            (700, false, 1_000, Some(10)),
            (700, true, 1_000, Some(5)),
            (700, false, 100_000, Some(1_000)),
        ] {
            assert_eq!(need(recent, twice, free).days_left(), days, "{recent} {twice} {free}");
        }
        assert!(need(700, true, 1_000).warning().expect("soon").contains("fill the disk in 5 days"));
        assert_eq!(need(700, true, 100_000).warning(), None);
        assert_eq!(
            need(0, true, 1).sentence(),
            "2 photos of competitors take 2 MB in the database, and as much beside the backups."
        );
    }
}
