//! Checks files: permissions, free disk space, the database and the backups.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use chrono::TimeDelta;
use rustix::fs::Access;

use super::Finding;
use crate::config::Config;
use crate::error::Error;
use crate::ops::backups::{self, media};
use crate::ops::health::probe;
use crate::ops::photos;
use crate::store::{backup, folder_of, is_same_disk, migrate, open_read_only};
use crate::time;

/// Mode bits that a file with secrets must not have. Its group, such as the service's, may read it.
const SECRET_FORBIDS: u32 = 0o027;
/// Mode bits that the database must not have.
const PRIVATE_FORBIDS: u32 = 0o077;

pub fn permissions(config: &Config, config_file: Option<&Path>) -> Vec<Finding> {
    let mut found = Vec::new();
    let is_open = |path: &Path, forbidden: u32| {
        path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & forbidden != 0)
    };
    let key = Path::new(&config.tls.private_key);
    if is_open(key, SECRET_FORBIDS) {
        found.push(Finding::problem(format!(
                "Other users of this machine can read {0}. Run `chmod 640 {0}`, and make its group that of the server's user: `chgrp showcase {0}`.",
                key.display()
            )));
    }
    if is_open(&config.database, PRIVATE_FORBIDS) {
        found.push(Finding::problem(format!(
            "Other users of this machine can read {0}. Run `chmod 600 {0}`.",
            config.database.display()
        )));
    }
    if let Some(path) = config_file.filter(|path| is_open(path, SECRET_FORBIDS))
        && holds_secrets(path)
    {
        found.push(Finding::problem(format!(
                "Other users of this machine can read {0}, which contains secrets. Run `chmod 600 {0}`, or move each secret to its own file (SHOWCASE_SMTP_PASSWORD_FILE and so on).",
                path.display()
            )));
    }
    let folder = folder_of(&config.database);
    for path in [folder, config.database.as_path()] {
        if path.exists() && rustix::fs::access(path, Access::WRITE_OK).is_err() {
            found.push(Finding::problem(format!(
                    "{} is not writable by this user, but the server must write to it. Run this as the server's user, or make that user its owner.",
                    path.display()
                )));
        }
    }
    if found.is_empty() {
        found.push(Finding::good("private files are private, and the database is writable"));
    }
    found
}

fn holds_secrets(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let table: toml::Table = text.parse().unwrap_or_default();
    crate::config::SECRETS.iter().any(|key| {
        let Some((section, inner)) = key.split_once('.') else { return false };
        let value = table.get(section).and_then(|section| section.get(inner)).and_then(toml::Value::as_str);
        value.is_some_and(|value| !value.is_empty())
    })
}

pub fn disk(config: &Config) -> Vec<Finding> {
    let free = match probe::free_bytes(config) {
        Ok(free) => free,
        Err(error) => return vec![Finding::problem(error.to_string())],
    };
    if let Some(trouble) = probe::check_disk(config, free) {
        return vec![Finding::problem(trouble.for_organiser())];
    }
    let size = config.database.metadata().map_or(0, |file| file.len());
    let megabytes = free / 1_000_000;
    if free < size * 3 {
        return vec![Finding::note(format!(
            "{megabytes} MB are free, but a backup or an upgrade needs up to three times the size of the database ({} MB). Free some space soon.",
            size / 1_000_000
        ))];
    }
    vec![Finding::good(format!("{megabytes} MB are free"))]
}

pub fn database(config: &Config) -> Vec<Finding> {
    let path = &config.database;
    let version = match migrate::version(path) {
        Ok(version) => version,
        Err(_) if !path.exists() => {
            return vec![Finding::note(format!(
                "{} does not exist yet. `showcase serve` creates it.",
                path.display()
            ))];
        }
        Err(error) => return vec![Finding::problem(error.to_string())],
    };
    match open_read_only(path).and_then(|connection| backup::check(&connection, path)) {
        Err(error) => vec![Finding::problem(sentence(&error))],
        Ok(()) if version < migrate::newest() => vec![Finding::note(format!(
            "{} is sound, but from an older version of showcase. The next `serve` backs it up and migrates it.",
            path.display()
        ))],
        Ok(()) => vec![Finding::good(format!("{} is sound", path.display()))],
    }
}

pub fn backups(config: &Config) -> Vec<Finding> {
    let mut found = Vec::from_iter(older_copies(config));
    let hours = i64::from(config.backup.every_hours);
    if hours == 0 {
        found.push(Finding::note(
            "backup.every_hours is 0, so the server creates none. Make sure that something else does.",
        ));
        return found;
    }
    let now = time::now();
    let in_future = backups::list(config).unwrap_or_default().into_iter().find(|backup| backup.at > now);
    found.extend(in_future.map(|backup| {
        let file = backup.path.display();
        Finding::note(format!("{file} is dated in the future, because a clock was wrong. Rename or move it: it is neither counted nor deleted."))
    }));
    let unwritable = backups::require_writable_folder(config).err();
    let is_unwritable = unwritable.is_some();
    found.extend(unwritable.map(|error| Finding::problem(sentence(&error))));
    match backups::until(config, now).map(|backups| backups.into_iter().next()) {
        // The reason is the unwritable folder, which was reported above.
        Err(_) | Ok(None) if is_unwritable => {}
        Err(error) => found.push(Finding::problem(sentence(&error))),
        Ok(None) => {
            found.push(Finding::note("There are none yet. A running server creates the first one soon."));
        }
        Ok(Some(newest)) if now - newest.at > TimeDelta::minutes(hours * 90) => found.push(Finding::problem(format!(
                "The newest backup is from {}, but one is due every {hours} hours. The server's log says why the next one is missing.",
                time::stored(newest.at)
            ))),
        Ok(Some(newest)) => {
            found.push(Finding::good(format!("the newest is {}", newest.path.display())));
            if is_same_disk(&newest.path, &config.database) {
                found.push(Finding::note("They are on the same disk as the database. Have them copied to another machine (docs/backup.md)."));
            }
        }
    }
    found
}

fn older_copies(config: &Config) -> Option<Finding> {
    let copies = backups::older_copies(config).unwrap_or_default();
    let names: Vec<String> = copies.iter().map(|path| path.display().to_string()).collect();
    (!names.is_empty()).then(|| {
        Finding::note(format!(
                "From before an upgrade or a restore, and maybe with erased persons: {}. Delete those that you no longer need.",
                names.join(", ")
            ))
    })
}

/// How much space competitors' photos take, and whether each is what its SHA-256 says, in the database and beside the
/// backups. A database that cannot be read is reported elsewhere.
pub fn photos(config: &Config) -> Vec<Finding> {
    let Ok(connection) = open_read_only(&config.database) else { return Vec::new() };
    let mut found = Vec::new();
    if let Ok(Some(sentence)) = photos::storage_sentence(config, &connection) {
        found.push(Finding::good(sentence));
    }
    match media::check_stored(&connection) {
        Ok(checked) => found.extend(checked.lines().map(|line| {
            Finding::problem(format!(
                "{line}  in the database. Restore a backup, or ask the competitor to send it again."
            ))
        })),
        Err(error) => found.push(Finding::problem(sentence(&error))),
    }
    let newest = backups::until(config, time::now()).unwrap_or_default().into_iter().next();
    match media::check_files(config, newest.as_ref()) {
        Ok(checked) => found.extend(checked.lines().map(|line| {
            let folder = backups::folder(config).join(media::FOLDER);
            Finding::problem(format!(
                "{line}  in {}. Delete it if it is there: the next backup writes what the database still has.",
                folder.display()
            ))
        })),
        Err(error) => found.push(Finding::problem(sentence(&error))),
    }
    found
}

fn sentence(error: &Error) -> String {
    error.cause().map_or_else(|| error.to_string(), |cause| format!("{cause}."))
}
