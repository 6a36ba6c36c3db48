//! What the HTTP library refuses by itself, before any request of ours exists: it answers a bare status
//! line, and here is what is sent in its place, with a problem to read and the safety headers.

use std::sync::Arc;

use http::StatusCode;
use warp::Reply;

use super::service::complete;
use crate::error::Error;
use crate::http::metrics::{Class, Metrics};
use crate::site::render::headers;

/// The library's own heads are shorter than this, in bytes.
const LONGEST_HEAD: usize = 256;

pub struct Refusals {
    /// Ready answers by status, from the first byte to the last.
    told: Vec<(u16, Vec<u8>)>,
    metrics: Arc<Metrics>,
}

impl Refusals {
    pub fn new(metrics: Arc<Metrics>) -> Refusals {
        let told = [
            (StatusCode::BAD_REQUEST, "This is not a request that can be read."),
            (StatusCode::URI_TOO_LONG, "This address is too long."),
            (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers of this request are too large."),
        ];
        let told =
            told.into_iter().map(|(status, detail)| (status.as_u16(), whole(status, detail))).collect();
        Refusals { told, metrics }
    }

    /// Our answer for the library's, which is counted; `None` when these bytes are anything else. Answers of ours
    /// that have the same status name their type, and are left alone.
    pub fn instead_of(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        // A bare head, and nothing after it: no part of a longer answer looks like that.
        if bytes.len() > LONGEST_HEAD || !bytes.ends_with(b"\r\n\r\n") {
            return None;
        }
        let rest = bytes.strip_prefix(b"HTTP/1.1 ").or_else(|| bytes.strip_prefix(b"HTTP/1.0 "))?;
        let status: u16 = std::str::from_utf8(rest.get(..3)?).ok()?.parse().ok()?;
        let (_, ours) = self.told.iter().find(|(known, _)| *known == status)?;
        let has_type = bytes.windows(13).any(|part| part.eq_ignore_ascii_case(b"content-type:"));
        if has_type {
            return None;
        }
        self.metrics.note_ready(Class::Other, status);
        Some(ours.clone())
    }
}

fn whole(status: StatusCode, detail: &str) -> Vec<u8> {
    let body = crate::http::problem::body(status, detail).to_string();
    let answer = complete(Error::Malformed(detail.to_owned()).into_response(), &headers::of_answer());
    let mut bytes = format!(
        "HTTP/1.1 {} {}\r\nconnection: close\r\ncontent-length: {}\r\n",
        status.as_u16(),
        status.canonical_reason().unwrap_or("Error"),
        body.len()
    )
    .into_bytes();
    for (name, value) in answer.headers() {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_librarys_own_refusals_are_replaced() {
        let refusals = Refusals::new(Arc::default());
        let ours = |bytes: &str| refusals.instead_of(bytes.as_bytes());
        for status in ["400 Bad Request", "414 URI Too Long", "431 Request Header Fields Too Large"] {
            let answer = ours(&format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n")).expect("replaced");
            let answer = String::from_utf8(answer).expect("text");
            assert!(answer.starts_with(&format!("HTTP/1.1 {}", &status[..3])), "{answer}");
            for header in ["content-security-policy", "x-content-type-options", "application/problem+json"] {
                assert!(answer.contains(header), "{header}: {answer}");
            }
        }
        assert!(ours("HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\n\r\n").is_none());
        assert!(ours("HTTP/1.1 200 OK\r\n\r\n").is_none());
        assert!(ours("HTTP/1.1 400 Bad Request is what the person wrote").is_none());
        assert!(ours("body").is_none());
    }
}
