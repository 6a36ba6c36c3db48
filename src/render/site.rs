//! All pages of one content revision, made together and swapped together, so that nobody is ever
//! served half of a change.

use std::collections::HashMap;

use serde::Serialize;

use super::assets;
use super::document::{Document, Encoded};
use super::engine::{self, Page, Policy};
use super::headers;
use crate::error::Result;

/// A shared cache may keep a page for some seconds and serve it while it asks again; a browser asks
/// each time. So a change is seen at once by everyone who asks us, and soon by everyone behind a CDN.
const PAGE: &str = "public, max-age=0, s-maxage=5, stale-while-revalidate=30";
/// The organiser's pages are the same for everyone, and nobody but a browser should keep them.
const ORGANISER_PAGE: &str = "private, no-cache";
/// Brotli's quality before there is time for the best: a page in a millisecond.
const AT_ONCE: u32 = 4;
/// The page shown where there is none.
const NOT_FOUND: &str = "/404";

/// What pages are rendered from.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inputs<'a, C: Serialize, S: Serialize> {
    pub content: &'a C,
    pub site: &'a S,
}

/// Everything that is served without asking anyone, by path.
#[derive(Default)]
pub struct Site {
    documents: HashMap<String, Document>,
}

impl Site {
    /// Renders every page; `frames` are the origins that a page may embed its map from.
    ///
    /// # Errors
    /// [`crate::error::Error::Internal`] when a page cannot be rendered.
    pub fn render<C: Serialize, S: Serialize>(inputs: &Inputs<'_, C, S>, frames: &str) -> Result<Site> {
        let input = serde_json::to_string(inputs)
            .map_err(|error| crate::error::Error::Internal(format!("the pages' input: {error}")))?;
        let made = engine::render_all(&assets::server_bundle(), &input, |page| {
            [(data_path(&page.path), data_document(&page)), (page.path.clone(), page_document(page))]
        })?;
        let mut documents = assets::documents();
        documents.extend(made.into_iter().flatten());
        for document in documents.values_mut() {
            document.add_headers(
                &document.policy.map_or_else(headers::of_answer, |policy| headers::of_page(policy, frames)),
            );
        }
        Ok(Site { documents })
    }

    pub fn get(&self, path: &str) -> Option<&Document> {
        self.documents.get(path)
    }

    /// The page for a path that is not there.
    pub fn not_found(&self) -> Option<&Document> {
        self.documents.get(NOT_FOUND)
    }

    /// The same site with every page compressed as small as it gets.
    pub fn squeezed(&self) -> Site {
        let squeeze = |(path, document): (&String, &Document)| {
            let document = if document.policy.is_some() { document.squeezed() } else { document.clone() };
            (path.clone(), document)
        };
        Site { documents: self.documents.iter().map(squeeze).collect() }
    }
}

/// Where client navigation finds what a page was rendered with.
fn data_path(path: &str) -> String {
    match path {
        "/" => "/page-data/index.json".to_owned(),
        path => format!("/page-data{path}.json"),
    }
}

fn cache_control(policy: Policy) -> &'static str {
    if policy == Policy::Organiser { ORGANISER_PAGE } else { PAGE }
}

fn page_document(page: Page) -> Document {
    let status = if page.path == NOT_FOUND { 404 } else { 200 };
    let html = Encoded::compress(page.html, AT_ONCE);
    Document::new(status, "text/html; charset=utf-8", cache_control(page.policy), Some(page.policy), html)
}

fn data_document(page: &Page) -> Document {
    let json = Encoded::compress(page.data.to_string(), AT_ONCE);
    Document::new(200, "application/json", cache_control(page.policy), Some(page.policy), json)
}
