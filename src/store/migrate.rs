//! Migrates a database to this program's schema, after a verified backup.

use std::path::{Path, PathBuf};

use refinery::{Migration, Runner};
use rusqlite::{Connection, OptionalExtension};

use super::{backup, connection, folder_of, path_check, with_ending};
use crate::error::{Error, Result};

/// All migrations, oldest first. `schema.sql` is the first one, and the only one until version 1.0.0 is published.
const MIGRATIONS: [(&str, &str); 1] = [("V1__schema", include_str!("../../schema.sql"))];

/// The environment variable with a file of SQL that a test runs as the migration after the newest one.
pub const NEXT_MIGRATION_VARIABLE: &str = "SHOWCASE_TEST_NEXT_MIGRATION";

/// A migration and whether it was applied to the file.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    pub version: i64,
    pub name: String,
    pub applied: bool,
}

/// The result of [`migrate`].
#[derive(Debug, Default)]
pub struct Migrated {
    pub applied: Vec<String>,
    pub backup: Option<PathBuf>,
}

/// The newest schema version that this program knows.
pub fn newest() -> i64 {
    steps(None).last().map_or(0, |step| step.version)
}

/// All migrations, oldest first.
pub fn status(path: &Path) -> Result<Vec<Step>> {
    Ok(steps(stored_version(path)?))
}

/// Fails with [`Error::Failed`] if [`migrate`] has to make a backup first, for which the disk has no room.
pub fn require_disk_space(path: &Path) -> Result<()> {
    match stored_version(path)? {
        Some(version) if version < newest() => {
            let size = backup::file_size(&connection::open_read_only(path)?)?;
            backup::require_disk_space(backup::NEED, size, backup::NO_RESERVE, folder_of(path))
        }
        _ => Ok(()),
    }
}

/// The schema version of a database that this program can use or migrate.
pub fn version(path: &Path) -> Result<i64> {
    let unknown = || Error::Failed(format!("{} is not a database of this program.", path.display()));
    stored_version(path)?.ok_or_else(unknown)
}

/// Applies the pending migrations in one transaction. An existing file is checked and backed up first.
///
/// # Errors
/// [`Error::Failed`]: the file is newer than this program, is damaged, or the disk has no room for the
/// backup. The file is then unchanged.
pub fn migrate(path: &Path) -> Result<Migrated> {
    let version = stored_version(path)?;
    let pending: Vec<String> = steps(version)
        .into_iter()
        .filter(|step| !step.applied)
        .map(|step| format!("V{} {}", step.version, step.name))
        .collect();
    if pending.is_empty() {
        return Ok(Migrated::default());
    }
    let backup = match version {
        Some(version) => Some(backup_before(path, version)?),
        None => None,
    };
    apply(path).map_err(|error| explain(path, backup.as_deref(), &error))?;
    Ok(Migrated { applied: pending, backup })
}

pub fn require_current(path: &Path) -> Result<()> {
    match stored_version(path)? {
        Some(version) if version == newest() => Ok(()),
        Some(_) => Err(Error::Failed(format!(
            "{} was made by an older showcase. Run `showcase migrate` first; it makes a backup.",
            path.display()
        ))),
        None => Err(Error::Failed(format!(
            "There is no database at {}. Name it with --database, or create it with `showcase serve` or `showcase migrate`.",
            path.display()
        ))),
    }
}

/// The time at which the newest migration was applied (RFC 3339).
pub fn last_applied_at(connection: &Connection) -> Result<String> {
    let sql = "select applied_on from refinery_schema_history order by version desc limit 1";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

fn migrations() -> Vec<Migration> {
    let mut migrations: Vec<(String, String)> =
        MIGRATIONS.iter().map(|(name, sql)| ((*name).to_owned(), (*sql).to_owned())).collect();
    if let Some(file) = std::env::var_os(NEXT_MIGRATION_VARIABLE) {
        let sql = std::fs::read_to_string(file).expect("the test's file of SQL");
        migrations.push((format!("V{}__next", migrations.len() + 1), sql));
    }
    migrations
        .iter()
        .map(|(name, sql)| Migration::unapplied(name, sql).expect("names as refinery wants them"))
        .collect()
}

fn apply(path: &Path) -> std::result::Result<(), String> {
    let mut connection = connection::open(path).map_err(|error| error.for_log())?;
    // A table that others refer to can only be rebuilt with foreign keys off. They are checked afterwards.
    connection.execute_batch("pragma foreign_keys = off").map_err(|error| error.to_string())?;
    // Grouped: a crash between two migrations would leave a file that refuses to upgrade.
    Runner::new(&migrations()).set_grouped(true).run(&mut connection).map_err(|error| error.to_string())?;
    let broken: Option<String> = connection
        .query_row("pragma foreign_key_check", [], |row| row.get(0))
        .optional()
        .map_err(|error| error.to_string())?;
    match broken {
        Some(table) => Err(format!("rows of {table} refer to rows that do not exist")),
        None => Ok(()),
    }
}

fn explain(path: &Path, backup: Option<&Path>, cause: &str) -> Error {
    let kept = match backup {
        Some(backup) => format!(" The backup made before the migration is {}.", backup.display()),
        None => String::new(),
    };
    Error::Failed(format!("{} could not be migrated: {cause}.{kept}", path.display()))
}

fn backup_before(path: &Path, version: i64) -> Result<PathBuf> {
    let target = with_ending(path, &format!(".schema-{version}.backup"));
    let source = connection::open(path)?;
    backup::check(&source, path)?;
    backup::write_verified(&source, &target, backup::NO_RESERVE)?;
    Ok(target)
}

/// The version of the file's schema; `None` for a missing or empty file.
///
/// # Errors
/// [`Error::Failed`]: the file is newer than this program, or is not a database of this program.
fn stored_version(path: &Path) -> Result<Option<i64>> {
    path_check::require_possible(path)?;
    if path.metadata().map_or(true, |present| present.len() == 0) {
        return Ok(None);
    }
    let unreadable = |error: rusqlite::Error| {
        Error::Failed(format!("{} is not a database that can be read: {error}.", path.display()))
    };
    let connection = connection::open_read_only(path).map_err(|error| match error {
        Error::Failed(_) => error,
        other => Error::Failed(format!(
            "{} is not a database that can be read: {}.",
            path.display(),
            other.cause().unwrap_or_default()
        )),
    })?;
    let tables: i64 = connection
        .query_row("select count(*) from sqlite_master where name = 'refinery_schema_history'", [], |row| {
            row.get(0)
        })
        .map_err(unreadable)?;
    if tables == 0 {
        let others: i64 = connection
            .query_row("select count(*) from sqlite_master", [], |row| row.get(0))
            .map_err(unreadable)?;
        if others > 0 {
            return Err(Error::Failed(format!(
                "{} is a database of another program. Name ours with --database.",
                path.display()
            )));
        }
        return Ok(None);
    }
    let version: Option<i64> = connection
        .query_row("select max(version) from refinery_schema_history", [], |row| row.get(0))
        .map_err(unreadable)?;
    match version {
        Some(version) if version > newest() => Err(Error::Failed(format!(
            "{} has schema {version}, newer than this showcase knows ({}). Run the newer showcase, or restore a backup made before the upgrade.",
            path.display(),
            newest()
        ))),
        version => Ok(version),
    }
}

fn steps(version: Option<i64>) -> Vec<Step> {
    migrations()
        .iter()
        .map(|migration| {
            let number = i64::from(migration.version());
            Step {
                version: number,
                name: migration.name().replace('_', " "),
                applied: version.is_some_and(|version| number <= version),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_has_nothing_to_do_and_an_older_file_is_backed_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        assert!(migrate(&path).expect("migrated").backup.is_none());
        assert!(migrate(&path).expect("nothing to do").applied.is_empty());
        require_current(&path).expect("current");
        let backup = backup_before(&path, newest()).expect("a backup");
        require_current(&backup).expect("the backup is a whole database");
    }

    #[test]
    fn a_foreign_file_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let foreign = folder.path().join("foreign.db");
        Connection::open(&foreign).and_then(|c| c.execute_batch("create table x (y)")).expect("a table");
        assert!(migrate(&foreign).expect_err("refused").to_string().contains("another program"));
        let text = folder.path().join("text.db");
        std::fs::write(&text, "this is not a database, but a text that is long enough to be read as one")
            .expect("a file");
        assert!(migrate(&text).expect_err("refused").to_string().contains("not a database"));
    }
}
