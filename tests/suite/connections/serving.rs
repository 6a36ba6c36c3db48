//! The serving loop: deadlines, limits and shutdown.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::support::{Place, Server, TIMEOUT, read_to_end, served, wait_for, waitlist};

const SHORT_DEADLINES: &str =
    "[limits]\nclient_timeout_seconds = 2\nconnections = 9\nwrites_per_minute = 0\n";

#[test]
fn a_silent_or_slow_client_is_disconnected() {
    let (_place, server) = served(SHORT_DEADLINES);
    for sent in ["", "GET / HTT", "GET / HTTP/1.1\r\nhost: x\r\nx-slow: "] {
        let started = Instant::now();
        let mut stream = server.connect();
        stream.write_all(sent.as_bytes()).expect("sent");
        assert!(!read_to_end(&mut stream).contains("200 OK"), "{sent}");
        // The default limits would take this long.
        assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    }
    // The head of the second request has the same timeout.
    let (started, mut stream) = (Instant::now(), server.connect());
    stream.write_all(b"HEAD / HTTP/1.1\r\nhost: x\r\n\r\nGET / HTT").expect("sent");
    let answered = read_to_end(&mut stream);
    assert!(answered.starts_with("HTTP/1.1 200 ") && answered.ends_with("\r\n\r\n"), "{answered}");
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    let body = "POST /api/waitlist-signups HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{\"name\"";
    let late = server.raw(body.as_bytes());
    assert!(late.starts_with("HTTP/1.1 408 ") && late.contains("\r\nconnection: close\r\n"), "{late}");
}

#[test]
fn a_slow_request_does_not_shorten_the_idle_timeout() {
    let (_place, server) = served("[limits]\nclient_timeout_seconds = 12\n");
    let body = waitlist("slow@example.com").to_string();
    let mut stream = server.connect();
    let connected = Instant::now();
    let length = body.len();
    let head = "POST /api/waitlist-signups HTTP/1.1\r\nhost: x\r\ncontent-type: application/json";
    let begun = format!("{head}\r\ncontent-length: {length}\r\n\r\n{}", &body[..9]);
    stream.write_all(begun.as_bytes()).expect("sent");
    // Close to the end of the time that a client has for its body.
    std::thread::sleep(Duration::from_secs(9).saturating_sub(connected.elapsed()));
    stream.write_all(&body.as_bytes()[9..]).expect("sent");
    let mut answer = [0; 4096];
    let read = stream.read(&mut answer).expect("an answer");
    assert!(answer[..read].starts_with(b"HTTP/1.1 201 "));
    stream.set_read_timeout(Some(Duration::from_secs(6))).expect("a timeout");
    let silence = stream.read(&mut answer).map_err(|error| error.kind());
    assert_eq!(silence, Err(std::io::ErrorKind::WouldBlock), "half of the time that it has");
}

#[test]
fn a_client_that_has_closed_its_sending_side_is_answered() {
    let (_place, server) = served("");
    for number in 0..10 {
        let body = waitlist(&format!("a{number}@example.com")).to_string();
        let head = "POST /api/waitlist-signups HTTP/1.1\r\nhost: x\r\ncontent-type: application/json";
        let mut stream = server.connect();
        let request = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).expect("sent");
        stream.shutdown(std::net::Shutdown::Write).expect("half closed");
        assert!(read_to_end(&mut stream).starts_with("HTTP/1.1 201 "), "{number}");
    }
}

#[test]
fn a_crowd_that_comes_at_once_waits_to_be_accepted() {
    let (_place, server) = served("");
    server.signal("STOP");
    let allowed = std::fs::read_to_string("/proc/sys/net/core/somaxconn").expect("Linux");
    let crowd = allowed.trim().parse::<usize>().expect("a number").min(500);
    // Nothing is accepted meanwhile. When the queue is full, the system retries a connection for minutes.
    let address = server.address.parse().expect("an address");
    let connect = || {
        std::net::TcpStream::connect_timeout(&address, Duration::from_secs(15)).expect("a queued connection")
    };
    let waiting: Vec<_> = (0..crowd).map(|_| connect()).collect();
    server.signal("CONT");
    // A later client is served after them.
    assert_eq!(server.get("/healthz", &[]).status, 200);
    drop(waiting);
}

#[test]
fn a_panic_in_a_handler_is_a_500_with_its_place_in_the_log_and_leaks_no_connection() {
    let place = Place::new("[limits]\nconnections = 8\n[metrics]\nlisten = '127.0.0.1:0'\n");
    let server = place.serve_in(&[], &[("SHOWCASE_TEST_PANIC_PATH", "/panics")]);
    for _ in 0..9 {
        let failed = server.get("/panics", &[]);
        assert_eq!(failed.status, 500);
        assert!(failed.text().contains("\"detail\"") && !failed.header("content-security-policy").is_empty());
        // The connection that asks is the only one.
        wait_for("the counters", || server.metrics().contains("\nshowcase_connections 1\n").then_some(()));
    }
    let log = place.log();
    assert!(log.contains("src/http/server/service.rs:") && log.contains("backtrace"), "{log}");
}

#[test]
fn a_client_that_never_reads_its_answer_is_disconnected() {
    let (_place, server) = served("[limits]\nclient_timeout_seconds = 1\n");
    let mut stream = server.connect();
    // More answers than all buffers can hold, none of which is read.
    let request = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(100);
    let started = Instant::now();
    stream.set_write_timeout(Some(TIMEOUT)).expect("a timeout");
    while stream.write_all(&request).is_ok() {
        assert!(started.elapsed() < Duration::from_secs(30), "the server still takes requests");
    }
    // The default limit would take this long.
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    assert_eq!(server.get("/healthz", &[]).status, 200);
}

/// The answer to these bytes. Retries if a reset overtakes it, which can happen while a large head is being sent.
fn answered(server: &Server, bytes: &str) -> String {
    wait_for("an answer", || Some(server.raw(bytes.as_bytes())).filter(|answer| !answer.is_empty()))
}

#[test]
fn refusals_of_a_host_or_framing_have_the_security_headers_too() {
    let (_place, server) = served("");
    let host = "host: x\r\n";
    let cases = [
        (400, "GET / HTTP/1.1\r\n\r\n".to_owned()),
        (400, format!("GET / HTTP/1.1\r\n{host}{host}\r\n")),
        (
            400,
            format!(
                "POST /api/waitlist-signups HTTP/1.1\r\n{host}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n"
            ),
        ),
    ];
    for (status, case) in cases {
        let start: String = case.chars().take(60).collect();
        let answer = answered(&server, &case);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{start}: {answer}");
        assert!(
            answer.contains("content-security-policy: ")
                && answer.contains("x-content-type-options: nosniff")
        );
        assert!(
            answer.contains("application/problem+json") && answer.contains("\"detail\""),
            "{start}: {answer}"
        );
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{answer}");
    }
}

#[test]
fn ambiguous_requests_are_refused() {
    let (place, server) = served("");
    let post = "POST /api/waitlist-signups HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let cases = [
        (400, format!("{post}content-length: 5\r\ncontent-length: 6\r\n\r\n{{}}   ")),
        (
            400,
            format!(
                "{post}transfer-encoding: chunked\r\ncontent-length: 6\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n"
            ),
        ),
        (400, format!("{post}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n")),
        (400, format!("{post}content-length: -1\r\n\r\n")),
        (431, format!("{post}x-big: {}\r\n\r\n", "x".repeat(100_000))),
        (431, format!("{post}{}\r\n", "x-many: 1\r\n".repeat(200))),
        (400, "GARBAGE\r\n\r\n".to_owned()),
        (400, "GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n".to_owned()),
        (414, format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "x".repeat(65_534))),
    ];
    for (status, case) in cases {
        let answer = answered(&server, &case);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{}: {answer}",
            &case[..case.len().min(200)]
        );
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "one answer: {answer}");
    }
    assert_eq!(place.sql::<i64>("select count(*) from waitlist_signups"), 0);
}

#[test]
fn a_chunked_body_is_accepted_and_limited_like_any_other() {
    let (_place, server) = served("");
    let head = "POST /api/waitlist-signups HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    let body = waitlist("a@example.com").to_string();
    let whole = format!("{head}{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    assert!(server.raw(whole.as_bytes()).starts_with("HTTP/1.1 201 "));
    let large = format!("{head}{:x}\r\n{}\r\n0\r\n\r\n", 70_000, "x".repeat(70_000));
    let refused = server.raw(large.replace("connection: close\r\n", "").as_bytes());
    assert!(
        refused.starts_with("HTTP/1.1 413 ") && refused.contains("\r\nconnection: close\r\n"),
        "{refused}"
    );
}

#[test]
fn a_request_that_is_refused_before_its_body_came_is_the_last_of_its_connection() {
    let (_place, server) = served("");
    for (request, status) in
        [("POST /nothing", 404), ("PUT /api/waitlist-signups", 405), ("POST /api/waitlist-signups", 415)]
    {
        let head = format!("{request} HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n");
        let reply = server.raw(head.as_bytes());
        let (head, _) = reply.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {head}");
        assert!(head.contains("\r\nconnection: close"), "{request}: {head}");
    }
}

#[test]
fn a_client_whose_body_comes_after_the_answer_gets_the_whole_answer() {
    let (_place, server) = served("");
    let length = server.get("/api/openapi.json", &[]).body.len();
    for _ in 0..10 {
        let mut stream = server.connect();
        stream
            .write_all(b"GET /api/openapi.json HTTP/1.1\r\nhost: x\r\ncontent-length: 40000\r\n\r\n")
            .expect("sent");
        let mut answer = vec![0; 1000];
        stream.read_exact(&mut answer).expect("the answer has begun");
        // More than the client has received of the answer is still with the server.
        stream.write_all(&[b'x'; 40_000]).expect("sent");
        stream.read_to_end(&mut answer).expect("the rest of the answer");
        let head = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        assert_eq!(answer.len() - head - 4, length);
    }
}

#[test]
fn a_stop_finishes_open_requests_and_accepts_no_new_ones() {
    let (place, mut server) = served("");
    let body = waitlist("a@example.com").to_string();
    let head = format!(
        "POST /api/waitlist-signups HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
        body.len()
    );
    let mut stream = open_request(&server, &head);
    stream.write_all(&body.as_bytes()[..10]).expect("sent");
    server.signal("TERM");
    wait_for("the listener to close", || std::net::TcpStream::connect(&server.address).err());
    stream.write_all(&body.as_bytes()[10..]).expect("sent");
    assert!(read_to_end(&mut stream).starts_with("HTTP/1.1 201 "));
    assert!(server.wait_for_exit().success());
    assert_eq!(place.sql::<i64>("select count(*) from waitlist_signups"), 1);
}

#[test]
fn a_stop_has_a_deadline_and_a_second_signal_ends_at_once() {
    let hanging = "POST /api/waitlist-signups HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n";
    // Ten minutes, so that the second signal is always in time.
    for (signals, grace) in [(1, 1), (2, 600)] {
        let place =
            Place::new(&format!("[limits]\nshutdown_seconds = {grace}\nclient_timeout_seconds = 600\n"));
        let mut server = place.serve();
        let mut stream = open_request(&server, hanging);
        server.signal("INT");
        if signals == 2 {
            wait_for("the listener to close", || std::net::TcpStream::connect(&server.address).err());
            server.signal("INT");
            assert_eq!(server.wait_for_exit().code(), Some(130));
        } else {
            assert!(server.wait_for_exit().success());
        }
        let _ = stream.read(&mut [0]);
    }
}

/// Sends a request's head and waits until the server asks for its body.
fn open_request(server: &Server, head: &str) -> std::net::TcpStream {
    let mut stream = server.connect();
    stream.write_all(head.as_bytes()).expect("sent");
    let mut answer = [0; 25];
    stream.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

#[test]
fn requests_are_logged_with_their_id_and_without_personal_data() {
    let (place, mut server) = served("");
    let reply = server.post("/api/waitlist-signups", &waitlist("secret.person@example.com"));
    server.get("/unsubscribe/secret.person@example.com", &[]);
    let id = reply.header("x-request-id").to_owned();
    server.stop();
    let log = place.log();
    assert!(log.contains(&id) && log.contains("status=201"), "{log}");
    assert!(!log.contains("secret.person"), "{log}");
}
