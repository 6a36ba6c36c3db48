//! What the UI's build made, embedded in the binary.

use std::collections::HashMap;
use std::io::Read;

use bytes::Bytes;
use rust_embed::{Embed, EmbeddedFile};

use super::document::{Document, Encoded};

#[derive(Embed)]
#[folder = "$OUT_DIR/ui"]
struct Built;

/// Hashed names never change their bytes (contract, section 3).
pub(super) const FOREVER: &str = "public, max-age=31536000, immutable";
/// How the name of a compressed file ends, after its own ending.
const BROTLI: &str = ".br";
/// Files with a fixed address, such as the icons.
const A_DAY: &str = "public, max-age=86400";

/// The script that renders the pages.
pub fn server_bundle() -> String {
    String::from_utf8_lossy(&plain("server.js")).into_owned()
}

/// Every asset by the path it is served at.
pub fn documents() -> HashMap<String, Document> {
    let folders = [("assets/", "/assets/", FOREVER), ("files/", "/", A_DAY)];
    let mut found = HashMap::new();
    for embedded in Built::iter() {
        let name = embedded.strip_suffix(BROTLI).unwrap_or(&embedded);
        for (folder, address, cache_control) in folders {
            let Some(file_name) = name.strip_prefix(folder) else { continue };
            if let Some(content_type) = content_type(file_name) {
                let path = format!("{address}{file_name}");
                found.insert(path, document(name, content_type, cache_control));
            }
        }
    }
    found
}

fn document(name: &str, content_type: &str, cache_control: &str) -> Document {
    let encoded = |suffix: &str| Built::get(&format!("{name}{suffix}")).map(bytes);
    let encodings = Encoded { identity: plain(name), brotli: encoded(BROTLI), gzip: encoded(".gz") };
    Document::new(200, content_type, cache_control, None, encodings)
}

/// A file as it was before it was compressed; text is embedded compressed alone.
fn plain(name: &str) -> Bytes {
    if let Some(file) = Built::get(name) {
        return bytes(file);
    }
    let file = Built::get(&format!("{name}{BROTLI}")).expect("build.rs makes it");
    let mut text = Vec::new();
    brotli::Decompressor::new(&*file.data, 1 << 16)
        .read_to_end(&mut text)
        .expect("our own build compressed it");
    text.into()
}

fn bytes(file: EmbeddedFile) -> Bytes {
    match file.data {
        std::borrow::Cow::Borrowed(data) => Bytes::from_static(data),
        std::borrow::Cow::Owned(data) => Bytes::from(data),
    }
}

/// The type of a file that is served; `None` for a form of it that is found by its name.
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
