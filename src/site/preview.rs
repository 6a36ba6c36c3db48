//! Renders a page from the draft, for one organiser, in a separate engine. The result is not stored.

use std::sync::{Mutex, PoisonError};

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::{draft, openings, publish};
use crate::app::App;
use crate::error::{Error, Result};
use crate::time;

/// The path of the API below which the previews are.
pub const PATH: &str = "/api/content/preview/";
/// The name of the home page, whose path has none.
const HOME: &str = "home";

/// One preview at a time: an engine may use much memory.
static RENDERING: Mutex<()> = Mutex::new(());

/// The HTML of a page. `as_of` is a day or a minute in event time; without it, now. Links lead to other previews.
///
/// # Errors
/// [`Error::NotFound`] if there is no such page, [`Error::Malformed`] for another `as_of`, and [`Error::Invalid`] or
/// [`Error::Conflict`] if the page cannot be rendered from the draft.
pub fn page(app: &App, name: &str, as_of: Option<&str>) -> Result<String> {
    let draft = draft::get(app)?;
    let local = as_of.map(moment).transpose()?;
    let mut content = draft.content.with_map_link();
    app.store.read(|connection| openings::close_by_hand(connection, &mut content))?;
    let at = local.map_or_else(time::now, |local| content.event.time_zone.instant(local));
    let path = if name == HOME { "/".to_owned() } else { format!("/{name}") };
    let rendered = {
        let _guard = RENDERING.lock().unwrap_or_else(PoisonError::into_inner);
        publish::render_page(app, &content, at, &path)
    };
    match rendered {
        Ok(Some((html, paths))) => Ok(with_previews(&html, &paths, as_of)),
        Ok(None) => Err(Error::NotFound(format!("There is no page '{name}'."))),
        Err(_) if !draft.problems.is_empty() => Err(Error::Invalid(draft.problems)),
        Err(error) => {
            Err(Error::Conflict(format!("This page cannot be shown with the draft: {}", error.for_log())))
        }
    }
}

/// The noon of a day, or a minute.
fn moment(text: &str) -> Result<NaiveDateTime> {
    let day = text.parse::<NaiveDate>().ok().and_then(|day| {
        let noon = NaiveTime::from_hms_opt(12, 0, 0)?;
        Some(day.and_time(noon))
    });
    let minute = || NaiveDateTime::parse_from_str(&text.replace('T', " "), "%Y-%m-%d %H:%M").ok();
    day.or_else(minute)
        .ok_or_else(|| Error::Malformed("asOf is a day like 2026-03-28, or 2026-03-28 18:00.".into()))
}

/// The page with each link to another page leading to that page's preview.
fn with_previews(html: &str, paths: &[String], as_of: Option<&str>) -> String {
    const LINK: &str = "href=\"";
    let mut query = String::new();
    if let Some(as_of) = as_of {
        let pairs = url::form_urlencoded::Serializer::new(String::new()).append_pair("asOf", as_of).finish();
        query = format!("?{pairs}");
    }
    let mut shown = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find(LINK) {
        let (before, after) = rest.split_at(at + LINK.len());
        shown.push_str(before);
        let end = after.find(['"', '#', '?']).unwrap_or(after.len());
        let target = &after[..end];
        rest = after;
        if paths.iter().any(|path| path == target) {
            let name = target.strip_prefix('/').filter(|name| !name.is_empty()).unwrap_or(HOME);
            shown.push_str(&format!("{PATH}{name}{query}"));
            rest = &after[end..];
            if rest.starts_with('?') {
                // A form's own parameters have no meaning in a preview.
                rest = &rest[rest.find(['"', '#']).unwrap_or(rest.len())..];
            }
        }
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_pages_lead_to_previews_and_others_stay() {
        let paths = ["/".to_owned(), "/faq".to_owned(), "/enter-competition".to_owned()];
        let html = r#"<a href="/">h</a><a href="/faq#a">f</a><a href="/faqs">x</a><link href="/assets/a.css"><a href="https://example.com/faq">e</a><a href="/enter-competition?category=A">c</a>"#;
        assert_eq!(
            with_previews(html, &paths, Some("2026-03-01 18:00")),
            r#"<a href="/api/content/preview/home?asOf=2026-03-01+18%3A00">h</a><a href="/api/content/preview/faq?asOf=2026-03-01+18%3A00#a">f</a><a href="/faqs">x</a><link href="/assets/a.css"><a href="https://example.com/faq">e</a><a href="/api/content/preview/enter-competition?asOf=2026-03-01+18%3A00">c</a>"#
        );
        assert_eq!(with_previews("<a href=\"/\">", &paths, None), "<a href=\"/api/content/preview/home\">");
    }
}
