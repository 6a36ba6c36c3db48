//! The end of an edition and the start of the next: an archive of everything, and a new database from it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::app::App;
use crate::error::{Error, Result};
use crate::judging::export::{self as scores, JudgingExport};
use crate::model::{Actor, Kind};
use crate::ops::backups::{copy_and_hash, remove_database};
use crate::portal::export as nominations;
use crate::portal::organiser::NominationFilter;
use crate::registrations::export::{self, Format, Selection};
use crate::site::content::Content;
use crate::site::content::edition as content_edition;
use crate::site::{self, publish, revisions};
use crate::store::content_revisions::{self, NewRevision};
use crate::store::judging::categories::{self, Placed};
use crate::store::mail_texts::{self, MailText};
use crate::store::mailings::unreachable;
use crate::store::{
    Store, audit, backup, create_private, create_private_folder, folder_of, images, installation, migrate,
    with_ending,
};
use crate::time;

/// The folder of archives, beside the database.
const FOLDER: &str = "archive";
const DATABASE: &str = "showcase.db";
const CONTENT: &str = "content.toml";
/// The list of the archive's files with their SHA-256.
const MANIFEST: &str = "manifest.json";
/// The most bytes of a manifest or a content file; real ones are much smaller.
const MAX_TEXT: u64 = 16 << 20;

/// An archive that was written and read back.
pub struct Archive {
    pub path: PathBuf,
    pub files: usize,
}

/// A database that was started from an archive.
pub struct Started {
    pub content: Content,
    /// How many samples are to be replaced or confirmed before the site is announced.
    pub samples: usize,
    pub pictures: usize,
    /// The number of edited texts of standard emails.
    pub mail_texts: usize,
    /// The names of those that name a date.
    pub dated_mail_texts: Vec<String>,
}

/// Writes an archive of the edition and reads it back: the database, the content, the public pages, and every registration
/// as CSV and as a workbook, nominations, scores and results. It is written under a temporary name, and renamed once it is
/// complete.
///
/// # Errors
/// [`Error::Failed`] if it cannot be written, or differs when it is read back.
pub fn close(app: &App, actor: &Actor, now: DateTime<Utc>) -> Result<Archive> {
    let folder = folder_of(app.store.path()).join(FOLDER);
    create_private_folder(&folder)?;
    let name = format!("{}-{}.zip", export::name_of_event(&app.content()), now.format("%Y%m%dT%H%M%S%3fZ"));
    let path = folder.join(name);
    if path.exists() {
        return Err(Error::Failed(format!("{} is there already. Try again.", path.display())));
    }
    let partial = with_ending(&path, ".partial");
    let copy = with_ending(&path, ".db.partial");
    let outcome = write(app, actor, &partial, &copy).and_then(|()| verify(&partial));
    let _ = fs::remove_file(&copy);
    let files = outcome.inspect_err(|_| drop(fs::remove_file(&partial)))?;
    fs::rename(&partial, &path)?;
    app.store.write(|connection| {
        audit::record(connection, actor, "edition archived", &json!({ "file": path.display().to_string() }))
    })?;
    Ok(Archive { path, files })
}

/// A zip file that is being written, with the hash of each of its files.
struct ArchiveWriter {
    zip: ZipWriter<File>,
    hashes: BTreeMap<String, String>,
}

impl ArchiveWriter {
    fn add(&mut self, name: &str, mut source: impl Read) -> Result<()> {
        let options =
            SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).large_file(true);
        self.zip.start_file(name, options).map_err(unwritable)?;
        let hash = copy_and_hash(&mut source, &mut self.zip)?;
        self.hashes.insert(name.to_owned(), hex::encode(hash));
        Ok(())
    }
}

fn unwritable(error: zip::result::ZipError) -> Error {
    Error::Failed(format!("The archive could not be written: {error}."))
}

fn write(app: &App, actor: &Actor, target: &Path, copy: &Path) -> Result<()> {
    let _ = fs::remove_file(target);
    let mut archive_writer =
        ArchiveWriter { zip: ZipWriter::new(create_private(target)?), hashes: BTreeMap::new() };
    app.store.read(|connection| backup::write_verified(connection, copy, backup::NO_RESERVE))?;
    archive_writer.add(DATABASE, File::open(copy)?)?;
    archive_writer.add(CONTENT, revisions::current_text(app)?.as_bytes())?;
    // A command renders no pages when it starts.
    publish::publish(app, publish::Scope::All)?;
    let pages = app.site();
    for path in pages.public_pages() {
        let name =
            if path == "/" { "index".to_owned() } else { path.trim_start_matches('/').replace('/', "-") };
        if let Some(page) = pages.get(path) {
            archive_writer.add(&format!("pages/{name}.html"), &*page.variant("identity").body)?;
        }
    }
    let zone = app.content().event.time_zone.clone();
    let selections = Kind::ALL.into_iter().map(|kind| (Some(kind), Format::Csv, kind.as_str()));
    for (kind, format, name) in selections.chain([(None, Format::Xlsx, "registrations")]) {
        let selection = Selection::everything(kind, zone.clone());
        let mut bytes = Vec::new();
        export::write(app, actor, format, &selection, &mut bytes, &mut |_| ())?;
        archive_writer.add(&format!("exports/{name}.{format}"), bytes.as_slice())?;
    }
    let mut bytes = Vec::new();
    let all = NominationFilter::default();
    nominations::write(app, actor, Format::Csv, &all, &mut bytes)?;
    archive_writer.add("exports/nominations.csv", bytes.as_slice())?;
    for exported in JudgingExport::ALL {
        let mut bytes = Vec::new();
        scores::write(app, actor, Format::Csv, exported, &mut bytes)?;
        archive_writer.add(&format!("exports/{}.csv", exported.as_str()), bytes.as_slice())?;
    }
    let manifest = json!({ "event": app.content().event.name, "files": archive_writer.hashes });
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    archive_writer.zip.start_file(MANIFEST, options).map_err(unwritable)?;
    archive_writer.zip.write_all(manifest.to_string().as_bytes())?;
    archive_writer.zip.finish().map_err(unwritable)?.sync_all()?;
    Ok(())
}

/// Reads every file of an archive and compares it with the manifest. Returns their number.
fn verify(path: &Path) -> Result<usize> {
    let damaged = |what: &str| Error::Failed(format!("{} is damaged ({what}).", path.display()));
    let mut zip = open(path)?;
    let manifest: Value =
        serde_json::from_str(&text(&mut zip, MANIFEST, path)?).map_err(|_| damaged(MANIFEST))?;
    let files = manifest["files"].as_object().ok_or_else(|| damaged(MANIFEST))?;
    for (name, hash) in files {
        let mut file = zip.by_name(name).map_err(|_| damaged(name))?;
        let mut digest = Sha256::new();
        std::io::copy(&mut file, &mut digest).map_err(|_| damaged(name))?;
        if hash.as_str() != Some(&hex::encode(digest.finalize())) {
            return Err(damaged(name));
        }
    }
    Ok(files.len())
}

fn open(path: &Path) -> Result<ZipArchive<File>> {
    let file = File::open(path)
        .map_err(|error| Error::Failed(format!("{} cannot be read: {error}.", path.display())))?;
    ZipArchive::new(file).map_err(|_| {
        Error::Failed(format!(
            "{} is not an archive. Name a file of `showcase edition close`.",
            path.display()
        ))
    })
}

fn text(zip: &mut ZipArchive<File>, name: &str, path: &Path) -> Result<String> {
    let missing = || {
        Error::Failed(format!(
            "{} has no readable {name}. Name a file of `showcase edition close`.",
            path.display()
        ))
    };
    let file = zip.by_name(name).map_err(|_| missing())?;
    let mut text = String::new();
    file.take(MAX_TEXT).read_to_string(&mut text).map_err(|_| missing())?;
    Ok(text)
}

/// Starts the database of the next edition from an archive: its content with every day moved, its pictures, its edited
/// texts of standard emails, and who has unsubscribed, as hashes. Otherwise nothing about people. It is written under a
/// temporary name, and renamed once it is complete.
///
/// # Errors
/// [`Error::Failed`] if the database exists, the archive is damaged, or its content cannot be moved by so many days.
pub fn start(archive: &Path, days: i64, database: &Path) -> Result<Started> {
    if database.exists() {
        return Err(Error::Failed(format!(
            "{} exists already. Name a database that does not exist yet.",
            database.display()
        )));
    }
    verify(archive)?;
    let mut zip = open(archive)?;
    let toml = text(&mut zip, CONTENT, archive)?;
    let (previous, partial) = (with_ending(database, ".former.partial"), with_ending(database, ".partial"));
    let outcome = unpack(&mut zip, &previous, archive).and_then(|()| fill(&previous, &partial, &toml, days));
    remove_database(&previous);
    let started = outcome.inspect_err(|_| remove_database(&partial))?;
    fs::rename(&partial, database)?;
    Ok(started)
}

fn unpack(zip: &mut ZipArchive<File>, target: &Path, archive: &Path) -> Result<()> {
    let _ = fs::remove_file(target);
    let mut file = zip
        .by_name(DATABASE)
        .map_err(|_| Error::Failed(format!("{} has no database.", archive.display())))?;
    std::io::copy(&mut file, &mut create_private(target)?)?;
    Ok(())
}

/// What the next edition takes over from the database of the previous one, apart from the content.
struct PreviousEdition {
    pictures: Vec<(images::Image, Vec<images::Size>)>,
    results: Vec<Placed>,
    mail_texts: Vec<MailText>,
    unsubscribe_key: Option<String>,
    unsubscribed: Vec<(Vec<u8>, String)>,
}

impl PreviousEdition {
    fn read(connection: &Connection) -> Result<PreviousEdition> {
        let with_sizes = |image: images::Image| {
            let sizes = images::sizes(connection, image.id)?;
            Ok((image, sizes))
        };
        Ok(PreviousEdition {
            pictures: images::list(connection)?.into_iter().map(with_sizes).collect::<Result<_>>()?,
            results: categories::published(connection)?,
            mail_texts: mail_texts::list(connection)?,
            unsubscribe_key: installation::get(connection, installation::UNSUBSCRIBE_KEY)?,
            unsubscribed: unreachable::unsubscribed(connection)?,
        })
    }

    fn write(&self, connection: &Connection, now: &str) -> Result<()> {
        for (image, sizes) in &self.pictures {
            let actor = Actor::CommandLine;
            let new = images::NewImage {
                created_at: &image.created_at,
                actor: &actor,
                name: &image.name,
                hash: &image.hash,
                content_type: &image.content_type,
                about: &image.about,
            };
            let id = images::insert(connection, &new)?;
            for size in sizes {
                images::insert_size(connection, id, size)?;
            }
        }
        for text in &self.mail_texts {
            let new = MailText { changed_at: now.to_owned(), actor: Actor::CommandLine, ..text.clone() };
            mail_texts::set(connection, &new)?;
        }
        if let Some(key) = &self.unsubscribe_key {
            installation::set(connection, installation::UNSUBSCRIBE_KEY, key, now)?;
        }
        for (address_hash, at) in &self.unsubscribed {
            unreachable::insert_unsubscribed(connection, address_hash, at)?;
        }
        Ok(())
    }
}

fn fill(previous: &Path, target: &Path, toml: &str, days: i64) -> Result<Started> {
    let refused = |sentence: String| Error::Failed(format!("The content cannot be taken over: {sentence}."));
    migrate::migrate(previous)?;
    let previous = Store::open_read_only(previous)?.read(PreviousEdition::read)?;
    let old = Content::parse(toml).map_err(|problems| refused(site::summarised(&problems)))?;
    let winners = publish::with_winners(old.clone(), &previous.results).after.winners;
    let next = content_edition::next(toml, &old, &winners, days).map_err(refused)?;
    let names = previous.pictures.iter().map(|(image, _)| image.name.clone()).collect();
    let content =
        Content::parse_with(&next, &names).map_err(|problems| refused(site::summarised(&problems)))?;
    let is_dated = |text: &&MailText| {
        content_edition::names_date(&text.subject) || content_edition::names_date(&text.text)
    };
    let started = Started {
        samples: content.samples().len(),
        content,
        pictures: previous.pictures.len(),
        mail_texts: previous.mail_texts.len(),
        dated_mail_texts: previous.mail_texts.iter().filter(is_dated).map(|text| text.name.clone()).collect(),
    };
    remove_database(target);
    migrate::migrate(target)?;
    let store = Store::open(target)?;
    let note = format!("from the edition of {}", old.event.dates);
    let now = time::stored(time::now());
    store.write(|connection| {
        previous.write(connection, &now)?;
        let revision = NewRevision { created_at: &now, actor: &Actor::CommandLine, note: &note, toml: &next };
        let id = content_revisions::insert(connection, &revision)?;
        let detail = json!({ "revision": id, "days": days });
        audit::record(connection, &Actor::CommandLine, "edition started", &detail)
    })?;
    Ok(started)
}
