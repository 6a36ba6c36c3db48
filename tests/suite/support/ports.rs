//! Ports for programs that cannot choose their own, and ports at which nobody listens. A port that was bound and
//! let go again is anybody's: the system soon hands it to another test that runs beside.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::net::TcpSocket;

/// Linux hands out ports from 32768 on to whoever asks for any (`ip_local_port_range`); these are below.
const FIRST: u32 = 20_000;
const COUNT: u32 = 10_000;

/// A free port that nobody gets who asks for any one, and no other test.
pub fn free_port() -> u16 {
    static TAKEN: AtomicU32 = AtomicU32::new(0);
    // Each run of tests begins elsewhere: two may run side by side.
    let begin = std::process::id() % COUNT * 97;
    loop {
        let number = begin + TAKEN.fetch_add(1, Ordering::Relaxed);
        let port = u16::try_from(FIRST + number % COUNT).expect("a port");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// A port that refuses connections: it is taken, and nobody listens, for as long as this is held.
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
