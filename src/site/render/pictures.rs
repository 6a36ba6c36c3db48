//! The organiser's pictures as documents. The path of each size has a hash, so that its bytes never change.

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
pub struct Picture {
    /// Must come before `src`: the attributes are set in this order, and a browser that sees `src` first loads it too.
    pub src_set: String,
    pub src: String,
    /// Of the largest size, in pixels.
    pub width: u32,
    /// Of the largest size, in pixels.
    pub height: u32,
}

/// One size of a picture.
pub struct Size {
    pub width: u32,
    pub height: u32,
    pub bytes: Bytes,
}

impl Pictures {
    /// An empty collection that still serves the current pictures of `before`.
    pub fn after(before: &Pictures) -> Pictures {
        Pictures { former: before.current.clone(), ..Pictures::default() }
    }

    /// Adds a picture. `sizes` start with the narrowest; `hash` is that of their bytes.
    pub fn add(&mut self, name: &str, hash: &str, content_type: &str, sizes: Vec<Size>) {
        let (extension, content_type) =
            if content_type == "image/png" { ("png", "image/png") } else { ("jpg", "image/jpeg") };
        let path = |width: u32| format!("/images/{hash}-{width}.{extension}");
        let Some(largest) = sizes.last() else { return };
        let default = sizes.iter().find(|size| size.width >= DEFAULT_WIDTH).unwrap_or(largest);
        let src_set: Vec<String> =
            sizes.iter().map(|size| format!("{} {}w", path(size.width), size.width)).collect();
        let picture = Picture {
            src_set: src_set.join(", "),
            src: path(default.width),
            width: largest.width,
            height: largest.height,
        };
        self.by_name.insert(name.to_owned(), picture);
        for size in sizes {
            let mut document = Document::plain(content_type, FOREVER, size.bytes);
            document.add_headers(&headers::of_answer());
            self.current.insert(path(size.width), document);
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

    fn size(width: u32) -> Size {
        Size { width, height: width / 2, bytes: Bytes::from(vec![0; 8]) }
    }

    #[test]
    fn a_picture_has_all_sizes_and_a_default_one() {
        let mut pictures = Pictures::default();
        pictures.add("lake", "ab12", "image/jpeg", vec![size(480), size(960), size(1600)]);
        let lake = pictures.get("lake").expect("a picture");
        assert_eq!(lake.src, "/images/ab12-960.jpg");
        assert_eq!(
            lake.src_set,
            "/images/ab12-480.jpg 480w, /images/ab12-960.jpg 960w, /images/ab12-1600.jpg 1600w"
        );
        assert_eq!((lake.width, lake.height), (1600, 800));
    }

    #[test]
    fn a_replaced_picture_is_served_until_the_next_change() {
        let mut first = Pictures::default();
        first.add("lake", "ab12", "image/png", vec![size(300)]);
        let mut second = Pictures::after(&first);
        second.add("lake", "cd34", "image/png", vec![size(300)]);
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
