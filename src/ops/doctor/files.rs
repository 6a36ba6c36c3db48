//! Files of this machine: who may read them, room for them, whether they are sound.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use chrono::{TimeDelta, Utc};
use rustix::fs::Access;

use super::Finding;
use crate::config::Config;
use crate::error::Error;
use crate::ops::backups;
use crate::ops::health::probe;
use crate::store::{backup, folder_of, migrate, open_to_read};
use crate::time;

/// A file of secrets may be read by a group of its own, such as the service's, and written by nobody else.
const OPEN: u32 = 0o027;
const OPEN_OR_SHARED: u32 = 0o077;

pub fn permissions(config: &Config, config_file: Option<&Path>) -> Vec<Finding> {
    let mut found = Vec::new();
    let has = |path: &Path, rights: u32| {
        path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & rights != 0)
    };
    for (path, rights) in
        [(Path::new(&config.tls.private_key), OPEN), (config.database.as_path(), OPEN_OR_SHARED)]
    {
        if has(path, rights) {
            found.push(Finding::problem(
                "permissions",
                format!("Others on this machine can read {0}: run `chmod 600 {0}`.", path.display()),
            ));
        }
    }
    if let Some(path) = config_file.filter(|path| has(path, OPEN))
        && holds_secrets(path)
    {
        found.push(Finding::problem(
            "permissions",
            format!(
                "Others on this machine can read {0}, which holds secrets: run `chmod 600 {0}`, or put them into files of their own (SHOWCASE_SMTP_PASSWORD_FILE and the like).",
                path.display()
            ),
        ));
    }
    let folder = folder_of(&config.database);
    for path in [folder, config.database.as_path()] {
        if path.exists() && rustix::fs::access(path, Access::WRITE_OK).is_err() {
            found.push(Finding::problem(
                "permissions",
                format!(
                    "{} cannot be written by this user, as the server must: give it to the server's user.",
                    path.display()
                ),
            ));
        }
    }
    if found.is_empty() {
        found.push(Finding::good("permissions", "what must be private is, and what must be written can be"));
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
        Err(error) => return vec![Finding::problem("disk", error.to_string())],
    };
    if let Some(trouble) = probe::judge_disk(config, free) {
        return vec![Finding::problem("disk", trouble.for_organiser())];
    }
    let size = config.database.metadata().map_or(0, |file| file.len());
    let megabytes = free / 1_000_000;
    if free < size * 3 {
        return vec![Finding::note(
            "disk",
            format!(
                "{megabytes} MB are free, and a backup or an upgrade needs up to three times the database ({} MB). Make room soon.",
                size / 1_000_000
            ),
        )];
    }
    vec![Finding::good("disk", format!("{megabytes} MB are free"))]
}

pub fn database(config: &Config) -> Vec<Finding> {
    let path = &config.database;
    let version = match migrate::version(path) {
        Ok(version) => version,
        Err(_) if !path.exists() => {
            return vec![Finding::note(
                "database",
                format!("{} is not there yet; `showcase serve` makes it.", path.display()),
            )];
        }
        Err(error) => return vec![Finding::problem("database", error.to_string())],
    };
    match open_to_read(path).and_then(|connection| backup::check(&connection, path)) {
        Err(error) => vec![Finding::problem("database", words(&error))],
        Ok(()) if version < migrate::newest() => vec![Finding::note(
            "database",
            format!(
                "{} is whole, and of an older showcase: the next `serve` backs it up and migrates it.",
                path.display()
            ),
        )],
        Ok(()) => vec![Finding::good("database", format!("{} is whole", path.display()))],
    }
}

pub fn backups(config: &Config) -> Vec<Finding> {
    let hours = i64::from(config.backup.every_hours);
    if hours == 0 {
        return vec![Finding::note(
            "backups",
            "backup.every_hours is 0: the server makes none. Something else must.",
        )];
    }
    let now = Utc::now();
    let mut found = Vec::new();
    let from_the_future = backups::list(config).unwrap_or_default().into_iter().find(|made| made.at > now);
    found.extend(from_the_future.map(|made| {
        let file = made.path.display();
        Finding::note(
            "backups",
            format!("{file} is dated in the future: a clock was wrong. Rename or move it; it is neither counted nor removed."),
        )
    }));
    let refused = backups::try_folder(config).err();
    let is_refused = refused.is_some();
    found.extend(refused.map(|error| Finding::problem("backups", words(&error))));
    match backups::until(config, now).map(|made| made.into_iter().next()) {
        // Why the next one cannot be written is why none is there, or none can be listed.
        Err(_) | Ok(None) if is_refused => {}
        Err(error) => found.push(Finding::problem("backups", words(&error))),
        Ok(None) => found.push(Finding::note("backups", "There is none yet; a running server makes the first one soon.")),
        Ok(Some(newest)) if now - newest.at > TimeDelta::minutes(hours * 90) => found.push(Finding::problem(
            "backups",
            format!(
                "The newest backup is from {}, and one should be made every {hours} hours. The server's log says why none was made since.",
                time::stored(newest.at)
            ),
        )),
        Ok(Some(newest)) => {
            found.push(Finding::good("backups", format!("the newest is {}", newest.path.display())));
            if on_one_disk(&newest.path, &config.database) {
                found.push(Finding::note(
                    "backups",
                    "They lie on the same disk as the database: have them copied to another machine (docs/backup.md).",
                ));
            }
        }
    }
    let failure = open_to_read(&config.database)
        .and_then(|connection| backups::last_failure(&connection))
        .unwrap_or_default();
    found.extend(failure.map(|failure| Finding::problem("backups", failure)));
    found
}

fn on_one_disk(one: &Path, other: &Path) -> bool {
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => one.dev() == other.dev(),
        _ => false,
    }
}

fn words(error: &Error) -> String {
    error.cause().map_or_else(|| error.to_string(), |cause| format!("{cause}."))
}
