//! A prepared response: a body in each encoding, with its headers.

use std::io::{Read, Write};
use std::sync::OnceLock;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, VARY};
use sha2::{Digest, Sha256};

use super::engine::Policy;

/// Brotli's quality for new pages: about a millisecond for each.
const FAST: u32 = 4;
/// About thirty times as slow. Brotli's best quality, 11, takes more than twice as long again, for 2 % fewer bytes.
const SMALL: u32 = 10;

/// A body in one encoding, with its headers.
#[derive(Clone)]
pub struct Variant {
    pub body: Bytes,
    pub headers: HeaderMap,
}

/// A document in all its encodings. An encoding is made on the first request for it, which takes about a millisecond for
/// a page: a start need not wait until all of them are compressed.
#[derive(Clone)]
pub struct Document {
    pub status: u16,
    /// Only for a page and its data.
    pub policy: Option<Policy>,
    /// The headers of every variant.
    headers: HeaderMap,
    /// Text is, a photo is not.
    is_compressible: bool,
    /// `brotli` or `identity` is there from the beginning.
    brotli: OnceLock<Variant>,
    identity: OnceLock<Variant>,
    gzip: OnceLock<Variant>,
}

impl Document {
    /// A document that is never compressed, such as a photo.
    pub fn plain(
        content_type: &'static str,
        cache_control: &'static str,
        headers: HeaderMap,
        body: Bytes,
    ) -> Document {
        let document = Document::without_body(content_type, cache_control, headers);
        Document { identity: OnceLock::from(document.variant_of(body)), ..document }
    }

    pub fn text(
        content_type: &'static str,
        cache_control: &'static str,
        headers: HeaderMap,
        text: String,
    ) -> Document {
        let mut document = Document::without_body(content_type, cache_control, headers);
        document.headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        let identity = OnceLock::from(document.variant_of(text.into()));
        Document { is_compressible: true, identity, ..document }
    }

    /// Text that is compressed already.
    pub fn compressed(
        content_type: &'static str,
        cache_control: &'static str,
        headers: HeaderMap,
        brotli: Bytes,
    ) -> Document {
        let mut document = Document::without_body(content_type, cache_control, headers);
        document.headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        let brotli = OnceLock::from(document.encoded_variant(brotli, "br"));
        Document { is_compressible: true, brotli, ..document }
    }

    fn without_body(
        content_type: &'static str,
        cache_control: &'static str,
        mut headers: HeaderMap,
    ) -> Document {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control));
        let (brotli, identity, gzip) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let is_compressible = false;
        Document { status: 200, policy: None, headers, is_compressible, brotli, identity, gzip }
    }

    fn variant_of(&self, body: Bytes) -> Variant {
        let mut headers = self.headers.clone();
        headers.insert(ETAG, header(&entity_tag(&body)));
        Variant { body, headers }
    }

    fn encoded_variant(&self, body: Bytes, encoding: &'static str) -> Variant {
        let mut variant = self.variant_of(body);
        variant.headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        variant
    }

    /// The variant that `accept_encoding` prefers. Among equals brotli comes first, then gzip, then identity, which is
    /// also the answer to a client that accepts nothing.
    pub fn variant(&self, accept_encoding: &str) -> &Variant {
        if !self.is_compressible {
            return self.identity();
        }
        let weights = Weights::read(accept_encoding);
        if weights.brotli > 0.0 && weights.brotli >= weights.gzip.max(weights.identity) {
            self.brotli.get_or_init(|| self.encoded_variant(brotli(&self.identity().body, FAST), "br"))
        } else if weights.gzip > 0.0 && weights.gzip >= weights.identity {
            self.gzip.get_or_init(|| self.encoded_variant(gzip(&self.identity().body), "gzip"))
        } else {
            self.identity()
        }
    }

    fn identity(&self) -> &Variant {
        self.identity.get_or_init(|| {
            let body = self.brotli.get().map_or_else(Bytes::new, |brotli| decompressed(&brotli.body));
            self.variant_of(body)
        })
    }

    pub fn content_type(&self) -> &str {
        self.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The same text, compressed more strongly.
    pub fn recompressed(&self) -> Document {
        let small = brotli(&self.identity().body, SMALL);
        let brotli = OnceLock::from(self.encoded_variant(small, "br"));
        Document { brotli, ..self.clone() }
    }
}

/// A client's weight for each encoding, from 0 to 1 (RFC 9110, section 12.5.3).
struct Weights {
    brotli: f32,
    gzip: f32,
    identity: f32,
}

impl Weights {
    /// One pass over the bytes, since this runs for every page that is served.
    fn read(accept_encoding: &str) -> Weights {
        let (mut brotli, mut gzip, mut identity, mut others) = (None, None, None, None);
        for item in accept_encoding.as_bytes().split(|byte| *byte == b',') {
            let mut parts = item.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
            let weight = match parts.next() {
                Some(name) if name.eq_ignore_ascii_case(b"br") => &mut brotli,
                Some(name) if name.eq_ignore_ascii_case(b"gzip") => &mut gzip,
                Some(name) if name.eq_ignore_ascii_case(b"identity") => &mut identity,
                Some(b"*") => &mut others,
                _ => continue,
            };
            weight.get_or_insert_with(|| quality(parts));
        }
        let named = |weight: Option<f32>| weight.or(others).unwrap_or(0.0);
        // Identity is always possible. Unless the client names it, it is the last choice.
        Weights { brotli: named(brotli), gzip: named(gzip), identity: identity.unwrap_or(0.0) }
    }
}

fn quality<'a>(mut parameters: impl Iterator<Item = &'a [u8]>) -> f32 {
    let given = parameters.find_map(|part| part.strip_prefix(b"q=").or_else(|| part.strip_prefix(b"Q=")));
    let parsed = |given| std::str::from_utf8(given).ok().and_then(|text| text.trim().parse().ok());
    given.map_or(1.0, |given| parsed(given).unwrap_or(0.0))
}

/// A strong entity tag: a hash, in quotes.
pub fn entity_tag(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    format!("\"{}\"", hex::encode(&digest[..12]))
}

fn header(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("our own header values are visible ASCII")
}

fn decompressed(body: &[u8]) -> Bytes {
    let mut text = Vec::new();
    let mut reader = brotli::Decompressor::new(body, 1 << 16);
    reader.read_to_end(&mut text).expect("our own brotli is valid");
    text.into()
}

fn brotli(body: &[u8], quality: u32) -> Bytes {
    // A window no larger than the page, but at least 18 bits: with 16 the encoder takes a slow path that uses much
    // memory (measured for the home page: 18 ms instead of 1.9 ms).
    let window = (usize::BITS - body.len().leading_zeros()).clamp(18, 22);
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, quality, window);
    writer.write_all(body).expect("writing to memory");
    Bytes::from(writer.into_inner())
}

pub fn gzip(body: &[u8]) -> Bytes {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    writer.write_all(body).expect("writing to memory");
    Bytes::from(writer.finish().expect("writing to memory"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_encoding_is_chosen() {
        let text = "a page ".repeat(100);
        let document = Document::text("text/html", "public", HeaderMap::new(), text);
        let cases = [
            ("", None),
            ("identity", None),
            ("gzip", Some("gzip")),
            ("gzip, deflate, br, zstd", Some("br")),
            ("br;q=0, gzip;q=0.5", Some("gzip")),
            ("*", Some("br")),
            ("*;q=0", None),
            ("br;q=0, *", Some("gzip")),
            ("BR", Some("br")),
            ("br;q=x", None),
            ("gzip;q=1, br;q=0.5", Some("gzip")),
            ("gzip, br", Some("br")),
            ("identity, gzip;q=0.5, br;q=0.5", None),
            ("identity;q=0.5, gzip", Some("gzip")),
            ("identity, gzip", Some("gzip")),
            ("gzip;q=0.2", Some("gzip")),
            ("identity;q=0, br;q=0", None),
        ];
        for (accepted, expected) in cases {
            let found = document.variant(accepted).headers.get(CONTENT_ENCODING);
            assert_eq!(found.map(|value| value.to_str().expect("ASCII")), expected, "{accepted}");
        }
    }

    #[test]
    fn every_encoding_has_its_own_strong_tag_and_the_same_text() {
        let text = "a page ".repeat(100);
        let document = Document::text("text/html", "public", HeaderMap::new(), text.clone());
        let tags: std::collections::BTreeSet<_> = ["", "br", "gzip"]
            .map(|accepted| document.variant(accepted).headers[ETAG].to_str().expect("ASCII").to_owned())
            .into();
        assert_eq!(tags.len(), 3);
        let as_embedded = Document::compressed(
            "text/html",
            "public",
            HeaderMap::new(),
            document.variant("br").body.clone(),
        );
        for document in [document.recompressed(), document, as_embedded] {
            assert_eq!(decompressed(&document.variant("br").body), text);
            assert_eq!(document.variant("").body, text);
            let mut plain = String::new();
            flate2::read::GzDecoder::new(&*document.variant("gzip").body)
                .read_to_string(&mut plain)
                .expect("gzip");
            assert_eq!(plain, text);
        }
    }
}
