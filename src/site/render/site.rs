//! All pages of one content revision. They are rendered and swapped together, so that nobody is served half of a change.

use std::collections::{BTreeMap, HashMap};

use http::HeaderMap;

use super::assets;
use super::document::Document;
use super::engine::{self, Page, Policy};
use super::headers;
use super::pictures::Pictures;
use crate::error::{Error, Result};

/// A shared cache may keep a page for some seconds and serve it while it revalidates. A browser revalidates each time.
/// So visitors see a change at once without a CDN, and soon with one.
const PAGE: &str = "public, max-age=0, s-maxage=5, stale-while-revalidate=30";
/// The organiser's pages may be kept by browsers only.
const ORGANISER_PAGE: &str = "private, no-cache";
const PAGE_TYPE: &str = "text/html; charset=utf-8";
/// The path of the page for unknown paths.
const NOT_FOUND: &str = "/404";
/// What most visitors open first, and the page for unknown paths.
const FIRST: [&str; 2] = ["/", NOT_FOUND];

/// Everything that is served from memory.
#[derive(Default)]
pub struct Site {
    /// By path.
    documents: HashMap<String, Document>,
    /// The pages that could not be rendered, and say so: from path to reason.
    failures: BTreeMap<String, String>,
    is_complete: bool,
    is_recompressed: bool,
}

/// Which pages to render.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The home page and the page for unknown paths: enough for a server to start.
    First,
    All,
}

/// A generated text file with a fixed path.
pub struct File {
    pub path: &'static str,
    pub content_type: &'static str,
    pub text: String,
}

impl Site {
    /// Renders the pages. `input` is the JSON with the data of all pages, `frames` are the origins from which a page may embed its map.
    ///
    /// # Errors
    /// [`Error::Internal`] if the script fails. A single page that fails says so in its place.
    pub fn render(input: &str, frames: &str, scope: Scope) -> Result<Site> {
        let few = (scope == Scope::First).then_some(FIRST.as_slice());
        let (rendered, _) = engine::render(assets::server_bundle(), input, few, |mut page| {
            let failure = page.failure.take().map(|failure| (page.path.clone(), failure));
            let headers = headers::of_page(page.policy, frames);
            let data = (data_path(&page.path), data_document(&page, headers.clone()));
            (failure, [data, (page.path.clone(), page_document(page, headers))])
        })?;
        let mut documents = assets::documents();
        let mut failures = BTreeMap::new();
        for (failure, page) in rendered {
            failures.extend(failure);
            documents.extend(page);
        }
        Ok(Site { documents, failures, is_complete: scope == Scope::All, is_recompressed: false })
    }

    /// The HTML of one public page, and the paths of all of them. `None` if there is no page at this path.
    ///
    /// # Errors
    /// [`Error::Internal`] with the reason if it cannot be rendered.
    pub fn render_one(input: &str, path: &str) -> Result<Option<(String, Vec<String>)>> {
        let (pages, paths) = engine::render(assets::server_bundle(), input, Some(&[path]), |page| page)?;
        let Some(page) = pages.into_iter().next() else { return Ok(None) };
        if let Some(failure) = page.failure {
            return Err(Error::Internal(failure));
        }
        if page.policy == Policy::Organiser || path == NOT_FOUND {
            return Ok(None);
        }
        Ok(Some((page.html, paths)))
    }

    pub fn get(&self, path: &str) -> Option<&Document> {
        self.documents.get(path)
    }

    /// The page for unknown paths.
    pub fn not_found(&self) -> Option<&Document> {
        self.documents.get(NOT_FOUND)
    }

    /// The path of a page that could not be rendered though it could be in `before`, with the reason.
    pub fn new_failure(&self, before: &Site) -> Option<(&str, &str)> {
        let mut failures = self.failures.iter().filter(|(path, _)| !before.failures.contains_key(*path));
        failures.next().map(|(path, failure)| (path.as_str(), failure.as_str()))
    }

    /// Whether all pages are rendered. False from the start of a server until its first full render.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The paths of the public pages, sorted.
    pub fn public_pages(&self) -> Vec<&str> {
        let is_public = |document: &Document| {
            document.status == 200
                && matches!(document.policy, Some(Policy::Site | Policy::Entry))
                && document.content_type() == PAGE_TYPE
        };
        let mut paths: Vec<&str> = self
            .documents
            .iter()
            .filter(|(_, document)| is_public(document))
            .map(|(path, _)| path.as_str())
            .collect();
        paths.sort_unstable();
        paths
    }

    /// Adds a file that was generated from the same content as the pages.
    pub fn add_file(&mut self, file: File) {
        let document = Document::text(file.content_type, PAGE, headers::of_answer(), file.text);
        self.documents.insert(file.path.to_owned(), document);
    }

    pub fn add_pictures(&mut self, pictures: &Pictures) {
        self.documents.extend(pictures.documents());
    }

    pub fn is_recompressed(&self) -> bool {
        self.is_recompressed
    }

    /// The same site with every page compressed more strongly. `None` if `stop` becomes true meanwhile.
    pub fn recompressed(&self, stop: impl Fn() -> bool) -> Option<Site> {
        let mut documents = HashMap::with_capacity(self.documents.len());
        for (path, document) in &self.documents {
            if stop() {
                return None;
            }
            let document = if document.policy.is_some() { document.recompressed() } else { document.clone() };
            documents.insert(path.clone(), document);
        }
        Some(Site { documents, failures: self.failures.clone(), is_recompressed: true, ..*self })
    }
}

/// The path of a page's data, for client navigation.
fn data_path(path: &str) -> String {
    match path {
        "/" => "/page-data/index.json".to_owned(),
        path => format!("/page-data{path}.json"),
    }
}

fn cache_control(policy: Policy) -> &'static str {
    if policy == Policy::Organiser { ORGANISER_PAGE } else { PAGE }
}

fn page_document(page: Page, headers: HeaderMap) -> Document {
    let status = if page.path == NOT_FOUND { 404 } else { 200 };
    let mut document = Document::text(PAGE_TYPE, cache_control(page.policy), headers, page.html);
    document.status = status;
    document.policy = Some(page.policy);
    document
}

fn data_document(page: &Page, headers: HeaderMap) -> Document {
    let json = page.data.to_string();
    let mut document = Document::text("application/json", cache_control(page.policy), headers, json);
    document.policy = Some(page.policy);
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_page_that_did_not_fail_before_is_a_new_failure() {
        let failing = |paths: &[&str]| Site {
            failures: paths.iter().map(|path| ((*path).to_owned(), "it broke".to_owned())).collect(),
            ..Site::default()
        };
        assert_eq!(failing(&[]).new_failure(&failing(&["/"])), None);
        assert_eq!(failing(&["/"]).new_failure(&failing(&["/"])), None);
        assert_eq!(failing(&["/", "/faq"]).new_failure(&failing(&["/"])), Some(("/faq", "it broke")));
    }
}
