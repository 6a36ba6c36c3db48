//! HTTPS: certificates over ACME from a real authority, configured certificates, redirects, and both HTTP versions.

use std::io::{ErrorKind, Read, Write};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::support::authority::{Authority, send_plain};
use crate::support::ports::DeafPort;
use crate::support::tls_client::{Trust, certificate, connect, get};
use crate::support::{Place, text, wait_for};

const NAME: &str = "showcase.example.com";
const NINETY_DAYS: u32 = 90 * 24 * 3600;

/// Waits until a client that trusts only this authority gets the home page.
fn wait_until_certified(server: &crate::support::Server, authority: &Authority) {
    let roots = authority.roots();
    wait_for("a certificate of the authority", || {
        get(&server.address, NAME, &Trust::Roots(&roots), "/healthz")
            .ok()
            .filter(|answer| answer.contains("alive"))
    });
}

#[test]
fn the_first_certificate_is_issued_and_kept_after_a_restart() {
    let mut authority = Authority::start(NINETY_DAYS);
    let place = Place::with_machine_clock(&authority.settings(NAME));
    let server = place.serve();
    assert!(
        get(&server.address, NAME, &Trust::Anything, "/").expect("answered").contains("200 OK"),
        "meanwhile"
    );
    authority.tls_gate.open_to(&server.address);
    wait_until_certified(&server, &authority);
    let home = get(&server.address, NAME, &Trust::Roots(&authority.roots()), "/").expect("answered");
    assert!(
        home.starts_with("HTTP/1.1 200 OK") && home.contains("strict-transport-security: max-age=31536000")
    );
    place.wait_for_sql("the certificate in the database", "select count(*) from tls_cache", 2);
    let first = certificate(&server.address, NAME);
    drop(server);
    authority.stop();
    let again = place.serve();
    wait_for("the kept certificate", || (certificate(&again.address, NAME) == first).then_some(()));
    assert!(!place.log().contains("issued no certificate"), "{}", place.log());
}

#[test]
fn a_challenge_over_plain_http_is_answered() {
    let authority = Authority::start(NINETY_DAYS);
    let place = Place::with_machine_clock(&format!("{}challenge = 'http-01'\n", authority.settings(NAME)));
    let server = place.serve();
    authority.http_gate.open_to(&server.redirect_address);
    wait_until_certified(&server, &authority);
    let unknown = "GET /.well-known/acme-challenge/none HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    assert!(send_plain(&server.redirect_address, unknown).starts_with("HTTP/1.1 404 "));
}

#[test]
fn a_failed_challenge_keeps_the_site_up_and_sighup_retries_at_once() {
    let authority = Authority::start(NINETY_DAYS);
    authority.tls_gate.shut();
    let place = Place::with_machine_clock(&authority.settings(NAME));
    let mut server = place.serve();
    wait_for("the failure to be told", || place.log().contains("issued no certificate").then_some(()));
    assert!(place.log().contains("`showcase doctor`"), "{}", place.log());
    assert!(get(&server.address, NAME, &Trust::Anything, "/").expect("answered").contains("200 OK"));
    authority.tls_gate.open_to(&server.address);
    server.signal("HUP");
    wait_until_certified(&server, &authority);
    assert!(!place.log().contains("certificate was reloaded"), "{}", place.log());
    server.stop();
}

#[test]
fn a_process_killed_during_an_order_orders_again() {
    let authority = Authority::start(NINETY_DAYS);
    let place = Place::with_machine_clock(&authority.settings(NAME));
    let mut server = place.serve();
    place.wait_for_sql("the account", "select count(*) from tls_cache", 1);
    server.kill();
    let again = place.serve();
    authority.tls_gate.open_to(&again.address);
    wait_until_certified(&again, &authority);
    assert_eq!(place.sql::<i64>("select count(*) from tls_cache where kind = 'account'"), 1);
}

#[test]
fn a_certificate_is_renewed_before_it_expires() {
    let authority = Authority::start(12);
    let place = Place::with_machine_clock(&authority.settings(NAME));
    let server = place.serve();
    authority.tls_gate.open_to(&server.address);
    wait_until_certified(&server, &authority);
    let first = certificate(&server.address, NAME);
    wait_for("the next certificate", || (certificate(&server.address, NAME) != first).then_some(()));
    wait_until_certified(&server, &authority);
}

#[test]
fn after_a_rate_limit_the_next_order_waits_for_an_hour() {
    let (place, _) = place_of_refused("429 Too Many Requests", "rateLimited", "too many certificates");
    let server = place.serve();
    wait_for("the refusal", || place.log().contains("issued no certificate").then_some(()));
    assert!(place.log().contains("in 60 min"), "{}", place.log());
    assert!(place.log().contains("too many certificates"), "the authority's words: {}", place.log());
    assert!(get(&server.address, NAME, &Trust::Anything, "/").expect("answered").contains("200 OK"));
}

#[test]
fn an_order_is_repeated_at_once_when_a_nonce_is_refused_but_not_for_ever() {
    let (place, requests) = place_of_refused("400 Bad Request", "badNonce", "the nonce was used before");
    let _server = place.serve();
    wait_for("the failure to be told", || place.log().contains("issued no certificate").then_some(()));
    assert_eq!(requests.load(Ordering::SeqCst), 11, "{}", place.log());
    assert!(place.log().contains("in 1 min"), "{}", place.log());
}

#[test]
fn an_unreachable_authority_is_reported_in_our_own_words() {
    let deaf = DeafPort::take();
    let place = Place::with_machine_clock(&format!(
        "[tls]\ndomains = ['{NAME}']\nlisten = '127.0.0.1:0'\nhttp_listen = '127.0.0.1:0'\ndirectory_url = 'https://127.0.0.1:{}/dir'\n",
        deaf.port()
    ));
    let _server = place.serve();
    wait_for("the reason", || place.log().contains("the certificate authority issued no").then_some(()));
    let log = place.log();
    assert!(log.contains("it could not be reached: Connection refused"), "{log}");
    assert!(!log.contains("Custom {") && !log.contains("http error"), "{log}");
}

/// An installation whose authority refuses everything with this status, kind of problem and detail; and the number of
/// requests that the authority has received.
fn place_of_refused(status: &str, problem: &str, detail: &str) -> (Place, Arc<AtomicUsize>) {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
    let key = rustls::pki_types::PrivateKeyDer::Pkcs8(made.key_pair.serialize_der().into());
    let config = rustls::ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .expect("a certificate");
    let config = Arc::new(config);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    let body = format!("{{\"type\": \"urn:ietf:params:acme:error:{problem}\", \"detail\": \"{detail}\"}}");
    let answer =
        format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = rustls::ServerConnection::new(config.clone()).expect("a connection");
            let mut stream = rustls::StreamOwned::new(connection, stream);
            let _ = stream.read(&mut [0; 2000]);
            counted.fetch_add(1, Ordering::SeqCst);
            let _ = stream.write_all(answer.as_bytes());
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    });
    let place = Place::with_machine_clock("");
    std::fs::write(place.path("roots.pem"), made.cert.pem()).expect("a file");
    let settings = format!(
        "[tls]\ndomains = ['{NAME}']\nlisten = '127.0.0.1:0'\nhttp_listen = ''\n\
         directory_url = 'https://127.0.0.1:{port}/dir'\nca_file = 'roots.pem'\n"
    );
    std::fs::write(place.path("config.toml"), settings).expect("a file");
    (place, requests)
}

/// An installation with its own certificate for [`NAME`], and that certificate.
fn with_own(limits: &str) -> (Place, String) {
    let place = Place::with_machine_clock(&format!(
        "public_url = 'https://{NAME}'\n[tls]\ncertificate = 'own.pem'\nprivate_key = 'own.key'\nlisten = '127.0.0.1:0'\nhttp_listen = '127.0.0.1:0'\n{limits}"
    ));
    let roots = place.write_certificate(&[NAME]);
    (place, roots)
}

#[test]
fn configured_files_are_served_and_reloaded_on_sighup_and_a_broken_one_changes_nothing() {
    let (place, roots) = with_own("");
    let server = place.serve();
    assert!(place.log().contains("--listen 127.0.0.1:0 is not used"), "{}", place.log());
    assert!(
        get(&server.address, NAME, &Trust::Roots(&roots), "/healthz").expect("trusted").contains("alive")
    );
    std::fs::write(place.path("own.pem"), "no certificate").expect("a file");
    server.signal("HUP");
    wait_for("the complaint", || place.log().contains("the current certificate stays").then_some(()));
    assert!(get(&server.address, NAME, &Trust::Roots(&roots), "/healthz").is_ok());
    let fresh = place.write_certificate(&[NAME]);
    server.signal("HUP");
    wait_for("the new certificate", || get(&server.address, NAME, &Trust::Roots(&fresh), "/healthz").ok());
    let other = rcgen::KeyPair::generate().expect("a key").serialize_pem();
    for (key, words) in
        [(other, "it does not match tls.certificate"), (String::new(), "no private key in PEM")]
    {
        let kept = std::fs::read(place.path("own.key")).expect("a file");
        std::fs::write(place.path("own.key"), key).expect("a file");
        server.signal("HUP");
        wait_for("the reason", || place.log().contains(words).then_some(()));
        std::fs::write(place.path("own.key"), kept).expect("a file");
    }
    let mut ended = rcgen::CertificateParams::new([NAME.to_owned()]).expect("a name");
    ended.not_after = rcgen::date_time_ymd(2025, 1, 2);
    let key = rcgen::KeyPair::generate().expect("a key");
    std::fs::write(place.path("own.pem"), ended.self_signed(&key).expect("a certificate").pem())
        .expect("a file");
    std::fs::write(place.path("own.key"), key.serialize_pem()).expect("a file");
    server.signal("HUP");
    wait_for("a warning", || place.log().contains("expired on 2025-01-02").then_some(()));
    for (file, words) in [("own.pem", "tls.certificate"), ("own.key", "tls.private_key")] {
        let kept = std::fs::read(place.path(file)).expect("a file");
        std::fs::write(place.path(file), "nothing").expect("a file");
        let refused = place.run(&["serve"]);
        assert_eq!(refused.status.code(), Some(1));
        assert!(text(&refused.stderr).contains(words) && text(&refused.stdout).is_empty());
        std::fs::write(place.path(file), kept).expect("a file");
    }
}

#[test]
fn a_configured_certificate_for_another_name_is_logged() {
    let (place, _) = with_own("");
    let warnings = || place.log().matches(&format!("but not for {NAME}, where browsers refuse")).count();
    let server = place.serve();
    assert_eq!(warnings(), 0, "{}", place.log());
    place.write_certificate(&["other.example.com"]);
    server.signal("HUP");
    wait_for("the warning", || (warnings() == 1).then_some(()));
    drop(server);
    let _again = place.serve();
    assert_eq!(warnings(), 1, "{}", place.log());
}

#[test]
fn plain_http_is_redirected_to_https() {
    let (place, _) = with_own("");
    let server = place.serve();
    for (host, path) in [(NAME, "/faq?x=1"), ("192.0.2.1", "/"), ("evil.example", "//evil.example/")] {
        let answer = send_plain(
            &server.redirect_address,
            &format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"),
        );
        assert!(answer.starts_with("HTTP/1.1 308 "), "{answer}");
        assert!(answer.contains(&format!("location: https://{NAME}{path}\r\n")), "{answer}");
        assert!(
            answer.contains("x-content-type-options") && !answer.contains("strict-transport"),
            "{answer}"
        );
    }
}

/// Sends a request with curl, which supports HTTP/2 fully.
fn curl(server: &crate::support::Server, place: &Place, arguments: &[&str], path: &str) -> String {
    let port = server.address.rsplit(':').next().expect("a port");
    let output = Command::new("curl")
        .args(["--silent", "--show-error", "--max-time", "60", "--include"])
        .args(["--cacert", &place.path("own.pem").display().to_string()])
        .args(["--resolve", &format!("{NAME}:{port}:127.0.0.1")])
        .args(arguments)
        .arg(format!("https://{NAME}:{port}{path}"))
        .output()
        .expect("curl is needed for this test and is not installed: run tests/install");
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

#[test]
fn both_http_versions_work_and_writes_from_our_pages_work_over_http_2() {
    let (place, _) = with_own("");
    let server = place.serve();
    for (version, line) in [("--http2", "HTTP/2 200"), ("--http1.1", "HTTP/1.1 200 OK")] {
        let answer = curl(&server, &place, &[version], "/");
        assert!(answer.starts_with(line) && answer.contains("<h1"), "{answer}");
        for path in ["/", "/faq", "/healthz", "/readyz", "/robots.txt", "/api/openapi.json", "/nowhere"] {
            let head = curl(&server, &place, &[version, "--head"], path);
            let got = curl(&server, &place, &[version], path);
            assert!(!head.contains("curl:") && !head.contains("<h1"), "{path}: {head}");
            let length = |answer: &str| {
                answer.lines().find(|line| line.starts_with("content-length")).map(str::to_owned)
            };
            assert_eq!(head.lines().next(), got.lines().next(), "{path}");
            assert_eq!(length(&head), length(&got), "{path}: {head}");
        }
    }
    let json = ["--json", "{\"name\":\"Ada Sample\",\"email\":\"ada@example.com\"}"];
    let sent = curl(&server, &place, &json, "/api/waitlist-signups");
    assert!(sent.starts_with("HTTP/2 201"), "{sent}");
    // An HTTP/2 request has its host in `:authority`; the check of the origin must use it.
    let password = server.generated_password();
    let port = server.address.rsplit(':').next().expect("a port");
    let body = format!("{{\"password\":\"{password}\"}}");
    // Several refusals, because one that is sent before the body was read breaks the stream only sometimes.
    let refused = vec![("https://evil.example".to_owned(), "403"); 6];
    for (origin, expected) in [(format!("https://{NAME}:{port}"), "204")].into_iter().chain(refused) {
        let origin = format!("origin: {origin}");
        let signed = curl(&server, &place, &["--json", &body, "--header", &origin], "/api/admin/session");
        assert!(signed.starts_with(&format!("HTTP/2 {expected}")), "{origin}: {signed}");
        assert!(expected != "204" || signed.contains("; Secure"), "{signed}");
    }
}

/// Timeouts that are long enough for a client on a busy machine, but shorter than the defaults.
const SHORT: &str = "[limits]\nclient_timeout_seconds = 8\n";
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// GET / with the authority 'x', in literals and HPACK's static table, ending headers and stream.
const GET_HOME: &[u8] = b"\0\0\x06\x01\x05\0\0\0\x01\x82\x87\x84\x41\x01x";

#[test]
fn a_silent_client_times_out_at_every_stage() {
    let (place, _) = with_own(SHORT);
    let server = place.serve();
    // The default limits would take longer: 15 s for the handshake, 15 s for the first request, 30 s for others.
    let is_soon = |what: &str, started: Instant, usual: u64| {
        assert!(started.elapsed() < Duration::from_secs(usual), "{what}: {:?}", started.elapsed());
    };
    let ends = |what: &str, stream: &mut dyn Read, usual: u64| {
        let started = Instant::now();
        let _ = stream.read_to_end(&mut Vec::new());
        is_soon(what, started, usual);
    };
    // Before the handshake, within it, and after it with either protocol.
    for first in [&b""[..], &[0x16, 3, 1, 2, 0, 1][..], &b"GET / HTTP/1.1\r\n\r\n"[..]] {
        let mut stream = server.connect();
        stream.write_all(first).expect("sent");
        ends("a handshake", &mut stream, 15);
    }
    for protocol in ["h2", "http/1.1"] {
        ends(
            protocol,
            &mut connect(&server.address, NAME, &Trust::Anything, &[protocol]).expect("a handshake"),
            15,
        );
    }
    // A client that requests a page, allows no byte of it (RFC 9113, section 6.9.2), and keeps sending PINGs.
    let mut starved = connect(&server.address, NAME, &Trust::Anything, &["h2"]).expect("a handshake");
    starved.write_all(PREFACE).expect("sent");
    starved.write_all(b"\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\0").expect("sent");
    starved.write_all(GET_HOME).expect("sent");
    let started = Instant::now();
    starved.sock.set_read_timeout(Some(Duration::from_millis(300))).expect("a timeout");
    wait_for("the end of a starved connection", || match starved.read(&mut [0; 4096]) {
        Ok(length) => (length == 0).then_some(()),
        // Sends a PING when nothing has arrived for a while.
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
            starved.write_all(PING).err().map(drop)
        }
        Err(_) => Some(()),
    });
    is_soon("a starved connection", started, 30);
    // An HTTP/2 connection that sends its preface and one request, and then nothing more.
    let mut asked = connect(&server.address, NAME, &Trust::Anything, &["h2"]).expect("a handshake");
    asked.write_all(PREFACE).expect("sent");
    asked.write_all(b"\0\0\0\x04\0\0\0\0\0").expect("sent");
    asked.write_all(GET_HOME).expect("sent");
    let started = Instant::now();
    let mut got = Vec::new();
    let _ = asked.read_to_end(&mut got);
    assert!(got.len() > 1000, "the page came: {} bytes", got.len());
    is_soon("a connection that asked once", started, 30);
}

/// POST /api/waitlist-signups with JSON; the body follows on this stream.
const POST_SIGNUP: &[u8] =
    b"\0\0\x2e\x01\x04\0\0\0\x01\x83\x87\x41\x01x\x44\x15/api/waitlist-signups\x5f\x10application/json";
const PING: &[u8] = b"\0\0\x08\x06\0\0\0\0\x0012345678";

#[test]
fn a_connection_that_only_pings_or_sends_a_body_byte_by_byte_is_ended() {
    let (place, _) = with_own(SHORT);
    let server = place.serve();
    for (what, request, fed) in
        [("pings", &b""[..], &b""[..]), ("pings and a slow body", POST_SIGNUP, b"\0\0\x01\0\0\0\0\0\x01x")]
    {
        let mut stream = connect(&server.address, NAME, &Trust::Anything, &["h2"]).expect("a handshake");
        stream.write_all(&[PREFACE, b"\0\0\0\x04\0\0\0\0\0", request].concat()).expect("sent");
        stream.sock.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout");
        wait_for(&format!("the end of a connection with {what}"), || {
            // The answers to these PINGs are two kilobytes, more than a slow reader would read.
            if stream.write_all(&[&PING.repeat(120), fed].concat()).is_err() {
                return Some(());
            }
            match stream.read(&mut [0; 4096]) {
                Ok(length) => (length == 0).then_some(()),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => None,
                Err(_) => Some(()),
            }
        });
    }
}
