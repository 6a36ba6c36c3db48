//! One answer that is ready to leave: a body in each encoding, with its headers.

use std::io::Write;

use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, VARY,
};
use sha2::{Digest, Sha256};

use super::engine::Policy;
use super::headers::REQUEST_ID;

/// A body with the headers that go with exactly these bytes.
#[derive(Clone)]
pub struct Variant {
    pub body: Bytes,
    pub headers: HeaderMap,
}

#[derive(Clone)]
pub struct Document {
    pub status: u16,
    pub policy: Option<Policy>,
    identity: Variant,
    brotli: Option<Variant>,
    gzip: Option<Variant>,
}

/// A body in its encodings.
pub struct Encoded {
    pub identity: Bytes,
    pub brotli: Option<Bytes>,
    pub gzip: Option<Bytes>,
}

impl Encoded {
    /// Compresses a text; brotli quality 4 takes a millisecond a page, 11 some eighty times that.
    pub fn compress(text: String, brotli_quality: u32) -> Encoded {
        let identity = Bytes::from(text);
        Encoded { brotli: Some(brotli(&identity, brotli_quality)), gzip: Some(gzip(&identity)), identity }
    }
}

impl Document {
    pub fn new(
        status: u16,
        content_type: &str,
        cache_control: &str,
        policy: Option<Policy>,
        encoded: Encoded,
    ) -> Document {
        let varies = encoded.brotli.is_some() || encoded.gzip.is_some();
        let variant = |body: Bytes, encoding: Option<&'static str>| {
            let mut headers = HeaderMap::with_capacity(16);
            headers.insert(CONTENT_TYPE, header(content_type));
            headers.insert(CACHE_CONTROL, header(cache_control));
            headers.insert(ETAG, header(&entity_tag(&body)));
            headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
            // A place for each request's own, so that putting it in makes no copy grow.
            headers.insert(REQUEST_ID, HeaderValue::from_static("0"));
            if varies {
                headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
            }
            if let Some(encoding) = encoding {
                headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
            }
            Variant { body, headers }
        };
        Document {
            status,
            policy,
            identity: variant(encoded.identity, None),
            brotli: encoded.brotli.map(|body| variant(body, Some("br"))),
            gzip: encoded.gzip.map(|body| variant(body, Some("gzip"))),
        }
    }

    /// The variant that `accept_encoding` weighs highest; of equals brotli, then gzip, then the plain bytes,
    /// which are also the answer to a client that takes nothing.
    pub fn variant(&self, accept_encoding: &str) -> &Variant {
        let weights = Weights::read(accept_encoding);
        let coded = [(weights.brotli, &self.brotli), (weights.gzip, &self.gzip)];
        let mut best = (weights.identity, &self.identity);
        // From the last to the first, so that an equal that is smaller wins.
        for (weight, variant) in coded.into_iter().rev() {
            if let Some(variant) = variant
                && weight > 0.0
                && weight >= best.0
            {
                best = (weight, variant);
            }
        }
        best.1
    }

    pub fn content_type(&self) -> &str {
        self.identity.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Adds headers to every variant.
    pub fn add_headers(&mut self, added: &HeaderMap) {
        for variant in
            [Some(&mut self.identity), self.brotli.as_mut(), self.gzip.as_mut()].into_iter().flatten()
        {
            variant.headers.extend(added.clone());
        }
    }

    /// The same document with the body compressed as small as it gets.
    pub fn squeezed(&self) -> Document {
        let mut squeezed = self.clone();
        if let Some(variant) = &mut squeezed.brotli {
            variant.body = brotli(&self.identity.body, 11);
            variant.headers.insert(ETAG, header(&entity_tag(&variant.body)));
            variant.headers.insert(CONTENT_LENGTH, HeaderValue::from(variant.body.len()));
        }
        squeezed
    }
}

/// How much a client wants each encoding, from 0 to 1 (RFC 9110, section 12.5.3).
struct Weights {
    brotli: f32,
    gzip: f32,
    identity: f32,
}

impl Weights {
    fn read(accept_encoding: &str) -> Weights {
        let weight = |wanted: &str| {
            accept_encoding.split(',').find_map(|item| {
                let mut parts = item.split(';').map(str::trim);
                if !parts.next()?.eq_ignore_ascii_case(wanted) {
                    return None;
                }
                let quality =
                    parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
                Some(quality.map_or(1.0, |quality| quality.trim().parse::<f32>().unwrap_or(0.0)))
            })
        };
        let others = weight("*");
        let named = |wanted| weight(wanted).or(others).unwrap_or(0.0);
        // Plain bytes are always possible, and the last choice unless they are asked for.
        let identity = weight("identity").unwrap_or(0.0);
        Weights { brotli: named("br"), gzip: named("gzip"), identity }
    }
}

fn entity_tag(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    let hex: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
}

fn header(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("our own header values are visible ASCII")
}

fn brotli(body: &[u8], quality: u32) -> Bytes {
    // A window no larger than the page, but never the 16 bits that make this encoder take its slow,
    // memory-hungry path (measured: 1.9 ms against 18 ms for the home page).
    let window = (usize::BITS - body.len().leading_zeros()).clamp(18, 22);
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, quality, window);
    writer.write_all(body).expect("writing to memory");
    Bytes::from(writer.into_inner())
}

fn gzip(body: &[u8]) -> Bytes {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    writer.write_all(body).expect("writing to memory");
    Bytes::from(writer.finish().expect("writing to memory"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_accepted_encoding_is_taken() {
        let text = "a page ".repeat(100);
        let document = Document::new(200, "text/html", "public", None, Encoded::compress(text, 5));
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
        let document = Document::new(200, "text/html", "public", None, Encoded::compress(text.clone(), 5));
        let tags: std::collections::BTreeSet<_> = ["", "br", "gzip"]
            .map(|accepted| document.variant(accepted).headers[ETAG].to_str().expect("ASCII").to_owned())
            .into();
        assert_eq!(tags.len(), 3);
        for document in [document.squeezed(), document] {
            let mut plain = Vec::new();
            brotli::BrotliDecompress(&mut &document.variant("br").body[..], &mut plain).expect("brotli");
            assert_eq!(plain, text.as_bytes());
        }
    }
}
