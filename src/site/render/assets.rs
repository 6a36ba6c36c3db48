//! The output of the UI's build, embedded in the binary.

use std::borrow::Cow;
use std::collections::HashMap;

use bytes::Bytes;
use http::HeaderMap;
use rust_embed::{Embed, EmbeddedFile};

use super::document::Document;
use super::engine::Bundle;
use super::headers;

#[derive(Embed)]
#[folder = "$OUT_DIR/ui"]
struct Built;

/// For paths with a hash, whose bytes never change (docs/reference.md, "HTTP").
pub(super) const FOREVER: &str = "public, max-age=31536000, immutable";
/// For files with a fixed path, such as the icons.
const A_DAY: &str = "public, max-age=86400";
/// That of the door page (ui/src/door/door-worker.js).
const SERVICE_WORKER: &str = "/door-worker.js";
/// The suffix of a compressed file, after its own extension.
const BROTLI: &str = ".br";

/// The script that renders the pages. It is embedded as it runs: an engine reads its bytecode from the program's own
/// pages of memory.
pub fn server_bundle() -> Bundle {
    match Built::get("server.bytecode").map(|file| file.data) {
        Some(Cow::Borrowed(bytecode)) => bytecode,
        _ => unreachable!("build.rs writes it, and rust-embed puts it into the program"),
    }
}

/// Every asset by its path.
pub fn documents() -> HashMap<String, Document> {
    let folders = [("assets/", "/assets/", FOREVER), ("files/", "/", A_DAY)];
    let mut found = HashMap::new();
    for embedded in Built::iter() {
        let name = embedded.strip_suffix(BROTLI).unwrap_or(&embedded);
        for (folder, address, cache_control) in folders {
            let Some(file_name) = name.strip_prefix(folder) else { continue };
            if let Some(content_type) = content_type(file_name) {
                let path = format!("{address}{file_name}");
                let headers =
                    if path == SERVICE_WORKER { headers::of_service_worker() } else { headers::of_answer() };
                found.insert(path, document(name, content_type, cache_control, headers));
            }
        }
    }
    found
}

/// The path of the asset `name`, whose file name is the name, a hash of eight characters and the extension.
pub fn asset_path(name: &str, extension: &str) -> Option<String> {
    let stem = |file: &str| {
        file.strip_prefix("assets/")?
            .strip_suffix(extension)?
            .rsplit_once('-')
            .map(|(stem, _)| stem.to_owned())
    };
    Built::iter().find(|file| stem(file).as_deref() == Some(name)).map(|file| format!("/{file}"))
}

/// Text is embedded in compressed form only.
fn document(
    name: &str,
    content_type: &'static str,
    cache_control: &'static str,
    headers: HeaderMap,
) -> Document {
    match Built::get(name) {
        Some(file) => Document::plain(content_type, cache_control, headers, bytes(file)),
        None => Document::compressed(content_type, cache_control, headers, compressed(name)),
    }
}

fn compressed(name: &str) -> Bytes {
    bytes(Built::get(&format!("{name}{BROTLI}")).expect("build.rs compresses it"))
}

fn bytes(file: EmbeddedFile) -> Bytes {
    match file.data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => Bytes::from(data),
    }
}

/// The content type of a file; `None` for a file that is not served by itself.
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
