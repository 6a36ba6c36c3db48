//! What the UI's build made, embedded in the binary.

use std::collections::HashMap;

use bytes::Bytes;
use rust_embed::{Embed, EmbeddedFile};

use super::document::{Document, Encoded};

#[derive(Embed)]
#[folder = "$OUT_DIR/ui"]
struct Built;

/// Hashed names never change their bytes (contract, section 3).
pub(super) const FOREVER: &str = "public, max-age=31536000, immutable";
/// Files with a fixed address, such as the icons.
const A_DAY: &str = "public, max-age=86400";

/// The script that renders the pages.
pub fn server_bundle() -> String {
    let file = Built::get("server.js").expect("build.rs makes server.js");
    String::from_utf8_lossy(&file.data).into_owned()
}

/// Every asset by the path it is served at.
pub fn documents() -> HashMap<String, Document> {
    let folders = [("assets/", "/assets/", FOREVER), ("files/", "/", A_DAY)];
    let mut found = HashMap::new();
    for name in Built::iter() {
        for (folder, address, cache_control) in folders {
            let Some(file_name) = name.strip_prefix(folder) else { continue };
            if let Some(content_type) = content_type(file_name) {
                let path = format!("{address}{file_name}");
                found.insert(path, document(&name, content_type, cache_control));
            }
        }
    }
    found
}

fn document(name: &str, content_type: &str, cache_control: &str) -> Document {
    let encoded = |suffix: &str| Built::get(&format!("{name}{suffix}")).map(bytes);
    let encodings =
        Encoded { identity: encoded("").unwrap_or_default(), brotli: encoded(".br"), gzip: encoded(".gz") };
    Document::new(200, content_type, cache_control, None, encodings)
}

fn bytes(file: EmbeddedFile) -> Bytes {
    match file.data {
        std::borrow::Cow::Borrowed(data) => Bytes::from_static(data),
        std::borrow::Cow::Owned(data) => Bytes::from(data),
    }
}

/// The type of a file that is served; `None` for the compressed forms beside it.
fn content_type(name: &str) -> Option<&'static str> {
    Some(match name.rsplit_once('.')?.1 {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}
