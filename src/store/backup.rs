//! Online copies of the database, each checked before it gets its name: whole, or without the bytes of photos.

use std::path::Path;
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, params_from_iter};

use super::permissions::create_private;
use super::{folder_of, free_bytes, with_ending};
use crate::error::{Error, Result};

/// The start of [`require_disk_space`]'s sentence about a backup.
pub const NEED: &str = "A backup needs";
/// The reserve of a copy that may use all the space that is free.
pub const NO_RESERVE: u64 = 0;

/// Pages copied at a time; writers run in between.
const PAGES: i32 = 1024;

/// The tables whose rows [`write_without_media`] leaves out: the bytes of photos, which are kept as files beside the
/// backups, and unfinished uploads, which begin again.
const LEFT_OUT: [&str; 3] = ["media_chunks", "uploads", "upload_chunks"];

/// Copies `source` to a temporary file, checks it, and renames it to `target`. `reserve` bytes stay free.
///
/// # Errors
/// [`Error::Failed`] if the disk is full or the copy fails its check.
pub fn write_verified(source: &Connection, target: &Path, reserve: u64) -> Result<()> {
    require_disk_space(NEED, file_size(source)?, reserve, folder_of(target))?;
    write(target, |partial| copy(source, partial))
}

/// Like [`write_verified`], without the rows of `LEFT_OUT`. The caller holds a transaction on `source`, so that all tables
/// are of one instant.
pub fn write_without_media(source: &Connection, target: &Path, reserve: u64) -> Result<()> {
    let left_out: u64 = source.query_row(
        "select (select coalesce(sum(bytes + thumbnail_bytes), 0) from media)
             + (select coalesce(sum(received), 0) from uploads where media_id is null)",
        [],
        |row| row.get(0),
    )?;
    let size = file_size(source)?.saturating_sub(left_out);
    require_disk_space(NEED, size, reserve, folder_of(target))?;
    write(target, |partial| copy_rows(source, partial))
}

fn write(target: &Path, copy: impl FnOnce(&Path) -> Result<Connection>) -> Result<()> {
    let partial = with_ending(target, ".partial");
    let outcome = copy(&partial).and_then(|copy| check(&copy, &partial));
    match outcome.and_then(|()| std::fs::rename(&partial, target).map_err(Error::from)) {
        Ok(()) => Ok(()),
        Err(error) => {
            let _ = std::fs::remove_file(&partial);
            Err(Error::Failed(format!("{} could not be written: {}", target.display(), error.for_log())))
        }
    }
}

pub fn check(connection: &Connection, path: &Path) -> Result<()> {
    let finding: String = connection.query_row("pragma quick_check(1)", [], |row| row.get(0))?;
    if finding == "ok" {
        return Ok(());
    }
    Err(Error::Failed(format!("{} is damaged ({finding}). Restore the last backup.", path.display())))
}

fn copy(source: &Connection, target: &Path) -> Result<Connection> {
    let _ = std::fs::remove_file(target);
    create_private(target)?;
    let mut copy = Connection::open(target)?;
    Backup::new(source, &mut copy)?.run_to_completion(PAGES, Duration::from_millis(1), None)?;
    // Without this, the copy would have a write-ahead log beside it.
    copy.pragma_update(None, "journal_mode", "delete")?;
    Ok(copy)
}

/// Copies table by table, so that the time depends on the rows that are copied and not on the size of the file.
fn copy_rows(source: &Connection, target: &Path) -> Result<Connection> {
    let _ = std::fs::remove_file(target);
    create_private(target)?;
    let copy = Connection::open(target)?;
    copy.execute_batch(
        "pragma journal_mode = off; pragma synchronous = off; pragma foreign_keys = off; begin",
    )?;
    let statements = |kind: &str| -> Result<Vec<(String, String)>> {
        let mut statement = source.prepare(
            "select name, sql from sqlite_schema
             where type = ? and sql is not null and name not like 'sqlite\\_%' escape '\\' order by rowid",
        )?;
        let rows = statement.query_map([kind], |row| row.try_into())?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    };
    let tables = statements("table")?;
    for (_, sql) in &tables {
        copy.execute_batch(sql)?;
    }
    let copied = tables.iter().map(|(name, _)| name.as_str()).filter(|name| !LEFT_OUT.contains(name));
    for table in copied {
        copy_table(source, &copy, table)?;
    }
    // The last ids of tables that never reuse one. Filling these tables has added rows of its own.
    copy.execute("delete from sqlite_sequence", [])?;
    copy_table(source, &copy, "sqlite_sequence")?;
    // Indexes last: that is faster than to fill them row by row.
    for (_, sql) in statements("index")? {
        copy.execute_batch(&sql)?;
    }
    copy.execute_batch("commit")?;
    Ok(copy)
}

fn copy_table(source: &Connection, copy: &Connection, table: &str) -> Result<()> {
    let mut rows = source.prepare(&format!("select * from {table}"))?;
    let columns = rows.column_count();
    let marks = vec!["?"; columns].join(", ");
    let mut insert = copy.prepare(&format!("insert into {table} values ({marks})"))?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let values = (0..columns).map(|column| Ok(ToSqlOutput::Borrowed(row.get_ref(column)?)));
        insert.execute(params_from_iter(values.collect::<rusqlite::Result<Vec<_>>>()?))?;
    }
    Ok(())
}

/// The size of a database, in bytes.
pub fn file_size(source: &Connection) -> Result<u64> {
    let sql = "select page_count * page_size from pragma_page_count(), pragma_page_size()";
    Ok(source.query_row(sql, [], |row| row.get(0))?)
}

/// Checks the free space before anything is written. `need` begins the sentence: 'A backup needs'.
///
/// # Errors
/// [`Error::Failed`] unless the folder's disk has room for `size` bytes, a tenth more, and the `reserve` that stays free.
pub fn require_disk_space(need: &str, size: u64, reserve: u64, folder: &Path) -> Result<()> {
    let free = free_bytes(folder)?;
    if free > size.saturating_add(size / 10).saturating_add(reserve) {
        return Ok(());
    }
    let kept = match reserve / 1_000_000 {
        0 => String::new(),
        megabytes => format!(" besides the {megabytes} MB that stay free (limits.free_megabytes)"),
    };
    Err(Error::Failed(format!(
        "{need} {} MB in {}{kept}, and {} MB are free. Free some space first; nothing was changed.",
        size / 1_000_000 + 1,
        folder.display(),
        free / 1_000_000
    )))
}
