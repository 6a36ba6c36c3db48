//! Generated files for machines: `/event.ics`, `/sitemap.xml` and `/robots.txt`.

use std::fmt::Write;

use super::calendar;
use crate::app::App;
use crate::site::Current;
use crate::site::render::File;

/// Pages that search engines need not find: they are of use with a link alone.
const UNLISTED: [&str; 4] = ["/artist-portal", "/release", "/score-sheet", "/judge"];

/// All files. `pages` are the paths of the public pages.
pub fn all(app: &App, current: &Current, pages: &[&str]) -> [File; 3] {
    let url = app.public_url();
    [
        File {
            path: "/event.ics",
            content_type: "text/calendar; charset=utf-8",
            text: calendar(current, &url),
        },
        File {
            path: "/sitemap.xml",
            content_type: "application/xml; charset=utf-8",
            text: sitemap(pages, &url, &current.changed_at),
        },
        File { path: "/robots.txt", content_type: "text/plain; charset=utf-8", text: robots(&url, app.demo) },
    ]
}

/// Every public page with the instant of the last change (sitemaps.org, protocol 0.9).
fn sitemap(pages: &[&str], url: &str, changed_at: &str) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for page in pages.iter().filter(|page| !UNLISTED.contains(page)) {
        // Neither a page's path nor an origin has a character that XML would need escaped.
        let _ = writeln!(text, "<url><loc>{url}{page}</loc><lastmod>{changed_at}</lastmod></url>");
    }
    text.push_str("</urlset>\n");
    text
}

/// The paths that crawlers may not visit (RFC 9309). A demo may not be crawled at all.
fn robots(url: &str, is_demo: bool) -> String {
    if is_demo {
        return "User-agent: *\nDisallow: /\n".to_owned();
    }
    format!("User-agent: *\nDisallow: /export-data\nDisallow: /api/\n\nSitemap: {url}/sitemap.xml\n")
}
