//! The organiser's pictures as documents. The path of each size contains a content hash, so it can be cached forever.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::assets::FOREVER;
use super::document::Document;
use super::headers;
use crate::store::images::{Image, Size};

/// The width of `src`, for browsers that do not know `srcset`.
const DEFAULT_WIDTH: u32 = 960;

/// All pictures that are served.
#[derive(Default)]
pub struct Pictures {
    by_name: BTreeMap<String, Picture>,
    /// By path.
    current: HashMap<String, Document>,
    /// The pictures before the last change. An old page may still be on a screen and load them when it is scrolled.
    former: HashMap<String, Document>,
}

/// A picture, as pages use it.
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Sizes"))]
pub struct Picture {
    /// Must come before `src`: the attributes are set in this order, and a browser that sees `src` first loads it too.
    pub src_set: String,
    pub src: String,
    /// Of the largest size, in pixels.
    pub width: u32,
    /// Of the largest size, in pixels.
    pub height: u32,
    /// What it shows, for people who cannot see it; a page may have a better text.
    pub alt: String,
    /// The point that stays in view when it is cropped, rounded to 25 %: `25-75`. Stylesheets select on this attribute,
    /// because the content security policy forbids inline styles. Absent for the centre.
    #[serde(rename = "data-focus", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub focus: Option<String>,
}

/// The extension and the type of a picture's files.
fn kind(image: &Image) -> (&'static str, &'static str) {
    if image.content_type == "image/png" { ("png", "image/png") } else { ("jpg", "image/jpeg") }
}

fn path(image: &Image, width: u32) -> String {
    format!("/images/{}-{width}.{}", image.hash, kind(image).0)
}

impl Picture {
    /// `sizes` are widths and heights, the narrowest first. `None` without any.
    pub fn new(image: &Image, sizes: &[(u32, u32)]) -> Option<Picture> {
        let (width, height) = *sizes.last()?;
        let default =
            sizes.iter().find(|(width, _)| *width >= DEFAULT_WIDTH).map_or(width, |(width, _)| *width);
        let src_set: Vec<String> =
            sizes.iter().map(|(width, _)| format!("{} {width}w", path(image, *width))).collect();
        let quarter = |percent: u8| (u32::from(percent) + 12) / 25 * 25;
        let focus = (quarter(image.about.focus.x), quarter(image.about.focus.y));
        Some(Picture {
            src_set: src_set.join(", "),
            src: path(image, default),
            width,
            height,
            alt: image.about.alt.clone(),
            focus: (focus != (50, 50)).then(|| format!("{}-{}", focus.0, focus.1)),
        })
    }
}

impl Pictures {
    /// An empty collection that still serves the current pictures of `before`.
    pub fn after(before: &Pictures) -> Pictures {
        Pictures { former: before.current.clone(), ..Pictures::default() }
    }

    /// Adds a picture. `sizes` start with the narrowest.
    pub fn add(&mut self, image: &Image, sizes: Vec<Size>) {
        let dimensions: Vec<(u32, u32)> = sizes.iter().map(|size| (size.width, size.height)).collect();
        let Some(picture) = Picture::new(image, &dimensions) else { return };
        self.by_name.insert(image.name.clone(), picture);
        for size in sizes {
            let document = Document::plain(kind(image).1, FOREVER, headers::of_answer(), size.bytes.into());
            self.current.insert(path(image, size.width), document);
        }
    }

    pub fn get(&self, name: &str) -> Option<&Picture> {
        self.by_name.get(name)
    }

    pub(super) fn documents(&self) -> impl Iterator<Item = (String, Document)> {
        self.former.iter().chain(&self.current).map(|(path, document)| (path.clone(), document.clone()))
    }
}
