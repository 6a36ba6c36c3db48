//! Makes the pages of the present content and puts them before the visitors, all at once.

mod calendar;
mod facts;
mod files;

use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde_json::Value;

use crate::app::{App, Shown};
use crate::content::Content;
use crate::content_desk::{self, Present};
use crate::error::{Error, Result};
use crate::render::{Inputs, Pictures, Site, Size};
use crate::store::content_revisions::{self, Edition};
use crate::store::images;
use facts::facts;

/// Reads what is to be shown, makes every page of it and swaps them in. What was served before stays when
/// this fails.
///
/// # Errors
/// [`Error::Internal`] when a page cannot be made, [`Error::Unavailable`] when the database does not answer.
pub fn publish(app: &App) -> Result<()> {
    let before = app.shown();
    let (edition, present, pictures) = app.store.read(|connection| {
        let edition = content_revisions::edition(connection)?;
        let pictures = if edition.pictures == before.edition.pictures {
            Arc::clone(&before.pictures)
        } else {
            Arc::new(load_pictures(connection, &before.pictures)?)
        };
        Ok((edition, content_desk::present(connection)?, pictures))
    })?;
    let site = Arc::new(site(app, &present, &pictures)?);
    // At start a page that fails is a shell; later what was served before is better.
    if !before.site.is_empty() {
        require_no_worse(&site, &before.site)?;
    }
    let (content, revision) = (Arc::new(present.content), present.revision);
    app.show(Shown { content, pictures, site, revision, edition });
    Ok(())
}

/// What the database holds to be shown; differs from what is shown after another command's change.
pub fn newest_edition(app: &App) -> Result<Edition> {
    app.store.read(content_revisions::edition)
}

/// Makes every page of a content that is not shown yet, and throws them away.
///
/// # Errors
/// [`Error::Failed`] when one cannot be made that can be of the present content.
pub fn rehearse(app: &App, content: &Content) -> Result<()> {
    let pictures = app.store.read(|connection| load_pictures(connection, &Pictures::default()))?;
    let made = rendered(app, content, &pictures).and_then(|site| {
        require_no_worse(&site, &Site::default()).or_else(|_| {
            let present = app.store.read(content_desk::present)?;
            require_no_worse(&site, &rendered(app, &present.content, &pictures)?)
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
}

/// The facts that pages depend on beside the content, to notice when a form opens or closes by itself.
pub fn fingerprint(app: &App, now: DateTime<Utc>) -> String {
    format!("{:?}", facts(app, &app.content(), now))
}

/// The pages and all files that are made of the same content.
fn site(app: &App, present: &Present, pictures: &Pictures) -> Result<Site> {
    let mut site = rendered(app, &present.content, pictures)?;
    for file in files::all(app, present, &site.public_pages()) {
        site.add_file(file);
    }
    site.add_pictures(pictures);
    Ok(site)
}

fn rendered(app: &App, content: &Content, pictures: &Pictures) -> Result<Site> {
    let facts = facts(app, content, Utc::now());
    let picture = |name: &str| match pictures.get(name) {
        Some(picture) => serde_json::to_value(picture).unwrap_or_default(),
        // Removed in the moment between check and import: drawn, as where none is named.
        None => Value::String(String::new()),
    };
    let for_pages = content
        .for_pages(&picture)
        .map_err(|error| Error::Internal(format!("the content for the pages: {error}")))?;
    Site::render(&Inputs { content: &for_pages, site: &facts }, &content.frame_origins())
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
