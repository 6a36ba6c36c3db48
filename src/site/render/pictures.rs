//! The organiser's pictures as documents. The path of each size contains a content hash, so it can be cached forever.

use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;
use serde::Serialize;

use super::assets::FOREVER;
use super::document::Document;
use super::headers;

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

/// A picture as it is stored, without its bytes.
pub struct Stored<'a> {
    pub name: &'a str,
    /// Of the bytes of all sizes.
    pub hash: &'a str,
    pub content_type: &'a str,
    pub alt: &'a str,
    /// In percent from the left and from the top.
    pub focus: (u8, u8),
}

/// One size of a picture.
pub struct Size {
    pub width: u32,
    pub height: u32,
    pub bytes: Bytes,
}

impl Stored<'_> {
    /// The extension and the type of its files.
    fn kind(&self) -> (&'static str, &'static str) {
        if self.content_type == "image/png" { ("png", "image/png") } else { ("jpg", "image/jpeg") }
    }

    fn path(&self, width: u32) -> String {
        format!("/images/{}-{width}.{}", self.hash, self.kind().0)
    }
}

impl Picture {
    /// `sizes` are widths and heights, the narrowest first. `None` without any.
    pub fn new(stored: &Stored<'_>, sizes: &[(u32, u32)]) -> Option<Picture> {
        let (width, height) = *sizes.last()?;
        let default =
            sizes.iter().find(|(width, _)| *width >= DEFAULT_WIDTH).map_or(width, |(width, _)| *width);
        let src_set: Vec<String> =
            sizes.iter().map(|(width, _)| format!("{} {width}w", stored.path(*width))).collect();
        let quarter = |percent: u8| (u32::from(percent) + 12) / 25 * 25;
        let focus = (quarter(stored.focus.0), quarter(stored.focus.1));
        Some(Picture {
            src_set: src_set.join(", "),
            src: stored.path(default),
            width,
            height,
            alt: stored.alt.to_owned(),
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
    pub fn add(&mut self, stored: &Stored<'_>, sizes: Vec<Size>) {
        let dimensions: Vec<(u32, u32)> = sizes.iter().map(|size| (size.width, size.height)).collect();
        let Some(picture) = Picture::new(stored, &dimensions) else { return };
        self.by_name.insert(stored.name.to_owned(), picture);
        for size in sizes {
            let mut document = Document::plain(stored.kind().1, FOREVER, size.bytes);
            document.add_headers(&headers::of_answer());
            self.current.insert(stored.path(size.width), document);
        }
    }

    pub fn get(&self, name: &str) -> Option<&Picture> {
        self.by_name.get(name)
    }

    pub(super) fn documents(&self) -> impl Iterator<Item = (String, Document)> {
        self.former.iter().chain(&self.current).map(|(path, document)| (path.clone(), document.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored<'a>(hash: &'a str, content_type: &'a str, focus: (u8, u8)) -> Stored<'a> {
        Stored { name: "lake", hash, content_type, alt: "A lake", focus }
    }

    fn size(width: u32) -> Size {
        Size { width, height: width / 2, bytes: Bytes::from(vec![0; 8]) }
    }

    #[test]
    fn a_picture_has_all_sizes_and_a_default_one() {
        let mut pictures = Pictures::default();
        pictures.add(&stored("ab12", "image/jpeg", (50, 50)), vec![size(480), size(960), size(1600)]);
        let lake = pictures.get("lake").expect("a picture");
        assert_eq!(lake.src, "/images/ab12-960.jpg");
        assert_eq!(
            lake.src_set,
            "/images/ab12-480.jpg 480w, /images/ab12-960.jpg 960w, /images/ab12-1600.jpg 1600w"
        );
        assert_eq!((lake.width, lake.height), (1600, 800));
        assert_eq!((lake.alt.as_str(), &lake.focus), ("A lake", &None));
        for (focus, expected) in
            [((0, 100), "0-100"), ((37, 38), "25-50"), ((12, 88), "0-100"), ((50, 13), "50-25")]
        {
            let mut pictures = Pictures::default();
            pictures.add(&stored("ab12", "image/jpeg", focus), vec![size(480)]);
            let json = serde_json::to_value(pictures.get("lake")).expect("JSON");
            assert_eq!(json["data-focus"], expected, "{focus:?}");
        }
    }

    #[test]
    fn a_replaced_picture_is_served_until_the_next_change() {
        let mut first = Pictures::default();
        first.add(&stored("ab12", "image/png", (50, 50)), vec![size(300)]);
        let mut second = Pictures::after(&first);
        second.add(&stored("cd34", "image/png", (50, 50)), vec![size(300)]);
        let paths = |pictures: &Pictures| {
            let mut paths: Vec<String> = pictures.documents().map(|(path, _)| path).collect();
            paths.sort();
            paths
        };
        assert_eq!(paths(&second), ["/images/ab12-300.png", "/images/cd34-300.png"]);
        assert_eq!(paths(&Pictures::after(&second)), ["/images/cd34-300.png"]);
        assert_eq!(second.get("lake").expect("a picture").src, "/images/cd34-300.png");
    }
}
