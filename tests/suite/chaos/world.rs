//! The site under test with everything around it, and the faults that it suffers.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use showcase::model::Kind;
use showcase::time::OFFSET_VARIABLE;

use super::plan::Fault;
use crate::portal::portal_site;
use crate::support::small_disk::SmallDisk;
use crate::support::smtp::{Behaviour, SmtpServer};
use crate::support::stripe::StandIn;
use crate::support::{ADMIN, Place, Reply, Server, TIMEOUT, clock, limit_files, send_to, text, wait_for};

/// The server's connections to the mail server.
pub const CONNECTIONS: usize = 3;

/// The size of the small disk: enough for some photos and backups.
const DISK_SIZE: &str = "100m";

/// What people were told has happened.
#[derive(Default)]
pub struct Ledger {
    pub registered: Vec<Registered>,
    /// Each registration that was sent: its kind, its address, and whether it is repeated until it is answered.
    pub attempted: Vec<(Kind, String, bool)>,
    /// The addresses of entries that were answered as paid.
    pub paid: Vec<String>,
    /// The addresses of competitors whose photo was answered as stored.
    pub uploaded: Vec<String>,
    /// The revisions that `content import` printed, with the number in their title.
    pub imported: Vec<(i64, usize)>,
    /// The backups, and how many registrations had been answered when each began.
    pub backups: Vec<(String, usize)>,
}

#[derive(Clone)]
pub struct Registered {
    pub kind: Kind,
    pub id: i64,
    pub email: String,
}

pub struct World {
    pub stripe: Arc<StandIn>,
    pub mail: SmtpServer,
    pub place: Place,
    pub ledger: Mutex<Ledger>,
    /// How many requests have been answered.
    pub answers: AtomicUsize,
    pub deadline: Instant,
    /// Held by commands that change the database, and by a restore: what a command stores between the backup and its
    /// restore is only in the copy that the restore keeps.
    pub changes: RwLock<()>,
    address: RwLock<String>,
    state: Mutex<State>,
    disk: Option<SmallDisk>,
}

struct State {
    server: Option<Server>,
    offset: TimeDelta,
    /// The latest time that the server's clock has shown at a start.
    latest: DateTime<Utc>,
    log: String,
    /// How often the server ended without warning.
    kills: usize,
    holds_events: bool,
}

impl World {
    pub fn start(at: DateTime<Utc>, holds_events: bool) -> World {
        let stripe = Arc::new(StandIn::start());
        let mail = SmtpServer::start(Behaviour { max_connections: 10, min_concurrent: 1 });
        let place = Place::with_machine_clock("");
        let disk = SmallDisk::mount(place.folder.path(), DISK_SIZE);
        let config = format!(
            "{ADMIN}{}timeout_seconds = 2\n{}timeout_seconds = 5\n[reports]\nrecipient = 'organiser@example.com'\n[limits]\n\
             writes_per_minute = 0\nsign_ins_per_minute = 0\nmegabytes_per_day = 0\n\
             confirmations_per_day = 0\nmails_per_hour = 0\nfree_megabytes = 0\nshutdown_seconds = 2\n",
            stripe.settings(),
            mail.settings(CONNECTIONS)
        );
        std::fs::write(place.path("config.toml"), config).expect("a file");
        std::fs::set_permissions(place.path("config.toml"), Permissions::from_mode(0o600)).expect("a mode");
        let state = State {
            server: None,
            offset: TimeDelta::zero(),
            latest: at,
            log: String::new(),
            kills: 0,
            holds_events,
        };
        let world = World {
            stripe,
            mail,
            place,
            ledger: Mutex::default(),
            answers: AtomicUsize::new(0),
            deadline: Instant::now() + TIMEOUT * 20,
            changes: RwLock::default(),
            address: RwLock::default(),
            state: Mutex::new(state),
            disk,
        };
        world.set_clock(at);
        // Imported twice, so that the content before it has an open portal, too.
        let import = &["content", "import", "-"][..];
        for arguments in [&["migrate"][..], import, import] {
            let done = world.run_command(arguments, &portal_site::content());
            assert!(done.status.success(), "{}", text(&done.stderr));
        }
        world.serve();
        world
    }

    /// The parts, in the order in which to drop them.
    pub fn into_parts(self) -> (Server, Place, Arc<StandIn>, SmtpServer, Option<SmallDisk>) {
        let server = self.state.into_inner().expect("a lock").server.expect("a server");
        (server, self.place, self.stripe, self.mail, self.disk)
    }

    fn set_clock(&self, to: DateTime<Utc>) {
        let mut state = self.state.lock().expect("a lock");
        state.offset = TimeDelta::seconds((to - clock::machine_time()).num_seconds());
        state.latest = state.latest.max(to);
        let stripe = (state.offset - clock::offset()).num_seconds();
        self.stripe.control("clock", &json!({ "offset_seconds": stripe }));
    }

    pub fn latest(&self) -> DateTime<Utc> {
        self.state.lock().expect("a lock").latest
    }

    pub fn kills(&self) -> usize {
        self.state.lock().expect("a lock").kills
    }

    /// What all servers so far have logged.
    pub fn log(&self) -> String {
        let state = self.state.lock().expect("a lock");
        format!("{}{}", state.log, self.place.log())
    }

    /// Starts the server, and tells everybody where.
    fn serve(&self) {
        let mut state = self.state.lock().expect("a lock");
        let earlier = self.place.log();
        state.log.push_str(&earlier);
        let offset = state.offset.num_seconds().to_string();
        let server = self.place.serve_in(&[], &[(OFFSET_VARIABLE, &offset)]);
        server.address.clone_into(&mut self.address.write().expect("a lock"));
        let url = format!("http://{}/api/stripe/webhook", server.address);
        self.stripe.control("target", &json!({ "url": url, "hold": state.holds_events }));
        state.server = Some(server);
    }

    fn stop(&self, signal: &str) {
        let mut state = self.state.lock().expect("a lock");
        let mut server = state.server.take().expect("a server");
        server.signal(signal);
        server.wait_for_exit();
        state.kills += usize::from(signal == "KILL");
    }

    /// From the server's next start, events are delivered at once instead of being held.
    pub fn deliver_events_at_once(&self) {
        self.state.lock().expect("a lock").holds_events = false;
    }

    pub fn restart_at(&self, to: DateTime<Utc>) {
        self.stop("KILL");
        self.set_clock(to);
        self.serve();
    }

    /// A command at the server's time.
    pub fn run_command(&self, arguments: &[&str], input: &str) -> Output {
        let offset = self.state.lock().expect("a lock").offset.num_seconds().to_string();
        let mut command = self.place.command(arguments);
        command.env(OFFSET_VARIABLE, offset);
        // A file and not a pipe: a command need not read it.
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), input).expect("a file");
        command.stdin(file.reopen().expect("a file"));
        let output = command.output().expect("the binary runs");
        let said = text(&output.stderr);
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        output
    }

    /// Sends a request once. `None` if it was not answered.
    pub fn send_once(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Option<Reply> {
        let address = self.address.read().expect("a lock").clone();
        let reply = send_to(&address, method, path, headers, body).ok()?;
        self.answers.fetch_add(1, Ordering::Relaxed);
        assert_ne!(reply.status, 500, "{method} {path}: {}", reply.text());
        if reply.status == 503 {
            assert_ne!(reply.header("retry-after"), "", "{method} {path}: {}", reply.text());
        }
        Some(reply)
    }

    /// Repeats a request until it is answered with something that a repetition would not change.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        loop {
            if let Some(reply) = self.send_once(method, path, headers, body)
                && !(reply.status >= 500 || reply.status == 429 || reply.status == 408)
            {
                return reply;
            }
            self.wait_before_retry(path);
        }
    }

    pub fn post(&self, path: &str, key: &str, body: &Value) -> Reply {
        let headers = [("content-type", "application/json"), ("idempotency-key", key)];
        self.send("POST", path, &headers, body.to_string().as_bytes())
    }

    pub fn wait_before_retry(&self, what: &str) {
        assert!(Instant::now() < self.deadline, "{what} did not succeed in time\n{}", self.log());
        std::thread::sleep(Duration::from_millis(20));
    }

    pub fn inject(&self, fault: &Fault) {
        match fault {
            Fault::Kill => {
                self.stop("KILL");
                self.serve();
            }
            Fault::Terminate => {
                self.stop("TERM");
                self.serve();
            }
            Fault::Freeze { milliseconds } => {
                let state = self.state.lock().expect("a lock");
                let server = state.server.as_ref().expect("a server");
                server.signal("STOP");
                std::thread::sleep(Duration::from_millis(*milliseconds));
                server.signal("CONT");
            }
            Fault::FullDisk { milliseconds } => self.fill_disk(Duration::from_millis(*milliseconds)),
            Fault::ReadOnlyDisk => self.start_on_a_read_only_disk(),
            Fault::MailAway => self.mail.set_away(true),
            Fault::Stripe { kind, when, times } => {
                self.stripe
                    .control("faults", &json!({ "path": "/v1", "kind": kind, "when": when, "times": times }));
            }
            Fault::Clock { to } => self.restart_at(*to),
            Fault::Restore => {
                let _alone = self.changes.write().expect("a lock");
                self.stop("KILL");
                for arguments in [&["backup", "whole.db.gz"][..], &["restore", "whole.db.gz", "--yes"]] {
                    let done = self.run_command(arguments, "");
                    assert!(done.status.success(), "{arguments:?}: {}", text(&done.stderr));
                }
                std::fs::remove_file(self.place.path("whole.db.gz")).expect("removed");
                // What waited is held until somebody releases it.
                let released = self.run_command(&["outbox", "retry"], "");
                assert!(released.status.success(), "{}", text(&released.stderr));
                self.serve();
            }
        }
    }

    /// On a small disk, a file takes all space that is left. Otherwise the server's files may not grow.
    fn fill_disk(&self, lasting: Duration) {
        if let Some(disk) = &self.disk {
            let filler = disk.fill();
            std::thread::sleep(lasting);
            std::fs::remove_file(filler).expect("removed");
        } else {
            let state = self.state.lock().expect("a lock");
            let server = state.server.as_ref().expect("a server");
            limit_files(server, "4096");
            std::thread::sleep(lasting);
            limit_files(server, "unlimited");
        }
    }

    fn start_on_a_read_only_disk(&self) {
        self.stop("KILL");
        if let Some(disk) = &self.disk {
            wait_for("a disk that nobody writes to", || {
                let done = Command::new("mount").args(["-o", "remount,ro"]).arg(disk.folder()).output();
                done.expect("mount runs").status.success().then_some(())
            });
            let refused = self.run_command(&["serve", "--listen", "127.0.0.1:0"], "");
            assert!(!refused.status.success(), "it serves from a disk that it cannot write to");
            assert!(text(&refused.stderr).contains("cannot be written"), "{}", text(&refused.stderr));
            disk.remount("rw");
        }
        self.serve();
    }

    /// Ends every fault that lasts.
    pub fn heal(&self) {
        self.mail.set_away(false);
        self.stripe.clear_faults();
    }
}
