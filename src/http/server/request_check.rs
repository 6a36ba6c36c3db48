//! Refuses requests that the HTTP library accepts but that a proxy might interpret differently (RFC 9112, sections 3.2
//! and 6.1), and closes their connection.

use http::header::{CONNECTION, HOST, HeaderValue, TRANSFER_ENCODING};
use http::uri::Authority;
use http::{Request, Version};
use warp::reply::Response;

use crate::error::{Error, Result};

/// The maximum size of all headers, in bytes. The library limits only incomplete heads.
const MAX_HEADERS: usize = 64 * 1024;

/// Checks the request's host and the framing of its body, and sets the `Host` header of an HTTP/2 request.
///
/// # Errors
/// [`Error::Malformed`] says what is wrong; [`Error::HeadersTooLarge`].
pub fn require_sound<B>(request: &mut Request<B>) -> Result<()> {
    let headers = request.headers();
    let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if size > MAX_HEADERS {
        return Err(Error::HeadersTooLarge);
    }
    let version = request.version();
    let authority = request.uri().authority().map(|authority| authority.as_str().as_bytes());
    let hosts: Vec<&[u8]> = headers.get_all(HOST).iter().map(HeaderValue::as_bytes).collect();
    let has_one_host = match (hosts.as_slice(), authority) {
        ([], None) => !matches!(version, Version::HTTP_11 | Version::HTTP_2),
        ([], Some(authority)) => version != Version::HTTP_11 && is_host(authority),
        ([host], None) => is_host(host),
        ([host], Some(authority)) => is_host(host) && authority.eq_ignore_ascii_case(host),
        _ => false,
    };
    if !has_one_host {
        return Err(Error::Malformed("A request must name its host exactly once.".into()));
    }
    if version == Version::HTTP_2 {
        return add_host(request);
    }
    let mut framings = headers.get_all(TRANSFER_ENCODING).iter();
    let is_chunked = |framing: &HeaderValue| framing.as_bytes().trim_ascii().eq_ignore_ascii_case(b"chunked");
    if !framings.next().is_none_or(is_chunked) || framings.next().is_some() {
        return Err(Error::Malformed("The only supported Transfer-Encoding is chunked.".into()));
    }
    Ok(())
}

/// Makes this the last response of an HTTP/1 connection: the end of the request is not reliable or was not read.
pub fn last_answer(version: Version, mut response: Response) -> Response {
    if version != Version::HTTP_2 {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Copies the host from an HTTP/2 request's target to the `Host` header, where later code expects it.
fn add_host<B>(request: &mut Request<B>) -> Result<()> {
    let Some(authority) = request.uri().authority() else { return Ok(()) };
    let host = HeaderValue::try_from(authority.as_str())
        .map_err(|_| Error::Malformed("The host of this request cannot be read.".into()))?;
    request.headers_mut().insert(HOST, host);
    Ok(())
}

/// Whether it is a name or an address, with or without a port, but without user information (RFC 9110, section 7.2).
fn is_host(host: &[u8]) -> bool {
    // The common case, without the copy that parsing makes.
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    if !host.is_empty() && host.iter().all(is_plain) {
        return true;
    }
    host.is_ascii() && !host.contains(&b'@') && Authority::try_from(host).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound(version: Version, uri: &str, headers: &[(&str, &str)]) -> bool {
        let mut request = Request::builder().version(version).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        require_sound(&mut request.body(()).expect("a request")).is_ok()
    }

    #[test]
    fn a_request_must_have_one_host_and_one_framing() {
        let host = ("host", "x");
        for (version, uri, headers, expected) in [
            (Version::HTTP_11, "/", vec![host], true),
            (Version::HTTP_11, "/", vec![], false),
            (Version::HTTP_11, "/", vec![host, host], false),
            (Version::HTTP_10, "/", vec![], true),
            (Version::HTTP_11, "/", vec![("host", "x.example.com:8080")], true),
            (Version::HTTP_11, "/", vec![("host", "[::1]:8080")], true),
            (Version::HTTP_11, "/", vec![("host", "")], false),
            (Version::HTTP_11, "/", vec![("host", "a, b")], false),
            (Version::HTTP_11, "/", vec![("host", "a b/<x>")], false),
            (Version::HTTP_11, "/", vec![("host", "u@b")], false),
            (Version::HTTP_11, "/", vec![host, ("transfer-encoding", "Chunked")], true),
            (Version::HTTP_11, "/", vec![host, ("transfer-encoding", "gzip, chunked")], false),
            (
                Version::HTTP_11,
                "/",
                vec![host, ("transfer-encoding", "chunked"), ("transfer-encoding", "chunked")],
                false,
            ),
            // An HTTP/1 request may name its host in its target too (RFC 9112, section 3.2.2).
            (Version::HTTP_11, "http://x/", vec![host], true),
            (Version::HTTP_11, "http://x/", vec![], false),
            (Version::HTTP_11, "http://y/", vec![host], false),
            (Version::HTTP_11, "http://u@x/", vec![host], false),
            (Version::HTTP_10, "http://x/", vec![], true),
            (Version::HTTP_10, "http://u@x/", vec![], false),
            (Version::HTTP_2, "https://x/", vec![], true),
            (Version::HTTP_2, "https://x/", vec![("host", "X")], true),
            (Version::HTTP_2, "https://x/", vec![("host", "y")], false),
            (Version::HTTP_2, "https://x/", vec![host, host], false),
            (Version::HTTP_2, "https://x/", vec![host, ("host", "evil")], false),
            (Version::HTTP_2, "https://u@x/", vec![], false),
            (Version::HTTP_2, "https://u@x/", vec![("host", "u@x")], false),
            (Version::HTTP_2, "/", vec![], false),
            (Version::HTTP_2, "/", vec![host], true),
            (Version::HTTP_2, "/", vec![host, host], false),
            (Version::HTTP_2, "/", vec![("host", "a b/<x>")], false),
            (Version::HTTP_2, "/", vec![("host", "u@x")], false),
        ] {
            assert_eq!(sound(version, uri, &headers), expected, "{version:?} {uri} {headers:?}");
        }
    }

    #[test]
    fn an_http_2_request_gets_its_host() {
        let mut request =
            Request::builder().version(Version::HTTP_2).uri("https://a.example.com/x").body(()).expect("it");
        require_sound(&mut request).expect("sound");
        assert_eq!(request.headers()[HOST], "a.example.com");
    }
}
