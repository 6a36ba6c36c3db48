//! All pages of one content revision, made together and swapped together, so that nobody is ever
//! served half of a change.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::assets;
use super::document::Document;
use super::engine::{self, Page, Policy};
use super::headers;
use super::pictures::Pictures;
use crate::error::Result;

/// A shared cache may keep a page for some seconds and serve it while it asks again; a browser asks
/// each time. So a change is seen at once by everyone who asks us, and soon by everyone behind a CDN.
const PAGE: &str = "public, max-age=0, s-maxage=5, stale-while-revalidate=30";
/// The organiser's pages are the same for everyone, and nobody but a browser should keep them.
const ORGANISER_PAGE: &str = "private, no-cache";
const PAGE_TYPE: &str = "text/html; charset=utf-8";
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
    /// The pages that could not be made and are shells, with the reasons.
    failures: BTreeMap<String, String>,
    is_squeezed: bool,
}

/// A text with a fixed address, made with the pages.
pub struct File {
    pub path: &'static str,
    pub content_type: &'static str,
    pub text: String,
}

impl Site {
    /// Renders every page; `frames` are the origins that a page may embed its map from.
    ///
    /// # Errors
    /// [`crate::error::Error::Internal`] when a page cannot be rendered.
    pub fn render<C: Serialize, S: Serialize>(inputs: &Inputs<'_, C, S>, frames: &str) -> Result<Site> {
        let input = serde_json::to_string(inputs)
            .map_err(|error| crate::error::Error::Internal(format!("the pages' input: {error}")))?;
        let made = engine::render_all(&assets::server_bundle(), &input, |mut page| {
            let failure = page.failure.take().map(|failure| (page.path.clone(), failure));
            let data = (data_path(&page.path), data_document(&page));
            (failure, [data, (page.path.clone(), page_document(page))])
        })?;
        let mut documents = assets::documents();
        let mut failures = BTreeMap::new();
        for (failure, page) in made {
            failures.extend(failure);
            documents.extend(page);
        }
        for document in documents.values_mut() {
            document.add_headers(
                &document.policy.map_or_else(headers::of_answer, |policy| headers::of_page(policy, frames)),
            );
        }
        Ok(Site { documents, failures, is_squeezed: false })
    }

    pub fn get(&self, path: &str) -> Option<&Document> {
        self.documents.get(path)
    }

    /// The page for a path that is not there.
    pub fn not_found(&self) -> Option<&Document> {
        self.documents.get(NOT_FOUND)
    }

    /// A page that could not be made, though it could be in `before`; with the reason.
    pub fn worse_than(&self, before: &Site) -> Option<(&str, &str)> {
        let mut failures = self.failures.iter().filter(|(path, _)| !before.failures.contains_key(*path));
        failures.next().map(|(path, failure)| (path.as_str(), failure.as_str()))
    }

    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The paths of the pages that are for everyone, in order.
    pub fn public_pages(&self) -> Vec<&str> {
        let for_everyone = |document: &Document| {
            document.status == 200
                && matches!(document.policy, Some(Policy::Site | Policy::Entry))
                && document.content_type() == PAGE_TYPE
        };
        let mut paths: Vec<&str> = self
            .documents
            .iter()
            .filter(|(_, document)| for_everyone(document))
            .map(|(path, _)| path.as_str())
            .collect();
        paths.sort_unstable();
        paths
    }

    /// Adds a text that was made of the same content as the pages.
    pub fn add_file(&mut self, file: File) {
        let mut document = Document::text(200, file.content_type, PAGE, None, file.text);
        document.add_headers(&headers::of_answer());
        self.documents.insert(file.path.to_owned(), document);
    }

    pub fn add_pictures(&mut self, pictures: &Pictures) {
        self.documents.extend(pictures.documents());
    }

    pub fn is_squeezed(&self) -> bool {
        self.is_squeezed
    }

    /// The same site with every page compressed as small as it gets; nothing when `stop` says so on the way.
    pub fn squeezed(&self, stop: impl Fn() -> bool) -> Option<Site> {
        let mut documents = HashMap::with_capacity(self.documents.len());
        for (path, document) in &self.documents {
            if stop() {
                return None;
            }
            let document = if document.policy.is_some() { document.squeezed() } else { document.clone() };
            documents.insert(path.clone(), document);
        }
        Some(Site { documents, failures: self.failures.clone(), is_squeezed: true })
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
    Document::text(status, PAGE_TYPE, cache_control(page.policy), Some(page.policy), page.html)
}

fn data_document(page: &Page) -> Document {
    let json = page.data.to_string();
    Document::text(200, "application/json", cache_control(page.policy), Some(page.policy), json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_fails_is_worse_only_where_it_did_not_fail_before() {
        let failing = |paths: &[&str]| Site {
            failures: paths.iter().map(|path| ((*path).to_owned(), "it broke".to_owned())).collect(),
            ..Site::default()
        };
        assert_eq!(failing(&[]).worse_than(&failing(&["/"])), None);
        assert_eq!(failing(&["/"]).worse_than(&failing(&["/"])), None);
        assert_eq!(failing(&["/", "/faq"]).worse_than(&failing(&["/"])), Some(("/faq", "it broke")));
    }
}
