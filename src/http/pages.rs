//! Turns a prepared document into the response to a request: negotiates the encoding, answers 304 and HEAD.

use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, CONTENT_LENGTH, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH};
use http::{Method, Response, StatusCode};
use hyper::body::Body;

use crate::site::render::Document;

/// Removes the body of a response to HEAD. hyper does so for HTTP/1 but not for HTTP/2.
pub fn omit_body_for_head(method: &Method, response: warp::reply::Response) -> warp::reply::Response {
    if *method != Method::HEAD {
        return response;
    }
    let (mut head, body) = response.into_parts();
    // An empty body may be a 304, whose Content-Length would be wrong.
    if let Some(length) = body.size_hint().exact().filter(|length| *length > 0) {
        head.headers.entry(CONTENT_LENGTH).or_insert_with(|| HeaderValue::from(length));
    }
    Response::from_parts(head, Bytes::new().into())
}

/// The document in the best encoding that the client accepts, or 304 if the client has it already.
pub fn document_response(document: &Document, headers: &HeaderMap) -> Response<Bytes> {
    let texts = |name| headers.get_all(name).iter().filter_map(|value: &HeaderValue| value.to_str().ok());
    let variant = document.variant(&texts(ACCEPT_ENCODING).collect::<Vec<_>>().join(", "));
    let tag = variant.headers.get(ETAG).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let has_it = texts(IF_NONE_MATCH).any(|tags| matches_tag(tags, tag));
    let is_unchanged = has_it && document.status == 200;
    let body = if is_unchanged { Bytes::new() } else { variant.body.clone() };
    let mut response = Response::new(body);
    response.headers_mut().clone_from(&variant.headers);
    if is_unchanged {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        *response.status_mut() = StatusCode::from_u16(document.status).unwrap_or(StatusCode::OK);
    }
    response
}

/// Whether `If-None-Match` names this tag; compared weakly (RFC 9110, section 13.1.2).
pub fn matches_tag(tags: &str, current: &str) -> bool {
    tags.split(',').map(str::trim).any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == current)
}

#[cfg(test)]
mod tests {
    use http::header::CONTENT_ENCODING;

    use super::*;

    #[test]
    fn several_accept_encoding_headers_are_one_list() {
        let document = Document::text("text/html", "public", HeaderMap::new(), "a page ".repeat(100));
        for (lines, expected) in [
            (&["gzip", "br"] as &[_], Some("br")),
            (&["*", "br;q=0"], Some("gzip")),
            (&["deflate", "gzip"], Some("gzip")),
            (&["", "gzip"], Some("gzip")),
            (&["gzip;q=0.1", "identity"], None),
        ] {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(ACCEPT_ENCODING, HeaderValue::from_static(line));
            }
            let answer = document_response(&document, &headers);
            let found = answer.headers().get(CONTENT_ENCODING).map(|value| value.to_str().expect("ASCII"));
            assert_eq!(found, expected, "{headers:?}");
        }
    }

    #[test]
    fn if_none_match_finds_a_tag_however_it_is_written() {
        for (tags, found) in [
            ("\"a1\"", true),
            ("W/\"a1\"", true),
            ("\"b\", \"a1\"", true),
            ("*", true),
            ("\"b\"", false),
            ("", false),
            ("a1", false),
        ] {
            assert_eq!(matches_tag(tags, "\"a1\""), found, "{tags}");
        }
    }
}
