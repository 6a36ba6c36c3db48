//! The limits of connections: for a network and in total, and for clients behind a proxy.

use std::io::{Read, Write};
use std::net::TcpStream;

use tokio::net::TcpSocket;

use crate::support::{Server, TIMEOUT, served, wait_for};

/// Timeouts that no test reaches.
const LONG_TIMEOUTS: &str = "[limits]\nwrites_per_minute = 0\nclient_timeout_seconds = 600\n";

/// A connection from an address of the loopback network, 127.0.0.0/8.
fn connect_from(source: &str, server: &Server) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let connected = runtime.block_on(async {
        let socket = TcpSocket::new_v4()?;
        socket.bind(format!("{source}:0").parse().expect("an address"))?;
        socket.connect(server.address.parse().expect("an address")).await?.into_std()
    });
    let stream = connected.expect("a connection");
    stream.set_nonblocking(false).expect("blocking");
    stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
    stream
}

/// Whether a request on this connection is answered; the connection stays open.
fn is_answered(stream: &mut TcpStream) -> bool {
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    if stream.write_all(b"HEAD / HTTP/1.1\r\nhost: x\r\n\r\n").is_err() {
        return false;
    }
    while !answer.ends_with(b"\r\n\r\n") {
        match stream.read(&mut part) {
            Ok(length @ 1..) => answer.extend_from_slice(&part[..length]),
            _ => return false,
        }
    }
    answer.starts_with(b"HTTP/1.1 200 ")
}

/// Connections from these addresses, in this order, that were answered once and have been idle since.
fn idle_from(sources: impl IntoIterator<Item = String>, server: &Server) -> Vec<TcpStream> {
    sources
        .into_iter()
        .map(|source| {
            let mut stream = connect_from(&source, server);
            assert!(is_answered(&mut stream), "{source}");
            stream
        })
        .collect()
}

/// Whether a new connection from there is closed without an answer.
fn is_refused(source: &str, server: &Server) -> bool {
    !is_answered(&mut connect_from(source, server))
}

#[test]
fn a_network_has_as_many_connections_as_are_free_and_nobody_loses_one() {
    let (_place, server) = served(&format!("{LONG_TIMEOUTS}connections = 20\n"));
    // One network, from one address or from many, gets half.
    let mut first = idle_from((1..=10).map(|host| format!("127.0.1.{}", host / 2)), &server);
    assert!(is_refused("127.0.1.1", &server) && is_refused("127.0.1.99", &server));
    // The next ones get half of what is left, and a network that has none always gets one.
    let mut second = idle_from((1..=5).map(|host| format!("127.0.2.{host}")), &server);
    assert!(is_refused("127.0.2.9", &server));
    let mut others = idle_from(["127.0.3.1", "127.0.4.1", "127.0.5.1"].map(str::to_owned), &server);
    for stream in first.iter_mut().chain(&mut second).chain(&mut others) {
        assert!(is_answered(stream), "all are still open");
    }
    drop(first);
    wait_for("the closed connections to be released", || (!is_refused("127.0.1.1", &server)).then_some(()));
}

#[test]
fn bodies_that_never_arrive_keep_no_other_network_out() {
    let (_place, server) = served(&format!("{LONG_TIMEOUTS}connections = 10\n"));
    let head = "POST /api/waitlist-signups HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 900\r\nexpect: 100-continue\r\n\r\n";
    let slow: Vec<TcpStream> = (1..=5)
        .map(|host| {
            let mut stream = connect_from(&format!("127.0.1.{host}"), &server);
            stream.write_all(head.as_bytes()).expect("sent");
            let mut answer = [0; 25];
            stream.read_exact(&mut answer).expect("the server waits for the body");
            stream.write_all(b"{").expect("sent");
            stream
        })
        .collect();
    assert!(is_refused("127.0.1.6", &server));
    assert!(is_answered(&mut connect_from("127.0.2.1", &server)));
    drop(slow);
}

#[test]
fn a_trusted_proxy_has_no_limit_of_its_own() {
    let (_place, server) =
        served(&format!("{LONG_TIMEOUTS}connections = 5\n[proxy]\ntrusted = ['127.0.0.9']\n"));
    let mut proxied = idle_from(["127.0.0.9"; 5].map(str::to_owned), &server);
    assert!(proxied.iter_mut().all(is_answered));
}

#[test]
fn a_malformed_hop_of_a_trusted_proxy_is_refused_and_what_the_client_wrote_is_ignored() {
    let (_place, server) = served("[proxy]\ntrusted = ['127.0.0.1']\n");
    let answer_to = |forwarded: &[u8]| {
        let head = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-forwarded-for: ";
        server.raw(&[&head[..], forwarded, b"\r\n\r\n"].concat())
    };
    let ignored = answer_to(b"\xff\xfe, nonsense, 198.51.100.7:4711");
    assert!(ignored.starts_with("HTTP/1.1 200 "), "{ignored}");
    let refused = answer_to(b"198.51.100.\xff");
    assert!(refused.starts_with("HTTP/1.1 400 "), "{refused}");
    assert!(refused.contains("application/problem+json") && refused.contains("X-Forwarded-For"), "{refused}");
}
