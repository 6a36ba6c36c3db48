//! Pages and assets: content, caching, compression and security headers.

use std::collections::BTreeSet;
use std::io::Read;

use crate::support::content::{closed_portal, import};
use crate::support::{Place, Server, served, wait_for};

const ROUTES: [&str; 23] = [
    "/",
    "/about",
    "/competition",
    "/speakers-judges",
    "/sponsors",
    "/venue",
    "/schedule",
    "/faq",
    "/apply-speaker",
    "/apply-judge",
    "/apply-sponsor",
    "/apply-professional-demo",
    "/enter-competition",
    "/artist-portal",
    "/release",
    "/score-sheet",
    "/judge",
    "/door",
    "/export-data",
    "/privacy",
    "/terms",
    "/refund-policy",
    "/contact",
];

const PUBLIC: &str = "public_url = 'https://showcase.example.com'\n";

#[test]
fn every_route_is_a_complete_page_of_its_own() {
    let (_place, server) = served(PUBLIC);
    let mut heads = BTreeSet::new();
    for route in ROUTES {
        let reply = server.get(route, &[]);
        let html = reply.text();
        assert_eq!(reply.status, 200, "{route}");
        assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
        assert!(html.starts_with("<!doctype html>") && html.contains("<html lang=\"en\""), "{route}");
        assert_eq!(html.matches("<h1").count(), 1, "{route} has one h1");
        for (start, end) in [("<title>", "</title>"), ("<meta name=\"description\" content=\"", "\">")] {
            let text = between(&html, start, end);
            assert!(heads.insert(text.to_owned()), "{route} shares '{text}'");
        }
        assert!(
            !["undefined", "[object Object]", "NaN", "<style"].iter().any(|wrong| html.contains(wrong)),
            "{route}"
        );
        let found_by = match route {
            "/export-data" | "/artist-portal" | "/release" | "/score-sheet" | "/judge" | "/door" => {
                "<meta name=\"robots\" content=\"noindex\">".to_owned()
            }
            _ => format!("<link rel=\"canonical\" href=\"https://showcase.example.com{route}\""),
        };
        assert!(html.contains(&found_by), "{route}: {found_by}");
        assert!(!html.contains(" style="), "{route} has an inline style, which the policy forbids");
    }
}

#[test]
fn a_closed_artist_portal_has_no_pages_and_is_named_on_no_other() {
    let (place, server) = served("");
    import(&place, &closed_portal());
    wait_for("a closed portal", || (server.get("/artist-portal", &[]).status == 404).then_some(()));
    for route in ROUTES {
        let reply = server.get(route, &[]);
        let is_of_portal = matches!(route, "/artist-portal" | "/release" | "/score-sheet");
        assert_eq!(reply.status, if is_of_portal { 404 } else { 200 }, "{route}");
        let html = reply.text();
        assert!(!html.contains("Artist Portal") && !html.contains("artist-portal"), "{route}");
    }
}

#[test]
fn whatever_is_asked_for_first_after_a_start_is_there() {
    let place = Place::new("");
    for (method, path, status, words) in [
        ("GET", "/about", 200, "<h1"),
        ("HEAD", "/faq", 200, ""),
        ("GET", "/page-data/venue.json", 200, "\"page\":\"venue\""),
        ("GET", "/sitemap.xml", 200, "/refund-policy</loc>"),
        ("GET", "/event.ics", 200, "BEGIN:VCALENDAR"),
        ("GET", "/about/", 308, ""),
        ("POST", "/about", 405, ""),
        ("GET", "/abou", 404, "<h1"),
    ] {
        let first = place.serve().send(method, path, &[], "");
        assert_eq!(first.status, status, "{method} {path}");
        assert!(first.text().contains(words), "{method} {path}: {}", first.text());
    }
}

#[test]
fn an_unknown_path_is_a_404_page_with_a_link_home() {
    let (_place, server) = served(PUBLIC);
    let reply = server.get("/no-such-page", &[]).expect(404);
    assert!(reply.text().contains("404 Page Not Found") && reply.text().contains("href=\"/\""));
    let reply = server.get("/api/no-such-thing", &[]);
    assert_eq!((reply.status, reply.header("content-type")), (404, "application/problem+json"));
    let reply = server.get("/about/?from=mail", &[]);
    assert_eq!((reply.status, reply.header("location")), (308, "/about?from=mail"));
}

#[test]
fn a_page_is_sent_in_an_encoding_that_the_client_accepts() {
    let (_place, server) = served(PUBLIC);
    // A client that names no encoding accepts any. Ours asks for identity, so that it decodes nothing.
    let plain = server.get("/", &[("accept-encoding", "identity")]);
    assert_eq!(plain.header("content-encoding"), "");
    for (accepted, encoding) in [("gzip", "gzip"), ("gzip, br", "br"), ("br;q=0, gzip", "gzip")] {
        let reply = raw_get(&server, "/", accepted);
        assert_eq!(reply.header("content-encoding"), encoding);
        assert_eq!(reply.header("vary"), "accept-encoding");
        assert!(reply.body.len() < plain.body.len() / 2);
        let mut decoded = Vec::new();
        match encoding {
            "br" => brotli::BrotliDecompress(&mut &reply.body[..], &mut decoded).expect("brotli"),
            _ => drop(flate2::read::GzDecoder::new(&reply.body[..]).read_to_end(&mut decoded).expect("gzip")),
        }
        assert_eq!(decoded, plain.body);
    }
}

#[test]
fn a_client_that_has_the_current_page_gets_304() {
    let (_place, server) = served(PUBLIC);
    let first = server.get("/about", &[("accept-encoding", "identity")]);
    let tag = first.header("etag");
    assert!(tag.starts_with('"'), "a strong tag: {tag}");
    assert!(first.header("cache-control").contains("public"));
    for method in ["GET", "HEAD"] {
        let has_it = [("accept-encoding", "identity"), ("if-none-match", tag)];
        let again = server.send(method, "/about", &has_it, "");
        assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, tag), "{method}");
        assert_eq!(again.header("content-length"), "", "{method}: what is unchanged is not empty");
    }
    server.get("/about", &[("accept-encoding", "identity"), ("if-none-match", "\"other\"")]).expect(200);
}

#[test]
fn head_has_the_headers_of_get_and_no_body() {
    let (_place, server) = served(PUBLIC);
    for path in ["/", "/nope", "/healthz"] {
        let get = server.get(path, &[("accept-encoding", "identity")]);
        let head = server.send("HEAD", path, &[("accept-encoding", "identity")], "");
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{path}");
        assert_eq!(head.header("content-length"), get.body.len().to_string(), "{path}");
    }
    let range = server.get("/", &[("accept-encoding", "identity"), ("range", "bytes=0-9")]);
    assert_eq!(range.status, 200, "a range may be ignored");
}

#[test]
fn assets_have_hashed_names_and_are_cached_for_a_year() {
    let (_place, server) = served(PUBLIC);
    let html = server.get("/", &[]).text();
    let assets: BTreeSet<&str> =
        html.match_indices("\"/assets/").map(|(at, _)| between(&html[at..], "\"", "\"")).collect();
    assert!(
        assets.iter().any(|path| path.ends_with(".js")) && assets.iter().any(|path| path.ends_with(".css"))
    );
    for path in assets {
        let reply = server.get(path, &[]);
        assert_eq!(reply.status, 200, "{path}");
        assert_eq!(reply.header("cache-control"), "public, max-age=31536000, immutable", "{path}");
        assert!(!reply.header("content-type").is_empty() && !reply.header("etag").is_empty(), "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
    }
}

#[test]
fn every_answer_has_the_security_headers() {
    let (_place, server) = served(PUBLIC);
    let shared = ["/", "/enter-competition", "/export-data", "/nope"].map(|path| server.get(path, &[]));
    let logged = [
        server.send("PUT", "/", &[], "x"),
        server.get("/api/nope", &[]),
        server.get("/healthz", &[]),
        server.post("/api/waitlist-signups", &serde_json::json!({})),
    ];
    for reply in shared.iter().chain(&logged) {
        let policy = reply.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe-inline"), "{policy}");
        for name in ["x-content-type-options", "referrer-policy", "permissions-policy"] {
            assert!(!reply.header(name).is_empty(), "{} lacks {name}", reply.status);
        }
    }
    let ids: BTreeSet<&str> = logged.iter().map(|reply| reply.header("x-request-id")).collect();
    assert!(ids.len() == logged.len() && !ids.contains(""), "each names its line of the log: {ids:?}");
    // A response that a shared cache may store has no request id.
    assert!(shared.iter().all(|reply| reply.header("x-request-id").is_empty()));
    let policy = |path| server.get(path, &[]).header("content-security-policy").to_owned();
    assert!(policy("/enter-competition").contains("https://js.stripe.com"));
    assert!(!policy("/").contains("stripe"));
    assert!(server.get("/export-data", &[]).text().contains("noindex"));
}

#[test]
fn client_navigation_finds_a_pages_data_and_scripts() {
    let (_place, server) = served(PUBLIC);
    for (path, page) in [("/page-data/index.json", "/"), ("/page-data/faq.json", "/faq")] {
        let reply = server.get(path, &[]);
        assert_eq!((reply.status, reply.header("content-type")), (200, "application/json"), "{path}");
        assert_eq!(reply.json()["path"], page);
    }
}

/// Sends a request and does not decompress the response.
fn raw_get(server: &Server, path: &str, accepted: &str) -> crate::support::Reply {
    let head =
        format!("GET {path} HTTP/1.1\r\nhost: x\r\naccept-encoding: {accepted}\r\nconnection: close\r\n\r\n");
    let mut stream = server.connect();
    std::io::Write::write_all(&mut stream, head.as_bytes()).expect("sent");
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("an answer");
    let split = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
    let mut headers = http::HeaderMap::new();
    for line in head.lines().skip(1) {
        let (name, value) = line.split_once(": ").expect("a header");
        let name = http::HeaderName::from_bytes(name.as_bytes()).expect("a name");
        headers.append(name, value.parse().expect("a value"));
    }
    let status = head.split(' ').nth(1).expect("a status").parse().expect("a number");
    crate::support::Reply { status, headers, body: bytes[split + 4..].to_vec() }
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let from = text.find(start).expect(start) + start.len();
    &text[from..from + text[from..].find(end).expect(end)]
}
