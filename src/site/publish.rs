//! Renders the pages of the current content and swaps them in, all together. A server starts with two of them, because most
//! of its start would be spent on pages that nobody has asked for yet.

mod calendar;
mod facts;
mod files;

use std::sync::{Arc, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::app::{App, Fingerprint, Published};
use crate::error::{Error, Result};
use crate::site;
use crate::site::content::Content;
pub use crate::site::render::Scope;
use crate::site::render::{Pictures, Site};
use crate::store::content_revisions;
use crate::store::images;
use crate::store::judging::categories::{self, Placed};
use crate::time;
pub use calendar::calendar;
use facts::facts;
pub use facts::{OpeningFact, SiteFacts, with_winners};

/// Reads the current content, renders its pages and swaps them in. If this fails, the old pages stay. After
/// [`Scope::First`], [`complete`] renders the others.
///
/// # Errors
/// [`Error::Internal`] if a page cannot be rendered, [`Error::Unavailable`] if the database does not answer.
pub fn publish(app: &App, scope: Scope) -> Result<()> {
    let _publishing = lock_publishing(app);
    publish_pages(app, scope)
}

/// Publishes the pages that were not rendered at the start, unless that is done.
///
/// # Errors
/// Those of [`publish`].
pub fn complete(app: &App) -> Result<()> {
    let _publishing = lock_publishing(app);
    if app.site().is_complete() {
        return Ok(());
    }
    publish_pages(app, Scope::All)
}

/// One thread publishes at a time, so that older pages never replace newer ones.
fn lock_publishing(app: &App) -> MutexGuard<'_, ()> {
    app.publishing.lock().unwrap_or_else(PoisonError::into_inner)
}

fn publish_pages(app: &App, scope: Scope) -> Result<()> {
    let before = app.published();
    let (version, current, pictures, results) = app.store.read(|connection| {
        let version = content_revisions::version(connection)?;
        let pictures = if version.pictures == before.fingerprint.version.pictures {
            Arc::clone(&before.pictures)
        } else {
            Arc::new(load_pictures(connection, &before.pictures)?)
        };
        Ok((version, site::load_current(connection)?, pictures, categories::published(connection)?))
    })?;
    let facts = facts(app, &current.content, &results, time::now());
    let mut site = render_site(&current.content, &facts, &pictures, &results, scope)?;
    if scope == Scope::All {
        for file in files::all(app, &current, &site.public_pages()) {
            site.add_file(file);
        }
    }
    site.add_pictures(&pictures);
    let site = Arc::new(site);
    // On the first full render there are no old pages to keep, so a page that fails shows an apology.
    if before.site.is_complete() {
        require_no_new_failure(&site, &before.site)?;
    }
    let calendar = calendar(&current, &app.public_url()).into();
    let (content, revision) = (Arc::new(current.content), current.revision);
    let fingerprint = Fingerprint { version, facts: json!(facts) };
    app.set_published(Published { content, pictures, site, calendar, revision, fingerprint });
    Ok(())
}

/// The fingerprint of the content and facts from which pages would be rendered now. It differs from that of the current
/// pages after a command has changed the content, and when a form opens or closes at its date.
pub fn newest_fingerprint(app: &App, now: DateTime<Utc>) -> Result<Fingerprint> {
    let (version, results) = app.store.read(|connection| {
        Ok((content_revisions::version(connection)?, categories::published(connection)?))
    })?;
    Ok(Fingerprint { version, facts: json!(facts(app, &app.content(), &results, now)) })
}

/// Checks that every page can be rendered from a content, by rendering all of them.
///
/// # Errors
/// [`Error::Failed`] if a page cannot be rendered that can be rendered from the current content.
pub fn require_renderable(app: &App, content: &Content) -> Result<()> {
    let (pictures, results) = load_pictures_and_results(app)?;
    let render = |content: &Content| {
        let facts = facts(app, content, &results, time::now());
        render_site(content, &facts, &pictures, &results, Scope::All)
    };
    let checked = render(content).and_then(|site| {
        require_no_new_failure(&site, &Site::default()).or_else(|_| {
            let current = app.store.read(site::load_current)?;
            require_no_new_failure(&site, &render(&current.content)?)
        })
    });
    checked.map_err(|error| {
        let cause = error.cause().unwrap_or_default();
        Error::Failed(format!(
            "The pages cannot be rendered from this content ({cause}). Nothing was changed."
        ))
    })
}

fn require_no_new_failure(site: &Site, before: &Site) -> Result<()> {
    match site.new_failure(before) {
        Some((path, failure)) => Err(Error::Internal(format!("{path}: {failure}"))),
        None => Ok(()),
    }
}

/// Compresses the current pages more strongly, unless that is done already. Slow: runs in the background.
pub fn recompress(app: &App, stop: impl Fn() -> bool) {
    let site = app.site();
    if site.is_recompressed() {
        return;
    }
    // Stops if new pages are published meanwhile.
    if let Some(recompressed) = site.recompressed(|| stop() || !Arc::ptr_eq(&site, &app.site())) {
        let _publishing = lock_publishing(app);
        let published = app.published();
        if Arc::ptr_eq(&published.site, &site) {
            app.set_published(Published { site: Arc::new(recompressed), ..published });
        }
    }
}

/// The HTML of one public page of a content as of an instant, and the paths of all of them; `None` if there is no page at
/// this path.
///
/// # Errors
/// [`Error::Internal`] with the reason if it cannot be rendered.
pub fn render_page(
    app: &App,
    content: &Content,
    at: DateTime<Utc>,
    path: &str,
) -> Result<Option<(String, Vec<String>)>> {
    let (pictures, results) = load_pictures_and_results(app)?;
    let facts = facts(app, content, &results, at);
    let input = script_input(with_winners(content.as_of(at), &results), &facts, &pictures)?;
    Site::render_one(&input, path)
}

fn render_site(
    content: &Content,
    facts: &SiteFacts,
    pictures: &Pictures,
    results: &[Placed],
    scope: Scope,
) -> Result<Site> {
    let content = with_winners(content.as_of(time::now()), results);
    let frames = content.frame_origins();
    Site::render(&script_input(content, facts, pictures)?, &frames, scope)
}

/// What the pages are rendered from, as JSON.
fn script_input(content: Content, facts: &SiteFacts, pictures: &Pictures) -> Result<String> {
    let picture = |name: &str| match pictures.get(name) {
        Some(picture) => serde_json::to_value(picture).unwrap_or_default(),
        // Removed between the check and the import: the page shows a drawing, as it does without a name.
        None => Value::String(String::new()),
    };
    let content = content
        .for_pages(&picture)
        .map_err(|error| Error::Internal(format!("the content for the pages: {error}")))?;
    Ok(json!({ "content": content, "site": facts }).to_string())
}

fn load_pictures_and_results(app: &App) -> Result<(Pictures, Vec<Placed>)> {
    app.store.read(|connection| {
        Ok((load_pictures(connection, &Pictures::default())?, categories::published(connection)?))
    })
}

fn load_pictures(connection: &Connection, before: &Pictures) -> Result<Pictures> {
    let mut pictures = Pictures::after(before);
    for image in images::list(connection)? {
        pictures.add(&image, images::sizes(connection, image.id)?);
    }
    Ok(pictures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::model::Actor;
    use crate::site::revisions;

    #[test]
    fn the_basis_changes_each_day_when_a_form_opens_or_closes_and_after_an_import() {
        let (_folder, app) = App::for_test(Config::default());
        let dated = "[openings.waitlist-signups]\nfrom = \"2026-01-05\"\nuntil = \"2026-02-01 18:00\"";
        let toml = Content::default_toml().replace("[openings.waitlist-signups]\nopen = true", dated);
        revisions::import(&app, &toml, "", &Actor::Program).expect("imported");
        publish(&app, Scope::All).expect("published");
        let at = |instant: &str| {
            newest_fingerprint(&app, instant.parse().expect("an instant")).expect("a fingerprint")
        };
        // Midnight and 18:00 in New York.
        assert_ne!(at("2026-01-05T04:59:59Z"), at("2026-01-05T05:00:00Z"));
        assert_eq!(at("2026-02-01T05:00:00Z"), at("2026-02-01T22:59:59Z"));
        // Pages depend on the day.
        assert_ne!(at("2026-01-20T04:59:59Z"), at("2026-01-20T05:00:00Z"));
        assert_ne!(at("2026-02-01T22:59:59Z"), at("2026-02-01T23:00:00Z"));
        let before = newest_fingerprint(&app, time::now()).expect("a fingerprint");
        assert_eq!(before, app.published().fingerprint);
        revisions::import(&app, Content::default_toml(), "", &Actor::Program).expect("imported");
        assert_ne!(newest_fingerprint(&app, time::now()).expect("a fingerprint"), before);
    }
}
