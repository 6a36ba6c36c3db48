//! Replaces the HTTP library's own refusals. It answers a malformed head with a bare status line before our code sees
//! a request; we send a problem document with the security headers instead.

use std::sync::Arc;

use http::StatusCode;
use warp::Reply;

use super::service::complete;
use crate::error::Error;
use crate::http::metrics::{Class, Metrics};
use crate::site::render::headers;

/// The library's own refusals are shorter than this, in bytes.
const MAX_HEAD: usize = 256;

pub struct Refusals {
    /// Complete answers (head and body) by status.
    answers: Vec<(u16, Vec<u8>)>,
    metrics: Arc<Metrics>,
}

impl Refusals {
    pub fn new(metrics: Arc<Metrics>) -> Refusals {
        let answers = [
            (StatusCode::BAD_REQUEST, "The server cannot read this request."),
            (StatusCode::URI_TOO_LONG, "This address is too long."),
            (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers of this request are too large."),
        ];
        let answers = answers
            .into_iter()
            .map(|(status, detail)| (status.as_u16(), serialize(status, detail)))
            .collect();
        Refusals { answers, metrics }
    }

    /// Our answer if `bytes` are the library's own refusal, which is then counted. Our own answers with the same status
    /// have a content type and are not replaced.
    pub fn replacement_for(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        // The library writes its refusal, a head without a body, in a single call.
        if bytes.len() > MAX_HEAD || !bytes.ends_with(b"\r\n\r\n") {
            return None;
        }
        let rest = bytes.strip_prefix(b"HTTP/1.1 ").or_else(|| bytes.strip_prefix(b"HTTP/1.0 "))?;
        let status: u16 = std::str::from_utf8(rest.get(..3)?).ok()?.parse().ok()?;
        let (_, ours) = self.answers.iter().find(|(known, _)| *known == status)?;
        let has_type = bytes.windows(13).any(|part| part.eq_ignore_ascii_case(b"content-type:"));
        if has_type {
            return None;
        }
        self.metrics.note_ready(Class::Other, status);
        Some(ours.clone())
    }
}

fn serialize(status: StatusCode, detail: &str) -> Vec<u8> {
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
        let ours = |bytes: &str| refusals.replacement_for(bytes.as_bytes());
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
