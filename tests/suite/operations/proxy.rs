//! docs/proxy/nginx.conf with a real nginx: HTTPS, client addresses, and a cache.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use crate::support::authority::send_plain;
use crate::support::ports::free_port;
use crate::support::tls_client::{Trust, connect, get};
use crate::support::{Place, Server, text, wait_for, waitlist};

const NAME: &str = "127.0.0.1";

/// nginx with our example configuration in front of a server; stopped when dropped.
struct Proxy {
    process: Child,
    address: String,
    plain: String,
}

impl Drop for Proxy {
    /// Stops it with a signal, so that it stops its workers too.
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.process.id().to_string()).status();
        let _ = self.process.wait();
    }
}

/// Our example with this machine's ports and files, as if the proxy were on another machine.
fn nginx(place: &Place, server: &Server, https: u16) -> Proxy {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/proxy/nginx.conf");
    let http = free_port();
    let folder = place.folder.path().display().to_string();
    let site = std::fs::read_to_string(example)
        .expect("the example")
        .replace("listen 80;", &format!("listen 127.0.0.1:{http};"))
        .replace("listen 443 ", &format!("listen 127.0.0.1:{https} "))
        .replace("/var/lib/nginx/showcase", &format!("{folder}/cache"))
        .replace("/etc/ssl/showcase/fullchain.pem", &format!("{folder}/own.pem"))
        .replace("/etc/ssl/showcase/private.key", &format!("{folder}/own.key"))
        .replace("http://127.0.0.1:8080", &format!("http://{}", server.address))
        .replace("server_name showcase.example.com;", "server_name _;")
        .replace("proxy_http_version 1.1;", "proxy_http_version 1.1; proxy_bind 127.0.0.3;");
    std::fs::write(place.path("site.conf"), site).expect("a file");
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {folder}/{name};"))
        .join(" ");
    let whole = format!(
        "daemon off; user root; pid {folder}/nginx.pid; error_log {folder}/nginx.log; events {{ worker_connections 1000; }}\n\
         http {{ access_log off; {temporary} include {folder}/site.conf; }}\n"
    );
    let whole = if rustix::process::geteuid().is_root() { whole } else { whole.replace("user root;", "") };
    std::fs::write(place.path("nginx.conf"), whole).expect("a file");
    let started = Command::new("/usr/sbin/nginx")
        .args(["-e", &format!("{folder}/nginx.log"), "-c", &format!("{folder}/nginx.conf")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let process = started.expect("nginx is needed for this test and is not installed: run tests/install");
    let proxy = Proxy { process, address: format!("127.0.0.1:{https}"), plain: format!("127.0.0.1:{http}") };
    wait_for("nginx to answer", || get(&proxy.address, NAME, &Trust::Anything, "/healthz").ok());
    proxy
}

/// An installation behind a proxy on this port, which it trusts.
fn behind(https: u16) -> Place {
    let place = Place::new(&format!(
        "public_url = 'https://127.0.0.1:{https}'\n[proxy]\ntrusted = ['127.0.0.3']\n[metrics]\nlisten = '127.0.0.1:0'\n\
         [tls]\nca_file = 'own.pem'\ndirectory_url = 'https://127.0.0.1:1/dir'\n[limits]\nwrites_per_minute = 3\n"
    ));
    place.write_certificate(&[NAME]);
    place
}

#[test]
fn the_example_forwards_the_client_address_and_doctor_tells_whether_a_proxy_does() {
    let https = free_port();
    let place = behind(https);
    let server = place.serve();
    let proxy = nginx(&place, &server, https);
    let home = get(&proxy.address, NAME, &Trust::Anything, "/").expect("answered");
    assert!(home.starts_with("HTTP/1.1 200") && home.contains("strict-transport-security"), "{home}");
    let redirected =
        send_plain(&proxy.plain, "GET /faq HTTP/1.1\r\nhost: a.example.com\r\nconnection: close\r\n\r\n");
    assert!(redirected.contains("Location: https://a.example.com/faq"), "{redirected}");
    // A visitor cannot forge an address: the fourth write exceeds the limit in any case.
    let body = waitlist("a@example.com").to_string();
    let statuses: Vec<String> = (0..4)
        .map(|number| {
            let mut stream = connect(&proxy.address, NAME, &Trust::Anything, &["http/1.1"]).expect("a connection");
            use std::io::{Read, Write};
            write!(
                stream,
                "POST /api/waitlist-signups HTTP/1.1\r\nhost: {NAME}:{https}\r\ncontent-type: application/json\r\nx-forwarded-for: 198.51.100.{number}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            )
            .expect("sent");
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
            String::from_utf8_lossy(&answer).get(9..12).unwrap_or_default().to_owned()
        })
        .collect();
    assert_eq!(statuses[3], "429", "{statuses:?}");
    let said = text(&place.run(&["doctor"]).stdout);
    assert!(said.contains("the server sees this machine as 127.0.0.1"), "{said}");
    let example = "proxy_set_header X-Forwarded-For $remote_addr;";
    let site = std::fs::read_to_string(place.path("site.conf")).expect("the example");
    assert!(site.contains(example));
    std::fs::write(place.path("site.conf"), site.replace(example, "")).expect("a file");
    let pid = std::fs::read_to_string(place.path("nginx.pid")).expect("a pid");
    assert!(Command::new("kill").args(["-HUP", pid.trim()]).status().expect("kill runs").success());
    wait_for("the doctor to find it", || {
        let said = text(&place.run(&["doctor"]).stdout);
        (said.contains("PROBLEM  proxy") && said.contains("sees every visitor as 127.0.0.3")).then_some(())
    });
}

#[test]
fn doctor_names_a_proxy_at_an_untrusted_address() {
    let https = free_port();
    let place = behind(https);
    let config = std::fs::read_to_string(place.path("config.toml")).expect("a file");
    std::fs::write(place.path("config.toml"), config.replace("'127.0.0.3'", "'127.0.0.9'")).expect("a file");
    let server = place.serve();
    let _proxy = nginx(&place, &server, https);
    let said = text(&place.run(&["doctor"]).stdout);
    assert!(said.contains("PROBLEM  proxy"), "{said}");
    assert!(said.contains("through a proxy at 127.0.0.3 that is not in proxy.trusted"), "{said}");
}

#[test]
fn the_cache_answers_a_crowd_with_few_requests_to_the_origin() {
    let https = free_port();
    let place = behind(https);
    let server = place.serve();
    let proxy = nginx(&place, &server, https);
    let home = get(&proxy.address, NAME, &Trust::Anything, "/").expect("answered");
    let asset =
        home.split("src=\"/").nth(1).and_then(|rest| rest.split('"').next()).map(|path| format!("/{path}"));
    let asset = asset.expect("a script");
    get(&proxy.address, NAME, &Trust::Anything, &asset).expect("answered");
    let before = origin(&server, "page");
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    for path in ["/", &asset] {
                        let answer = get(&proxy.address, NAME, &Trust::Anything, path).expect("answered");
                        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
                    }
                }
            });
        }
    });
    let seen = origin(&server, "page") - before;
    // Pages are revalidated every five seconds, by a few requests at once; assets never.
    let most = 12 * (1 + started.elapsed().as_secs() / 5);
    assert!(seen <= most, "the origin saw {seen} of 800 requests, and {most} at most are right");
    let hit = get(&proxy.address, NAME, &Trust::Anything, &asset).expect("answered");
    assert!(hit.contains("X-Cache: HIT"), "{hit}");
    let api = |path: &str| get(&proxy.address, NAME, &Trust::Anything, path).expect("answered");
    let (first, second) = (origin(&server, "api"), api("/api/admin/session"));
    api("/api/admin/session");
    assert!(second.starts_with("HTTP/1.1 200") && origin(&server, "api") == first + 2, "never from a cache");
}

/// How many requests of a class the server itself has answered.
fn origin(server: &Server, class: &str) -> u64 {
    let metrics = server.metrics();
    let line = format!("showcase_request_seconds_count{{class=\"{class}\"}} ");
    let found = metrics.lines().find_map(|found| found.strip_prefix(&line)).expect("a count");
    found.trim().parse().expect("a number")
}
