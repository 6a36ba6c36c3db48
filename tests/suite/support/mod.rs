//! Starts the real binary on a free port with its own database, and kills it afterwards.

pub mod authority;
pub mod clock;
pub mod content;
pub mod mail_server;
pub mod paid_site;
pub mod ports;
pub mod samples;
pub mod small_disk;
pub mod smtp;
pub mod stripe;
pub mod tls_client;
pub mod unprivileged;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use authority::send_plain;
use rusqlite::ToSql;
use serde_json::{Value, json};
use showcase::mail::Body;
use showcase::time::OFFSET_VARIABLE;
use tempfile::TempDir;

/// The organiser's password in [`ADMIN`].
pub const PASSWORD: &str = "a-password-of-the-test";
/// The settings for tests that sign in.
pub const ADMIN: &str = "[admin]\npassword = 'a-password-of-the-test'\n";

pub const BINARY: &str = env!("CARGO_BIN_EXE_showcase");

/// How long tests wait before they fail. It is long enough for a slow and busy machine.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// A server process; killed when dropped.
pub struct Server {
    pub address: String,
    /// The address that redirects plain HTTP to HTTPS; empty if there is none.
    pub redirect_address: String,
    /// What the process printed before it was ready.
    pub greeting: String,
    process: Child,
}

/// A temporary installation: a folder with a configuration and a database. Its processes use the clock of the tests.
pub struct Place {
    pub folder: TempDir,
    uses_machine_clock: bool,
    recompresses: bool,
}

impl Place {
    /// An installation whose `config.toml` has these lines. Unless they have `[limits]`, rate limits are off.
    pub fn new(config: &str) -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let without_limits = if config.contains("[limits]") {
            ""
        } else {
            "\n[limits]\nwrites_per_minute = 0\nmegabytes_per_day = 0\nconfirmations_per_day = 0\n"
        };
        std::fs::write(folder.path().join("config.toml"), format!("{config}{without_limits}"))
            .expect("a file");
        Place { folder, uses_machine_clock: false, recompresses: false }
    }

    /// As [`Place::new`], with servers that compress their pages more strongly after a while, as they do for visitors.
    pub fn with_recompression(config: &str) -> Place {
        Place { recompresses: true, ..Place::new(config) }
    }

    /// As [`Place::new`], but with the machine's clock, for tests whose time is compared with another program's.
    pub fn with_machine_clock(config: &str) -> Place {
        Place { uses_machine_clock: true, ..Place::new(config) }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn database(&self) -> PathBuf {
        self.path("showcase.db")
    }

    /// Asserts that no secret stands in the database's file, its log or a backup: neither as it is nor, if it is written in
    /// hexadecimal, as bytes. `control` must stand there, so that this cannot look at the wrong files.
    pub fn assert_not_stored(&self, control: &str, secrets: &[&str]) {
        let stored: Vec<(PathBuf, Vec<u8>)> = std::fs::read_dir(self.folder.path())
            .expect("the folder")
            .chain(std::fs::read_dir(self.path("backups")).into_iter().flatten())
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.to_string_lossy().contains(".db"))
            .map(|path| {
                let mut bytes = std::fs::read(&path).expect("a file");
                if path.extension().is_some_and(|ending| ending == "gz") {
                    let packed = std::mem::take(&mut bytes);
                    flate2::read::GzDecoder::new(&*packed).read_to_end(&mut bytes).expect("a backup");
                }
                (path, bytes)
            })
            .collect();
        assert!(stored.iter().any(|(_, bytes)| contains(bytes, control)), "{control} is nowhere");
        for secret in secrets {
            let digits: Option<Vec<u8>> = (0..secret.len() / 2)
                .map(|n| u8::from_str_radix(secret.get(2 * n..2 * n + 2)?, 16).ok())
                .collect();
            let forms = [Some(secret.as_bytes().to_vec()), digits.filter(|bytes| bytes.len() > 8)];
            for (path, bytes) in &stored {
                let found = forms.iter().flatten().any(|form| contains(bytes, form));
                assert!(!found, "{secret} is in {}", path.display());
            }
        }
    }

    /// A command in this folder, without the `SHOWCASE_` variables of the environment.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.command_of(Path::new(BINARY), arguments)
    }

    /// As [`Place::command`], with another path of the program.
    pub fn command_of(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        // A demo that is killed leaves its folder behind: here it goes with this one.
        command.args(arguments).current_dir(self.folder.path()).env("TMPDIR", self.folder.path());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SHOWCASE_")) {
            command.env_remove(name);
        }
        if !self.uses_machine_clock {
            command.env(OFFSET_VARIABLE, clock::offset().num_seconds().to_string());
        }
        if !self.recompresses {
            command.env("SHOWCASE_TEST_NO_COMPRESSOR", "1");
        }
        command.stdin(Stdio::null());
        command
    }

    /// Writes a self-signed certificate for these names and its key, as `own.pem` and `own.key`, and returns the certificate.
    pub fn write_certificate(&self, names: &[&str]) -> String {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
        std::fs::write(self.path("own.pem"), made.cert.pem()).expect("a file");
        std::fs::write(self.path("own.key"), made.key_pair.serialize_pem()).expect("a file");
        made.cert.pem()
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        without_clock_warning(self.command(arguments).output().expect("the binary runs"))
    }

    /// The standard output of a command that succeeds.
    #[track_caller]
    pub fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// The standard error of a command that fails with exit code 1.
    #[track_caller]
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stderr)
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
        without_clock_warning(child.wait_with_output().expect("it ends"))
    }

    pub fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    pub fn serve_with(&self, more: &[&str]) -> Server {
        self.serve_in(more, &[])
    }

    /// A server with these variables in its environment.
    pub fn serve_in(&self, more: &[&str], variables: &[(&str, &str)]) -> Server {
        let mut arguments = vec!["serve", "--listen", "127.0.0.1:0"];
        arguments.extend(more);
        let mut process = self
            .command(&arguments)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(self.path("server.log")).expect("a log"))
            .spawn()
            .expect("the binary runs");
        let lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        // Created now, so that the process is killed if anything below fails.
        let mut server = Server {
            address: String::new(),
            redirect_address: String::new(),
            greeting: String::new(),
            process,
        };
        for line in lines {
            let line = line.expect("text");
            server.greeting.push_str(&format!("{line}\n"));
            if let Some(address) = line.strip_prefix("Plain HTTP on ") {
                address.split(' ').next().unwrap_or_default().clone_into(&mut server.redirect_address);
            }
            let secure = line.split_once("(HTTPS on ").map(|(_, address)| address.trim_end_matches(')'));
            if let Some(address) = secure.or_else(|| line.strip_prefix("Showcase is at http://")) {
                address.trim_end_matches('/').clone_into(&mut server.address);
                return server;
            }
        }
        panic!("the server ended: {} {}", server.greeting, self.log());
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.path("server.log")).unwrap_or_default()
    }

    pub fn sql<T: rusqlite::types::FromSql>(&self, sql: &str) -> T {
        open(&self.database()).query_row(sql, [], |row| row.get(0)).expect(sql)
    }

    /// Executes SQL statements beside the server.
    #[track_caller]
    pub fn execute(&self, sql: &str) {
        open(&self.database()).execute_batch(sql).expect(sql);
    }

    /// As [`Place::execute`], for one statement with parameters.
    #[track_caller]
    pub fn execute_with(&self, sql: &str, parameters: impl rusqlite::Params) {
        open(&self.database()).execute(sql, parameters).expect(sql);
    }

    /// Stores a paid entry that has had no payment, with these values of its columns, and returns its id.
    pub fn insert_entry(&self, values: &[(&str, &dyn ToSql)]) -> i64 {
        let defaults: [(&str, &dyn ToSql); 14] = [
            ("created_at", &"2026-01-01T00:00:00.000Z"),
            ("name", &"Ada Sample"),
            ("email", &"ada@example.com"),
            ("phone", &"+1 201-555-0101"),
            ("business_name", &"Sample Studio"),
            ("location", &"Jersey City, NJ"),
            ("tax_location", &"new-york"),
            ("primary_category", &"lash-extensions"),
            ("sub_category", &"Volume"),
            ("additional_categories", &0),
            ("agreement_terms", &1),
            ("agreement_media", &1),
            ("payment_amount_cents", &48_492),
            ("payment_status", &"paid"),
        ];
        let mut row = BTreeMap::from(defaults);
        row.extend(values.iter().copied());
        let names = row.keys().copied().collect::<Vec<_>>().join(", ");
        let sql =
            format!("insert into competition_entries ({names}) values ({})", vec!["?"; row.len()].join(", "));
        let connection = open(&self.database());
        connection.execute(&sql, rusqlite::params_from_iter(row.values())).expect(&sql);
        connection.last_insert_rowid()
    }

    /// Waits until a query gives this number.
    #[track_caller]
    pub fn wait_for_sql(&self, what: &str, sql: &str, expected: i64) {
        wait_for(what, || (self.sql::<i64>(sql) == expected).then_some(()));
    }

    /// The body of the first email that meets an SQL condition.
    pub fn mail(&self, condition: &str) -> Body {
        let sql = format!(
            "select case when written is null then template else 'written' end, coalesce(written, words) from outbox where {condition}"
        );
        let body = |row: &rusqlite::Row<'_>| Ok(Body { template: row.get(0)?, values: row.get(1)? });
        open(&self.database()).query_row(&sql, [], body).expect(&sql)
    }

    pub fn mail_text(&self, condition: &str) -> String {
        self.mail(condition).text().expect("a text")
    }

    /// The first link that begins so, a path such as `/receipt/`, in the email of [`Place::mail_text`].
    pub fn link_in(&self, start: &str, condition: &str) -> String {
        let text = self.mail_text(condition);
        let at = text.find(start).unwrap_or_else(|| panic!("{start} in {text}"));
        text[at..].split_whitespace().next().expect("a link").trim_end_matches('.').to_owned()
    }

    pub fn mail_html(&self, condition: &str) -> String {
        self.mail(condition).html().expect("HTML")
    }
}

/// A server of a new installation with this configuration.
pub fn served(config: &str) -> (Place, Server) {
    let place = Place::new(config);
    let server = place.serve();
    (place, server)
}

/// As [`served`], with the cookie of a signed-in organiser. The configuration must begin with [`ADMIN`].
pub fn signed_in(config: &str) -> (Place, Server, String) {
    let (place, server) = served(config);
    let session = server.sign_in();
    (place, server, session)
}

/// A server with a signed-in organiser.
pub struct AdminSite {
    pub server: Server,
    pub place: Place,
    pub cookie: String,
}

impl AdminSite {
    /// As [`signed_in`].
    pub fn new(config: &str) -> AdminSite {
        AdminSite::of(Place::new(config))
    }

    pub fn of(place: Place) -> AdminSite {
        let server = place.serve();
        let cookie = server.sign_in();
        AdminSite { server, place, cookie }
    }

    pub fn get(&self, path: &str) -> Reply {
        self.call("GET", path, &Value::Null)
    }

    pub fn call(&self, method: &str, path: &str, body: &Value) -> Reply {
        self.server.call(&self.cookie, method, path, body)
    }

    pub fn call_if(&self, tag: &str, method: &str, path: &str, body: &Value) -> Reply {
        self.server.call_if(&self.cookie, tag, method, path, body)
    }
}

/// A new installation with an empty database, whose server does not run.
pub fn migrated(config: &str) -> Place {
    let place = Place::new(config);
    place.done(&["migrate"]);
    place
}

/// What a command says to its user, without the warning that a test has set the clock.
pub fn without_clock_warning(mut output: Output) -> Output {
    let is_warning = |line: &&[u8]| String::from_utf8_lossy(line).contains(OFFSET_VARIABLE);
    let lines: Vec<&[u8]> = output.stderr.split_inclusive(|byte| *byte == b'\n').collect();
    output.stderr = lines.into_iter().filter(|line| !is_warning(line)).collect::<Vec<_>>().concat();
    output
}

pub fn open(database: &Path) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(database).expect("the database");
    connection.busy_timeout(TIMEOUT).expect("a timeout");
    connection
}

/// An HTTP response with any status.
pub struct Reply {
    pub status: u16,
    pub headers: http::HeaderMap,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("ASCII"))
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("UTF-8")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("JSON: {}", self.text()))
    }

    /// Asserts the status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Reply {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        self
    }

    /// Asserts that the request was refused because of this field.
    #[track_caller]
    pub fn expect_field(self, field: &str) {
        let reply = self.expect(422);
        assert!(reply.json()["errors"][field].is_string(), "{field}: {}", reply.text());
    }

    /// Asserts the status, and that the body contains this text.
    #[track_caller]
    pub fn expect_text(self, status: u16, text: &str) -> Reply {
        let reply = self.expect(status);
        assert!(reply.text().contains(text), "{text}: {}", reply.text());
        reply
    }
}

impl Server {
    /// Signs in with [`PASSWORD`] and returns the cookie, ready for a `Cookie` header.
    pub fn sign_in(&self) -> String {
        self.sign_in_with(&json!({ "password": PASSWORD }))
    }

    pub fn sign_in_with(&self, body: &Value) -> String {
        let reply = self.post("/api/admin/session", body);
        assert_eq!(reply.status, 204, "{}", reply.text());
        reply.header("set-cookie").split(';').next().expect("a pair").to_owned()
    }

    /// Changes a registration's status or adds a note, as the signed-in organiser does.
    pub fn decide(&self, session: &str, path: &str, body: &Value) {
        self.call(session, "PATCH", &format!("/api/{path}"), body).expect(200);
    }

    /// Whether this cookie has a valid session.
    pub fn is_signed_in(&self, cookie: &str) -> bool {
        let reply = self.get("/api/admin/session", &[("cookie", cookie)]);
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()["signedIn"] == true
    }

    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.send("GET", path, headers, "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &[("content-type", "application/json")], &body.to_string())
    }

    /// A call with a session's cookie. Null is no body.
    pub fn call(&self, cookie: &str, method: &str, path: &str, body: &Value) -> Reply {
        self.call_if(cookie, "", method, path, body)
    }

    /// As [`Server::call`], with this tag in `If-Match` unless it is empty.
    pub fn call_if(&self, cookie: &str, tag: &str, method: &str, path: &str, body: &Value) -> Reply {
        let headers = [("cookie", cookie), ("content-type", "application/json"), ("if-match", tag)];
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.send(method, path, if tag.is_empty() { &headers[..2] } else { &headers }, &body)
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        self.send_bytes(method, path, headers, body.as_bytes())
    }

    pub fn send_bytes(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        send_to(&self.address, method, path, headers, body)
            .unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    /// The address of `metrics.listen`.
    pub fn metrics_address(&self) -> &str {
        let line = self.greeting.lines().find_map(|line| line.strip_prefix("Metrics are at http://"));
        line.and_then(|line| line.strip_suffix("/metrics")).expect("an address")
    }

    /// The metrics, with the head of their answer.
    pub fn metrics(&self) -> String {
        send_plain(self.metrics_address(), "GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    }

    /// The organiser's password that the server has generated.
    pub fn generated_password(&self) -> &str {
        let rest = self.greeting.split("The organiser's password, shown this once: ").nth(1);
        rest.and_then(|rest| rest.lines().next()).expect("a password")
    }

    /// Sends these bytes and reads until the server closes the connection.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // A server that refuses the request may close before it has read everything.
        let _ = stream.write_all(bytes);
        read_to_end(&mut stream)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
        stream
    }

    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.process.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Waits until the process ends by itself.
    pub fn wait_for_exit(&mut self) -> std::process::ExitStatus {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.process.try_wait().expect("a process") {
                return status;
            }
            assert!(Instant::now() < deadline, "the server did not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Asks the server to stop, and asserts that it does so without an error.
    #[track_caller]
    pub fn stop(&mut self) {
        self.signal("TERM");
        assert!(self.wait_for_exit().success());
    }

    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    pub fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Sends a request to a server at this address.
pub fn send_to(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Result<Reply, ureq::Error> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_global(Some(TIMEOUT))
        .allow_non_standard_methods(true)
        .build()
        .into();
    let mut request = http::Request::builder().method(method).uri(format!("http://{address}{path}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut answer = if body.is_empty() {
        agent.run(request.body(()).expect("a request"))
    } else {
        agent.run(request.body(body.to_vec()).expect("a request"))
    }?;
    let body = answer.body_mut().with_config().limit(100 << 20).read_to_vec()?;
    Ok(Reply { status: answer.status().as_u16(), headers: answer.headers().clone(), body })
}

/// The names of the files in a folder, sorted; none if there is no folder.
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

pub fn read_to_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset by the server is an end too.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Polls `found` until it returns something. Panics after [`TIMEOUT`].
pub fn wait_for<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(value) = found() {
            return value;
        }
        assert!(Instant::now() < deadline, "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// As [`wait_for`], for something that takes a minute or two. Returns `None` after five times [`TIMEOUT`].
pub fn wait_longer<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + TIMEOUT * 5;
    while Instant::now() < deadline {
        if let Some(value) = found() {
            return Some(value);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    eprintln!("waited too long for {what}");
    None
}

/// This key of each member of a list.
pub fn column(list: &Value, key: &str) -> Vec<Value> {
    let members = list.as_array().unwrap_or_else(|| panic!("a list: {list}"));
    members.iter().map(|member| member[key].clone()).collect()
}

/// These keys of each member of a list, as a list of lists.
pub fn rows(list: &Value, keys: &[&str]) -> Value {
    let columns: Vec<Vec<Value>> = keys.iter().map(|key| column(list, key)).collect();
    let row = |at: usize| columns.iter().map(|column| column[at].clone()).collect::<Value>();
    (0..columns[0].len()).map(row).collect()
}

pub fn contains(bytes: &[u8], part: impl AsRef<[u8]>) -> bool {
    let part = part.as_ref();
    bytes.windows(part.len()).any(|window| window == part)
}

pub fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

pub fn speaker() -> Value {
    json!({
        "name": "Ada Sample", "email": "ada@example.com", "phone": "+1 201-555-0101", "instagram": "@ada",
        "company": "Sample Lash Studio", "expertise": "education", "speakingExperience": "experienced",
        "experience": "e".repeat(50), "topicProposal": "t".repeat(100), "portfolio": "https://example.com/ada",
        "termsAccepted": true, "photographyConsent": true
    })
}

pub fn waitlist(email: &str) -> Value {
    json!({ "name": "Bea Example", "email": email, "wantToCompete": true })
}

/// Limits a resource of the server process (prlimit(1)).
pub fn limit(server: &Server, resource: &str, max: &str) {
    let limit = format!("--{resource}={max}");
    let done = Command::new("prlimit").args(["--pid", &server.process_id().to_string(), &limit]).output();
    let done = done.expect("prlimit is needed for this test (Debian package util-linux)");
    assert!(done.status.success(), "{}", text(&done.stderr));
}

/// Limits the size of files that the server writes, until it is called with `unlimited`. Beyond it, writes fail as on a
/// full disk.
pub fn limit_files(server: &Server, bytes: &str) {
    limit(server, "fsize", &format!("{bytes}:unlimited"));
}
