//! Ports for programs that cannot choose one themselves, and ports on which nobody listens. It is not enough to bind a
//! port and release it, because the system may then give it to another test.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::net::TcpSocket;

/// Below the range from which Linux assigns ports (from 32768 on, see `ip_local_port_range`).
const FIRST: u32 = 20_000;
const COUNT: u32 = 10_000;

/// A free port that neither the system nor another test will use.
pub fn free_port() -> u16 {
    static TAKEN: AtomicU32 = AtomicU32::new(0);
    // Two runs of the tests at the same time must not use the same ports.
    let start = std::process::id() % COUNT * 97;
    loop {
        let number = start + TAKEN.fetch_add(1, Ordering::Relaxed);
        let port = u16::try_from(FIRST + number % COUNT).expect("a port");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// A port that refuses connections: it stays bound while this exists, but nobody listens.
pub struct DeafPort(TcpSocket);

impl DeafPort {
    pub fn take() -> DeafPort {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(([127, 0, 0, 1], 0).into()).expect("a port");
        DeafPort(socket)
    }

    pub fn port(&self) -> u16 {
        self.0.local_addr().expect("an address").port()
    }
}
