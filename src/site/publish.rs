//! Makes the pages of the present content and puts them before the visitors, all at once.

mod calendar;
mod facts;
mod files;

use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::app::{App, Fingerprint, Published};
use crate::error::{Error, Result};
use crate::ops::memory;
use crate::site::content::Content;
use crate::site::render::{Inputs, Pictures, Site, Size};
use crate::site::{self, Present};
use crate::store::content_revisions;
use crate::store::images;
pub use calendar::calendar;
use facts::{SiteFacts, facts};

/// Reads what is to be shown, makes every page of it and swaps them in. What was served before stays when
/// this fails.
///
/// # Errors
/// [`Error::Internal`] when a page cannot be made, [`Error::Unavailable`] when the database does not answer.
pub fn publish(app: &App) -> Result<()> {
    let before = app.published();
    let (edition, present, pictures) = app.store.read(|connection| {
        let edition = content_revisions::edition(connection)?;
        let pictures = if edition.pictures == before.fingerprint.edition.pictures {
            Arc::clone(&before.pictures)
        } else {
            Arc::new(load_pictures(connection, &before.pictures)?)
        };
        Ok((edition, site::present(connection)?, pictures))
    })?;
    let facts = facts(app, &present.content, Utc::now());
    let site = Arc::new(site(app, &present, &facts, &pictures)?);
    // At start a page that fails is a shell; later what was served before is better.
    if !before.site.is_empty() {
        require_no_worse(&site, &before.site)?;
    }
    let calendar = calendar::calendar(&present, &app.public_url()).into();
    let (content, revision) = (Arc::new(present.content), present.revision);
    let fingerprint = Fingerprint { edition, facts: json!(facts) };
    app.set_published(Published { content, pictures, site, calendar, revision, fingerprint });
    Ok(())
}

/// What pages would be made of now; differs from what is shown after another command's change, and when
/// a form opens or closes by its date.
pub fn newest_fingerprint(app: &App, now: DateTime<Utc>) -> Result<Fingerprint> {
    let edition = app.store.read(content_revisions::edition)?;
    Ok(Fingerprint { edition, facts: json!(facts(app, &app.content(), now)) })
}

/// Makes every page of a content that is not shown yet, and throws them away.
///
/// # Errors
/// [`Error::Failed`] when one cannot be made that can be of the present content.
pub fn rehearse(app: &App, content: &Content) -> Result<()> {
    let pictures = app.store.read(|connection| load_pictures(connection, &Pictures::default()))?;
    let render = |content: &Content| rendered(content, &facts(app, content, Utc::now()), &pictures);
    let made = render(content).and_then(|site| {
        require_no_worse(&site, &Site::default()).or_else(|_| {
            let present = app.store.read(site::present)?;
            require_no_worse(&site, &render(&present.content)?)
        })
    });
    made.map_err(|error| {
        let cause = error.cause().unwrap_or_default();
        Error::Failed(format!("The pages cannot be made of this content ({cause}). Nothing was changed."))
    })
}

fn require_no_worse(site: &Site, before: &Site) -> Result<()> {
    match site.worse_than(before) {
        Some((path, failure)) => Err(Error::Internal(format!("{path}: {failure}"))),
        None => Ok(()),
    }
}

/// Compresses the present pages as small as they get, unless that is done; slow, for the background.
pub fn squeeze(app: &App, stop: impl Fn() -> bool) {
    let site = app.site();
    if site.is_squeezed() {
        return;
    }
    // A publication in the meantime wins.
    if let Some(squeezed) = site.squeezed(|| stop() || !Arc::ptr_eq(&site, &app.site())) {
        app.replace_site(&site, squeezed);
    }
    drop(site);
    memory::release_freed();
}

/// The pages and all files that are made of the same content.
fn site(app: &App, present: &Present, facts: &SiteFacts, pictures: &Pictures) -> Result<Site> {
    let mut site = rendered(&present.content, facts, pictures)?;
    for file in files::all(app, present, &site.public_pages()) {
        site.add_file(file);
    }
    site.add_pictures(pictures);
    Ok(site)
}

fn rendered(content: &Content, facts: &SiteFacts, pictures: &Pictures) -> Result<Site> {
    let picture = |name: &str| match pictures.get(name) {
        Some(picture) => serde_json::to_value(picture).unwrap_or_default(),
        // Removed in the moment between check and import: drawn, as where none is named.
        None => Value::String(String::new()),
    };
    let for_pages = content
        .for_pages(&picture)
        .map_err(|error| Error::Internal(format!("the content for the pages: {error}")))?;
    Site::render(&Inputs { content: &for_pages, site: facts }, &content.frame_origins())
}

fn load_pictures(connection: &Connection, before: &Pictures) -> Result<Pictures> {
    let mut pictures = Pictures::after(before);
    for image in images::list(connection)? {
        let size = |size: images::Size| Size {
            width: size.width,
            height: size.height,
            bytes: Bytes::from(size.bytes),
        };
        let sizes = images::sizes(connection, image.id)?.into_iter().map(size).collect();
        pictures.add(&image.name, &image.hash, &image.content_type, sizes);
    }
    Ok(pictures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::model::Actor;
    use crate::site::revisions;
    use crate::store::{Store, migrate};

    fn app(folder: &tempfile::TempDir, toml: &str) -> App {
        let path = folder.path().join("test.db");
        migrate::migrate(&path).expect("migrated");
        let content = Content::parse(Content::default_toml()).expect("the default");
        let app = App::new(Config::default(), Store::open(&path).expect("a store"), content, false);
        let app = app.expect("an application");
        revisions::import(&app, toml, "", &Actor::Program).expect("imported");
        app
    }

    #[test]
    fn pages_are_due_each_day_when_a_form_opens_or_closes_and_after_an_import() {
        let folder = tempfile::tempdir().expect("a folder");
        let dated = "[openings.waitlist-signups]\nfrom = \"2026-01-05\"\nuntil = \"2026-02-01 18:00\"";
        let toml = Content::default_toml().replace("[openings.waitlist-signups]\nopen = true", dated);
        let app = app(&folder, &toml);
        publish(&app).expect("published");
        let at = |instant: &str| {
            newest_fingerprint(&app, instant.parse().expect("an instant")).expect("a fingerprint")
        };
        // Midnight and 18:00 in New York.
        assert_ne!(at("2026-01-05T04:59:59Z"), at("2026-01-05T05:00:00Z"));
        assert_eq!(at("2026-02-01T05:00:00Z"), at("2026-02-01T22:59:59Z"));
        // What pages say of dates is true on its day only.
        assert_ne!(at("2026-01-20T04:59:59Z"), at("2026-01-20T05:00:00Z"));
        assert_ne!(at("2026-02-01T22:59:59Z"), at("2026-02-01T23:00:00Z"));
        let before = newest_fingerprint(&app, Utc::now()).expect("a fingerprint");
        assert_eq!(before, app.published().fingerprint);
        revisions::import(&app, Content::default_toml(), "", &Actor::Program).expect("imported");
        assert_ne!(newest_fingerprint(&app, Utc::now()).expect("a fingerprint"), before);
    }
}
