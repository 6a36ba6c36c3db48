//! The limits of connections: per address, per network and in total, and for clients behind a proxy.

use std::io::{Read, Write};
use std::net::TcpStream;

use tokio::net::TcpSocket;

use crate::support::{Place, Server, TIMEOUT, wait_for};

/// Timeouts that no test reaches.
const UNHURRIED: &str = "[limits]\nwrites_per_minute = 0\nfirst_request_seconds = 600\nheader_seconds = 600\nbody_seconds = 600\nwrite_seconds = 600\n";

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

#[test]
fn at_the_total_limit_the_longest_idle_connection_is_closed() {
    let place = Place::new(&format!("{UNHURRIED}connections = 20\n"));
    let server = place.serve();
    let mut idle = idle_from((1..=20).map(|host| format!("127.0.1.{host}")), &server);
    // The first connection is no longer the one that has been silent the longest.
    assert!(is_answered(&mut idle[0]));
    let mut honest = connect_from("127.0.2.1", &server);
    assert!(is_answered(&mut honest), "somebody from elsewhere is answered at once");
    assert_eq!(idle[1].read(&mut [0]).expect("an end"), 0, "the longest idle one");
    let mut again = idle_from(["127.0.1.2".to_owned()], &server);
    assert_eq!(idle[2].read(&mut [0]).expect("an end"), 0, "the next one");
    assert!(is_answered(&mut honest) && is_answered(&mut again[0]));
    for place in (0..20).filter(|place| ![1, 2].contains(place)) {
        assert!(is_answered(&mut idle[place]), "{place}");
    }
}

#[test]
fn bodies_that_never_arrive_occupy_no_connection() {
    let place = Place::new(&format!("{UNHURRIED}connections = 10\n"));
    let server = place.serve();
    let head = "POST /api/waitlist-signups HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 900\r\nexpect: 100-continue\r\n\r\n";
    let slow: Vec<TcpStream> = (1..=10)
        .map(|host| {
            let mut stream = connect_from(&format!("127.0.1.{host}"), &server);
            stream.write_all(head.as_bytes()).expect("sent");
            let mut answer = [0; 25];
            stream.read_exact(&mut answer).expect("the server waits for the body");
            stream.write_all(b"{").expect("sent");
            stream
        })
        .collect();
    let mut honest = connect_from("127.0.2.1", &server);
    assert!(is_answered(&mut honest));
    drop(slow);
}

#[test]
fn at_the_limit_of_an_address_or_a_network_its_own_longest_idle_connection_is_closed() {
    for (setting, sources) in [
        ("connections_per_address", ["127.0.1.1", "127.0.1.1", "127.0.1.1", "127.0.1.1"]),
        ("connections_per_network", ["127.0.1.1", "127.0.1.2", "127.0.1.3", "127.0.1.4"]),
    ] {
        let place = Place::new(&format!("{UNHURRIED}{setting} = 3\n"));
        let server = place.serve();
        let mut others = idle_from(["127.0.2.1".to_owned()], &server);
        let mut own = idle_from(sources.map(str::to_owned), &server);
        assert_eq!(own[0].read(&mut [0]).expect("an end"), 0, "{setting}");
        for stream in own[1..].iter_mut().chain(&mut others) {
            assert!(is_answered(stream), "{setting}");
        }
    }
}

#[test]
fn a_trusted_proxy_has_no_limit_of_its_own() {
    let limits = "connections_per_address = 1\nconnections_per_network = 1\n";
    let place = Place::new(&format!("{UNHURRIED}{limits}[proxy]\ntrusted = ['127.0.0.9']\n"));
    let server = place.serve();
    let mut proxied = idle_from(["127.0.0.9"; 5].map(str::to_owned), &server);
    assert!(proxied.iter_mut().all(is_answered));
}

#[test]
fn a_forged_address_from_a_trusted_proxy_is_refused_and_from_a_stranger_ignored() {
    let place = Place::new("[proxy]\ntrusted = ['127.0.0.1']\n");
    let server = place.serve();
    let asked = |forwarded: &[u8]| {
        let head = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-forwarded-for: ";
        let answer = server.raw(&[&head[..], forwarded, b"\r\n\r\n"].concat());
        answer.get(9..12).unwrap_or_default().to_owned()
    };
    for (forwarded, status) in [
        (&b"198.51.100.7"[..], "200"),
        (b"\xff\xfe, nonsense, 198.51.100.7:4711", "200"),
        (b"198.51.100.7, nonsense", "400"),
        (b"198.51.100.\xff", "400"),
    ] {
        assert_eq!(asked(forwarded), status, "{}", String::from_utf8_lossy(forwarded));
    }
    let refused =
        server.raw(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-forwarded-for: x\r\n\r\n");
    assert!(refused.contains("application/problem+json") && refused.contains("X-Forwarded-For"), "{refused}");
}

#[test]
fn without_a_free_file_descriptor_the_longest_idle_connection_is_closed() {
    let place = Place::new(UNHURRIED);
    let server = place.serve();
    let open = std::fs::read_dir(format!("/proc/{}/fd", server.id())).expect("a process").count();
    crate::support::limit(&server, "nofile", &(open + 10).to_string());
    let held: Vec<TcpStream> = (0..30).map(|_| connect_from("127.0.1.1", &server)).collect();
    wait_for("the warning", || place.log().contains("could not be accepted").then_some(()));
    let mut honest = connect_from("127.0.2.1", &server);
    assert!(is_answered(&mut honest));
    drop(held);
}
