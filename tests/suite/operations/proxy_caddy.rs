//! docs/proxy/Caddyfile with a real Caddy: HTTPS and client addresses.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::authority::send_plain;
use crate::support::ports::free_port;
use crate::support::{Place, Server, served, text, wait_for, waitlist};

/// Caddy with our example configuration in front of a server; stopped when dropped.
struct Caddy {
    process: Child,
    https: u16,
    http: u16,
}

impl Drop for Caddy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Our example with this machine's ports, and a self-signed certificate.
fn caddy(place: &Place, server: &Server, https: u16) -> Caddy {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/proxy/Caddyfile");
    let http = free_port();
    let name = format!("https://127.0.0.1:{https}");
    let site = std::fs::read_to_string(example)
        .expect("the example")
        .replace("showcase.example.com {", &format!("{name} {{\n\ttls internal"))
        .replace("127.0.0.1:8080", &server.address);
    assert!(site.contains(&name) && site.contains(&server.address), "{site}");
    let ours = format!(
        "{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {http}\n\thttps_port {https}\n}}\n{site}"
    );
    std::fs::write(place.path("Caddyfile"), ours).expect("a file");
    let log = std::fs::File::create(place.path("caddy.log")).expect("a log");
    let started = Command::new("caddy")
        .args(["run", "--adapter", "caddyfile", "--config"])
        .arg(place.path("Caddyfile"))
        .env("XDG_DATA_HOME", place.path("caddy"))
        .env("XDG_CONFIG_HOME", place.path("caddy"))
        .stdout(Stdio::null())
        .stderr(log)
        .spawn();
    let process = started.expect("caddy is needed for this test and is not installed: run tests/install");
    let caddy = Caddy { process, https, http };
    wait_for("Caddy to answer", || {
        let plain = std::net::TcpStream::connect(("127.0.0.1", http));
        let secure = caddy.get("127.0.0.1", &[], "/healthz");
        (plain.is_ok() && secure.starts_with("HTTP/2 200")).then_some(())
    });
    caddy
}

impl Caddy {
    /// The response, with its head, that curl gets from this client address.
    fn get(&self, from: &str, arguments: &[&str], path: &str) -> String {
        let output = Command::new("curl")
            .args(["--silent", "--insecure", "--include", "--max-time", "60", "--interface", from])
            .args(arguments)
            .arg(format!("https://127.0.0.1:{}{path}", self.https))
            .output()
            .expect("curl is needed for this test and is not installed: run tests/install");
        text(&output.stdout)
    }
}

#[test]
fn the_example_forwards_the_client_address_and_doctor_confirms_it() {
    let https = free_port();
    let (place, server) = served(&format!(
        "public_url = 'https://127.0.0.1:{https}'\n[proxy]\ntrusted = ['127.0.0.1']\n[limits]\nwrites_per_minute = 3\n"
    ));
    let caddy = caddy(&place, &server, https);
    let home = caddy.get("127.0.0.1", &[], "/");
    assert!(home.starts_with("HTTP/2 200") && home.contains("strict-transport-security"), "{home}");
    let redirected = send_plain(
        &format!("127.0.0.1:{}", caddy.http),
        "GET /faq HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n",
    );
    assert!(
        redirected.starts_with("HTTP/1.1 308") && redirected.contains("Location: https://127.0.0.1"),
        "{redirected}"
    );
    // Each visitor has its own limit and cannot forge an address.
    let write = |from: &str, number: u8| {
        let body = waitlist(&format!("p{number}@example.com")).to_string();
        let forwarded = format!("x-forwarded-for: 198.51.100.{number}");
        let answer = caddy.get(
            from,
            &["--header", &forwarded, "--header", "content-type: application/json", "--data", &body],
            "/api/waitlist-signups",
        );
        answer.get(7..10).unwrap_or_default().to_owned()
    };
    let statuses: Vec<String> = (0..4).map(|number| write("127.0.0.2", number)).collect();
    assert_eq!(statuses, ["201", "201", "201", "429"]);
    assert_eq!(write("127.0.0.5", 5), "201");
    let said = text(&place.run(&["doctor"]).stdout);
    assert!(!said.contains("PROBLEM  proxy"), "{said}");
}
