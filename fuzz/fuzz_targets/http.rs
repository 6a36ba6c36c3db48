//! Arbitrary bytes on a connection of the whole server: request line, headers, cookies, host, forwarded addresses, JSON,
//! upload offsets. Whatever comes, nothing panics, no answer is a 500, and what is answered is HTTP.

#![no_main]

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use showcase::app::App;
use showcase::config::Config;
use showcase::http::{Listener, serve};
use showcase::site::content::Content;
use showcase::site::publish;
use showcase::store::{Store, migrate};
use tokio::net::TcpListener;
use tokio::sync::watch;

static SERVER: LazyLock<SocketAddr> = LazyLock::new(start);

/// A server with an empty database and without rate limits.
fn start() -> SocketAddr {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let mut config = Config::default();
    config.database = folder.join("showcase.db");
    let limits = &mut config.limits;
    (limits.writes_per_minute, limits.sign_ins_per_minute, limits.megabytes_per_day) = (0, 0, 0);
    limits.client_timeout_seconds = 1;
    migrate::migrate(&config.database).expect("a new database");
    let store = Store::open(&config.database).expect("the database");
    let content = Content::parse(Content::default_toml()).expect("the default content");
    let app = Arc::new(App::new(config, store, content, true).expect("the application"));
    publish::publish(&app, publish::Scope::All).expect("the pages");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads");
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
    let address = listener.local_addr().expect("its address");
    let (stop, stopped) = watch::channel(false);
    runtime.spawn(serve(vec![Listener::Http(listener)], app, stopped));
    // Both live as long as the process.
    std::mem::forget((runtime, stop));
    address
}

fuzz_target!(|bytes: &[u8]| {
    let mut connection = TcpStream::connect(*SERVER).expect("a connection");
    connection.set_read_timeout(Some(Duration::from_secs(20))).expect("a deadline");
    if connection.write_all(bytes).and_then(|()| connection.shutdown(Shutdown::Write)).is_err() {
        return;
    }
    let mut answer = Vec::new();
    // The server may end the connection while there is something left to read.
    let _ = connection.read_to_end(&mut answer);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1."), "{}", String::from_utf8_lossy(&answer));
    assert!(!answer.starts_with(b"HTTP/1.1 500"), "{}", String::from_utf8_lossy(&answer));
});
