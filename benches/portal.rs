//! The Artist Portal under load, from outside: a photo's way from its last byte to its slot and the memory that takes;
//! eight photos over a slow line that breaks; registrations while a hundred competitors upload, while a video of 100 MB ends, and while somebody is erased; the
//! second backup of a large portal; and the door on the morning of the event, with 500 people.
//!
//! Run: `cargo bench --bench portal`, with `-- photo line crowd video erase backup door` for only these parts. Aims: 12 megapixels ready
//! within 2 s and 150 MB, 48 within 320 MB; never more than a chunk sent twice after a break; the 99th percentile of a
//! registration at most 1.2 times as long beside 100 uploads that each have a line of 1 Mbit/s, none of them refused; no
//! registration over 50 ms longer when a video ends or somebody is erased; the
//! second backup of 4,000 photos within 5 s; at the door 500 scans merged within 300 ms, 500 badges within 200 ms, and
//! registrations beside four doors at most 1.5 times as long. The slow line carries 1 Mbit/s with 300 ms of delay. It loses no packets: that
//! would need rights that a bench has not, and would only delay TCP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use showcase::app::App;
use showcase::config::Config;
use showcase::door::{devices, tickets};
use showcase::model::{Actor, EntryId, token};
use showcase::portal::access::{self, Audience};
use showcase::portal::nominations;
use showcase::site::content::Content;
use showcase::store::{Store, migrate, open_connection};

#[path = "../tests/suite/portal/sample_video.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod sample_video;

/// The size of the chunks that the portal's page sends.
const CHUNK: usize = 128 * 1024;
/// The slow line: bytes per second, and the delay in each direction.
const LINE_SPEED: usize = 1_000_000 / 8;
const LINE_DELAY: Duration = Duration::from_millis(150);
const PHOTOS: usize = 8;
const PHOTO_BYTES: usize = 4_000_000;
const BREAKS: usize = 5;
const UPLOADS: usize = 100;
/// How long registrations are measured, and how many arrive per second during that time.
const MEASURED: Duration = Duration::from_secs(20);
const REGISTRATIONS_A_SECOND: u32 = 50;
/// As many as come to the event.
const GUESTS: usize = 500;
const PASSWORD: &str = "a password for the bench";
const CONFIG: &str = "[admin]\npassword = 'a password for the bench'\n[proxy]\ntrusted = ['127.0.0.1']\n";
const STORED_PHOTOS: usize = 4_000;
const STORED_BYTES: usize = 600_000;

fn main() {
    // `cargo test` also runs benches, and these take minutes.
    if std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        return;
    }
    let chosen: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let parts: [(&str, fn()); 7] = [
        ("photo", photo),
        ("line", line),
        ("crowd", crowd),
        ("video", video),
        ("erase", erase),
        ("backup", backup),
        ("door", door),
    ];
    for (name, part) in parts {
        if chosen.is_empty() || chosen.iter().any(|one| one == name) {
            part();
        }
    }
}

fn photo() {
    for (width, height, aim) in [(4000, 3000, 150), (8000, 6000, 320)] {
        let site = Site::with_competitors(1);
        let file = jpeg(width, height, 85);
        let idle = site.server.status("VmHWM:");
        let artist = &site.artists[0];
        let upload = artist.begin(&site.server.address, "left", file.len());
        let mut last = Duration::ZERO;
        for (number, chunk) in file.chunks(CHUNK).enumerate() {
            let started = Instant::now();
            let status =
                artist.append(&site.server.address, &upload, number * CHUNK, chunk).expect("an answer");
            assert_eq!(status, 204);
            last = started.elapsed();
        }
        println!(
            "{width} x {height}, {:.1} MB: ready {:.2} s after its last byte (aim 2 at 12 megapixels); peak memory {} MB of {} MB before (aim {aim})",
            file.len() as f64 / 1e6,
            last.as_secs_f64(),
            site.server.status("VmHWM:") / 1000,
            idle / 1000
        );
    }
}

fn line() {
    let site = Site::with_competitors(2);
    // Bytes after the picture's end are not part of it, but they are sent.
    let mut file = jpeg(1600, 1200, 80);
    assert!(file.len() < PHOTO_BYTES);
    file.resize(PHOTO_BYTES, 0);
    let slow = SlowLine::open(&site.server.address);
    let (started, most_twice) = (Instant::now(), AtomicUsize::new(0));
    thread::scope(|scope| {
        // The page sends two photos at once.
        for artist in &site.artists {
            let (file, slow, most_twice) = (&file, &slow, &most_twice);
            scope.spawn(move || {
                for slot in ["before", "after_front", "left", "right"] {
                    most_twice.fetch_max(artist.upload(&slow.address, slot, file), Ordering::Relaxed);
                }
            });
        }
        let total = PHOTOS * PHOTO_BYTES;
        for number in 1..=BREAKS {
            while slow.carried.load(Ordering::Relaxed) < total * number / (BREAKS + 1) {
                thread::sleep(Duration::from_millis(5));
            }
            slow.cut.store(true, Ordering::Relaxed);
            thread::sleep(Duration::from_secs(2));
            slow.cut.store(false, Ordering::Relaxed);
        }
    });
    println!(
        "{PHOTOS} photos of 4 MB at 1 Mbit/s with {BREAKS} breaks: {:.0} s; carried {:.2} times their bytes; at most {} KB sent again after a break (aim: a chunk of {} KB)",
        started.elapsed().as_secs_f64(),
        slow.carried.load(Ordering::Relaxed) as f64 / (PHOTOS * PHOTO_BYTES) as f64,
        most_twice.load(Ordering::Relaxed) / 1024,
        CHUNK / 1024
    );
}

fn crowd() {
    let site = Site::with_competitors(UPLOADS);
    let alone = registrations(&site.server.address, "alone");
    let (stop, chunks, refused) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let among = thread::scope(|scope| {
        for (number, artist) in site.artists.iter().enumerate() {
            let (stop, chunks, refused, address) = (&stop, &chunks, &refused, &site.server.address);
            scope.spawn(move || {
                // The competitors do not all begin at the same moment.
                let every = Duration::from_secs_f64(CHUNK as f64 / LINE_SPEED as f64);
                thread::sleep(every.mul_f64(number as f64 / UPLOADS as f64));
                let body = vec![7; CHUNK];
                let upload = artist.begin(address, "left", 160 * CHUNK);
                let mut sent = 0;
                while sent < 160 && !stop.load(Ordering::Relaxed) {
                    match artist.append_slowly(address, &upload, sent * CHUNK, &body) {
                        Ok(204) => {
                            chunks.fetch_add(1, Ordering::Relaxed);
                            sent += 1;
                        }
                        // The page waits a second, too.
                        _ => {
                            refused.fetch_add(1, Ordering::Relaxed);
                            thread::sleep(Duration::from_secs(1));
                            sent = artist.offset(address, &upload).expect("an offset") / CHUNK;
                        }
                    }
                }
            });
        }
        thread::sleep(Duration::from_secs(5));
        let among = registrations(&site.server.address, "among");
        stop.store(true, Ordering::Relaxed);
        among
    });
    let (p50, p99) = (percentile(&alone, 50), percentile(&alone, 99));
    println!(
        "registrations at {REGISTRATIONS_A_SECOND}/s: p50 {p50:.1} ms, p99 {p99:.1} ms alone; p50 {:.1} ms, p99 {:.1} ms among {UPLOADS} uploads of 1 Mbit/s each ({} chunks, {} refused): {:.2} times (aim 1.2)",
        percentile(&among, 50),
        percentile(&among, 99),
        chunks.load(Ordering::Relaxed),
        refused.load(Ordering::Relaxed),
        percentile(&among, 99) / p99
    );
}

/// The last chunk of a video; twice, because the second one takes the place of the first.
fn video() {
    let site = Site::with_competitors(1);
    let (file, artist, address) = (video_file(), &site.artists[0], &site.server.address);
    for which in ["first", "second"] {
        let upload = artist.begin(address, "video", file.len());
        let chunks: Vec<&[u8]> = file.chunks(CHUNK).collect();
        let append = |number: usize| {
            let status = artist.append(address, &upload, number * CHUNK, chunks[number]).expect("an answer");
            assert_eq!(status, 204);
        };
        (0..chunks.len() - 1).for_each(append);
        measure_beside(address, &format!("the {which} video of {} MB ends", file.len() / 1_000_000), || {
            append(chunks.len() - 1);
        });
    }
}

/// The largest video that the portal takes, in bytes and in seconds.
fn video_file() -> Vec<u8> {
    sample_video::Sample {
        seconds: 119,
        claimed_seconds: 119,
        picture_bytes: 838_000,
        ..sample_video::SAMPLE
    }
    .file()
}

/// The host deletes somebody with photos and a video while others register.
fn erase() {
    let site = Site::with_competitors(1);
    let (artist, address) = (&site.artists[0], &site.server.address);
    let photo = jpeg(4000, 3000, 85);
    let mut files = vec![("video", video_file())];
    files.extend(["before", "after_front", "left", "right"].map(|slot| (slot, photo.clone())));
    for (slot, file) in &files {
        let upload = artist.begin(address, slot, file.len());
        for (number, chunk) in file.chunks(CHUNK).enumerate() {
            assert_eq!(artist.append(address, &upload, number * CHUNK, chunk).expect("an answer"), 204);
        }
    }
    measure_beside(address, "somebody with a video and four photos is erased", || {
        let erased = Command::new(BINARY)
            .args(["person", "erase", "e1@example.com", "--yes", "--quiet"])
            .current_dir(site.folder.path())
            .status()
            .expect("it runs");
        assert!(erased.success());
    });
}

/// Prints how long the longest registration took without `work`, and how long while it runs.
fn measure_beside(address: &str, what: &str, work: impl FnOnce() + Send) {
    let name = what.replace(' ', "-");
    let alone = registrations(address, &format!("alone-{name}"));
    let (beside, took) = thread::scope(|scope| {
        let working = scope.spawn(|| {
            thread::sleep(Duration::from_secs(3));
            let started = Instant::now();
            work();
            started.elapsed()
        });
        (registrations(address, &format!("beside-{name}")), working.join().expect("an end"))
    });
    println!(
        "registrations at {REGISTRATIONS_A_SECOND}/s: longest {:.1} ms alone, {:.1} ms while {what} in {:.1} s (aim: 50 ms more)",
        percentile(&alone, 100),
        percentile(&beside, 100),
        took.as_secs_f64()
    );
}

/// How long each registration took, in milliseconds, sorted. They arrive at a constant rate, however slow the server is.
fn registrations(address: &str, name: &str) -> Vec<f64> {
    let count = u32::try_from(MEASURED.as_secs()).expect("seconds") * REGISTRATIONS_A_SECOND;
    let started = Instant::now();
    let mut times: Vec<f64> = thread::scope(|scope| {
        let one = |number: u32| {
            let due = started + Duration::from_secs(1) * number / REGISTRATIONS_A_SECOND;
            thread::sleep(due.saturating_duration_since(Instant::now()));
            scope.spawn(move || {
                let body = format!(
                    r#"{{"name":"Ada {number}","email":"{name}.{number}@example.com","wantToCompete":true,"additionalNominations":"0"}}"#
                );
                // Each visitor of a crowd has their own address.
                let from = format!("10.{}.{}.7", number >> 8, number & 255);
                let head = format!("POST /api/waitlist-signups HTTP/1.1\r\nhost: {address}\r\nx-forwarded-for: {from}\r\ncontent-type: application/json");
                let status = exchange(address, &head, body.as_bytes()).expect("an answer").0;
                assert_eq!(status, 201);
                (Instant::now() - due).as_secs_f64() * 1e3
            })
        };
        let waiting: Vec<_> = (0..count).map(one).collect();
        waiting.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    times.sort_by(f64::total_cmp);
    times
}

fn percentile(sorted: &[f64], percent: usize) -> f64 {
    sorted[(sorted.len() - 1) * percent / 100]
}

fn backup() {
    let site = Site::with_competitors(1);
    let database = site.folder.path().join("showcase.db");
    let connection = open_connection(&database).expect("a connection");
    let mut state = 1_u64;
    connection.execute_batch("begin").expect("a transaction");
    for number in 0..STORED_PHOTOS {
        let content: Vec<u8> = std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        })
        .take(STORED_BYTES / 8)
        .flatten()
        .collect();
        let thumbnail = &content[..40_000];
        connection
            .execute(
                "insert into media (created_at, nomination_id, slot, width, height, bytes, sha256, thumbnail_bytes, thumbnail_sha256)
                 values ('2026-01-01T00:00:00.000Z', 1, ?1, 2560, 1920, ?2, ?3, ?4, ?5)",
                (format!("slot-{number}"), length(&content), sha256(&content), length(thumbnail), sha256(thumbnail)),
            )
            .expect("a photo");
        let id = connection.last_insert_rowid();
        for (size, bytes) in [("full", content.as_slice()), ("thumbnail", thumbnail)] {
            connection
                .execute(
                    "insert into media_chunks (media_id, size, number, content) values (?1, ?2, 0, ?3)",
                    (id, size, bytes),
                )
                .expect("its bytes");
        }
    }
    connection.execute_batch("commit").expect("a commit");
    for which in ["first", "second"] {
        let started = Instant::now();
        let before = size_of(&site.folder.path().join("backups"));
        let status = Command::new(BINARY)
            .args(["backup", "--quiet"])
            .current_dir(site.folder.path())
            .stdout(Stdio::null())
            .status()
            .expect("it runs");
        assert!(status.success());
        println!(
            "{which} backup beside {STORED_PHOTOS} photos of {} KB: {:.1} s, {:.1} MB more (aim of the second: 5 s)",
            STORED_BYTES / 1000,
            started.elapsed().as_secs_f64(),
            (size_of(&site.folder.path().join("backups")) - before) as f64 / 1e6
        );
    }
}

/// Four phones that each let somebody in and read the list every second.
fn door() {
    let site = Site::with_competitors(GUESTS);
    let address = &site.server.address;
    let (codes, doors) = tickets_and_doors(&site);
    let call = |method: &str, path: &str, cookie: &str, body: &str| {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\ncontent-type: application/json\r\naccept-encoding: gzip, br"
        );
        exchange(address, &head, body.as_bytes()).expect("an answer")
    };
    let scan = |id: &str, code: &str, list: &str| {
        let at = showcase::time::stored(showcase::time::now());
        format!(r#"{{"id":"{id}","code":"{code}","list":"{list}","at":"{at}"}}"#)
    };
    let send = |cookie: &str, scans: &[String]| {
        let at = showcase::time::stored(showcase::time::now());
        let body = format!(r#"{{"sentAt":"{at}","scans":[{}]}}"#, scans.join(","));
        let started = Instant::now();
        assert_eq!(call("POST", "/api/door/scans", cookie, &body).0, 200);
        started.elapsed()
    };
    let batch: Vec<String> = codes.iter().map(|code| scan(&token::new()[..16], code, "day-1")).collect();
    let merged = send(&doors[0], &batch);
    let list = call("GET", "/api/door/list", &doors[0], "").1;
    let organiser = call("POST", "/api/admin/session", "", &format!(r#"{{"password":"{PASSWORD}"}}"#)).1;
    let session = header(&organiser, "set-cookie").split(';').next().expect("a cookie").to_owned();
    let started = Instant::now();
    let badges = call("GET", "/api/badges?size=4x3", &session, "");
    assert_eq!((badges.0, badges.1.matches("<svg").count()), (200, GUESTS));
    println!(
        "{GUESTS} scans merged in {:.0} ms (aim 300); the list of {GUESTS} people, all in: {:.1} KB on the line; {GUESTS} badges in {:.0} ms (aim 200)",
        merged.as_secs_f64() * 1e3,
        header(&list, "content-length").parse::<f64>().expect("a length") / 1024.0,
        started.elapsed().as_secs_f64() * 1e3
    );
    let alone = registrations(address, "alone");
    let stop = AtomicBool::new(false);
    let beside = thread::scope(|scope| {
        for (number, cookie) in doors.iter().enumerate() {
            let (stop, codes, send, call, every) = (&stop, &codes, &send, &call, doors.len());
            scope.spawn(move || {
                for code in codes.iter().skip(number).step_by(every) {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    send(cookie, &[scan(&format!("gala-{code}"), code, "gala")]);
                    assert_eq!(call("GET", "/api/door/list", cookie, "").0, 200);
                    thread::sleep(Duration::from_secs(1));
                }
            });
        }
        let beside = registrations(address, "beside");
        stop.store(true, Ordering::Relaxed);
        beside
    });
    println!(
        "registrations at {REGISTRATIONS_A_SECOND}/s: p99 {:.1} ms alone, {:.1} ms beside four doors: {:.2} times (aim 1.5)",
        percentile(&alone, 99),
        percentile(&beside, 99),
        percentile(&beside, 99) / percentile(&alone, 99)
    );
}

/// The codes of all tickets, and the cookies of four phones.
fn tickets_and_doors(site: &Site) -> (Vec<String>, Vec<String>) {
    let content = Content::parse(Content::default_toml()).expect("the default content");
    let store = Store::open(&site.folder.path().join("showcase.db")).expect("a store");
    let app = App::new(Config::default(), store, content).expect("an application");
    tickets::sync_registrations(&app).expect("tickets");
    let codes = tickets::list(&app, &tickets::TicketFilter::default()).expect("tickets");
    let doors = (1..=4).map(|number| {
        let (_, token) =
            devices::add(&app, &Actor::Program, &format!("Door {number}"), None).expect("a phone");
        format!("showcase_door={token}")
    });
    let doors = doors.collect();
    (codes.into_iter().map(|ticket| ticket.code).collect(), doors)
}

fn length(bytes: &[u8]) -> i64 {
    i64::try_from(bytes.len()).expect("a small number")
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    hex::encode(Sha256::digest(bytes))
}

/// The bytes of all files in a folder, which may not exist yet.
fn size_of(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries
        .map(|entry| entry.expect("an entry"))
        .map(|entry| {
            if entry.path().is_dir() {
                size_of(&entry.path())
            } else {
                entry.metadata().expect("a size").len()
            }
        })
        .sum()
}

const BINARY: &str = env!("CARGO_BIN_EXE_showcase");

/// A server with an open portal, and competitors who are signed in.
struct Site {
    folder: tempfile::TempDir,
    server: Served,
    artists: Vec<Artist>,
}

impl Site {
    fn with_competitors(count: usize) -> Site {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder on a real disk");
        let database = folder.path().join("showcase.db");
        migrate::migrate(&database).expect("a database");
        // Its deadlines lie ahead whenever this runs.
        let toml =
            Content::default_toml().replace("2026", "2056").replace("\nvideo = false", "\nvideo = true");
        let content = Content::parse(&toml).expect("the default content");
        let store = Store::open(&database).expect("a store");
        let app = App::new(Config::default(), store, content).expect("an application");
        open_connection(&database)
            .expect("a connection")
            .execute(
                "with recursive counted (value) as (select 1 union all select value + 1 from counted where value < ?)
                 insert into competition_entries (created_at, name, email, phone, business_name, location, tax_location,
                        primary_category, sub_category, additional_categories, agreement_terms, agreement_media,
                        payment_amount_cents, payment_status)
                 select '2026-01-01T00:00:00.000Z', 'Person ' || value, 'e' || value || '@example.com', '+1 201-555-0101',
                        'Studio', 'Jersey City, NJ', 'new-york', 'brows', 'Lamination', 0, 1, 1, 48492, 'paid' from counted",
                [i64::try_from(count).expect("a small number")],
            )
            .expect("entries");
        let entries = i64::try_from(count).expect("a small number");
        app.store
            .write(move |connection| {
                (1..=entries).try_for_each(|id| {
                    nominations::create(connection, EntryId(id), "2026-01-01T00:00:00.000Z")
                })
            })
            .expect("nominations");
        let artists = (1..=count)
            .map(|number| {
                let email = format!("e{number}@example.com");
                let link = access::demo_link(&app, Audience::Competitors, &email).expect("a link");
                let token = link.split_once('#').expect("a fragment").1;
                let session =
                    access::sign_in_with_link(&app, Audience::Competitors, token).expect("a session");
                Artist { cookie: format!("showcase_artist={session}"), nomination: number }
            })
            .collect();
        drop(app);
        std::fs::write(folder.path().join("content.toml"), &toml).expect("a file");
        std::fs::write(folder.path().join("config.toml"), CONFIG).expect("a file");
        let imported = Command::new(BINARY)
            .args(["content", "import", "--quiet", "content.toml"])
            .current_dir(folder.path())
            .status()
            .expect("it runs");
        assert!(imported.success());
        let server = Served::start(folder.path().to_owned());
        Site { folder, server, artists }
    }
}

struct Served {
    process: Child,
    address: String,
}

impl Served {
    fn start(folder: PathBuf) -> Served {
        let mut process = Command::new(BINARY)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut lines = BufReader::new(process.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        let address = lines.find_map(|line| {
            Some(line.strip_prefix("Showcase is at http://")?.trim_end_matches('/').to_owned())
        });
        Served { process, address: address.expect("the server ended") }
    }

    /// A line of /proc/PID/status, in KB.
    fn status(&self, name: &str) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).expect("a process");
        let line = status.lines().find(|line| line.starts_with(name)).expect("a line");
        line.split_whitespace().nth(1).and_then(|kb| kb.parse().ok()).expect("a number")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Artist {
    cookie: String,
    nomination: usize,
}

impl Artist {
    fn begin(&self, address: &str, slot: &str, length: usize) -> String {
        self.try_begin(address, slot, length).expect("an upload")
    }

    fn try_begin(&self, address: &str, slot: &str, length: usize) -> std::io::Result<String> {
        let pair = |key: &str, value: &str| format!("{key} {}", STANDARD.encode(value));
        let metadata = [pair("nomination", &self.nomination.to_string()), pair("slot", slot)].join(",");
        let head = format!(
            "POST /api/artist/uploads HTTP/1.1\r\nhost: {address}\r\ncookie: {}\r\ntus-resumable: 1.0.0\r\nupload-length: {length}\r\nupload-metadata: {metadata}",
            self.cookie
        );
        let (status, answer) = exchange(address, &head, b"")?;
        assert_eq!(status, 201, "{answer}");
        Ok(header(&answer, "location").to_owned())
    }

    fn append(&self, address: &str, upload: &str, offset: usize, chunk: &[u8]) -> std::io::Result<u16> {
        let head = format!(
            "PATCH {upload} HTTP/1.1\r\nhost: {address}\r\ncookie: {}\r\ntus-resumable: 1.0.0\r\ncontent-type: application/offset+octet-stream\r\nupload-offset: {offset}",
            self.cookie
        );
        Ok(exchange(address, &head, chunk)?.0)
    }

    /// As [`Artist::append`], over a line of [`LINE_SPEED`] from a network of the competitor's own.
    fn append_slowly(
        &self,
        address: &str,
        upload: &str,
        offset: usize,
        chunk: &[u8],
    ) -> std::io::Result<u16> {
        let number = self.nomination;
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        write!(
            stream,
            "PATCH {upload} HTTP/1.1\r\nhost: {address}\r\ncookie: {}\r\nx-forwarded-for: 10.200.{number}.7\r\ntus-resumable: 1.0.0\r\ncontent-type: application/offset+octet-stream\r\nupload-offset: {offset}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            self.cookie,
            chunk.len()
        )?;
        let started = Instant::now();
        for (number, part) in (1_u32..).zip(chunk.chunks(LINE_SPEED / 10)) {
            stream.write_all(part)?;
            thread::sleep((Duration::from_millis(100) * number).saturating_sub(started.elapsed()));
        }
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let status =
            String::from_utf8_lossy(&answer).split(' ').nth(1).and_then(|status| status.parse().ok());
        status.ok_or(std::io::ErrorKind::UnexpectedEof.into())
    }

    fn offset(&self, address: &str, upload: &str) -> std::io::Result<usize> {
        let head = format!(
            "HEAD {upload} HTTP/1.1\r\nhost: {address}\r\ncookie: {}\r\ntus-resumable: 1.0.0",
            self.cookie
        );
        let (status, answer) = exchange(address, &head, b"")?;
        assert_eq!(status, 200, "{answer}");
        Ok(header(&answer, "upload-offset").parse().expect("a number"))
    }

    /// Uploads a file as the page does: chunk by chunk, after a break from where the server says. Returns the most
    /// bytes that it had to send again after a break.
    fn upload(&self, address: &str, slot: &str, file: &[u8]) -> usize {
        let again = || thread::sleep(Duration::from_millis(500));
        let upload = loop {
            match self.try_begin(address, slot, file.len()) {
                Ok(upload) => break upload,
                Err(_) => again(),
            }
        };
        let (mut offset, mut twice) = (0, 0);
        while offset < file.len() {
            let chunk = &file[offset..file.len().min(offset + CHUNK)];
            match self.append(address, &upload, offset, chunk) {
                Ok(204) => offset += chunk.len(),
                Ok(status) => panic!("{status}"),
                Err(_) => {
                    let reached = offset + chunk.len();
                    offset = loop {
                        match self.offset(address, &upload) {
                            Ok(offset) => break offset,
                            Err(_) => again(),
                        }
                    };
                    twice = twice.max(reached - offset);
                }
            }
        }
        twice
    }
}

/// One request on a connection of its own: the status, and the answer as text.
fn exchange(address: &str, head: &str, body: &[u8]) -> std::io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    write!(stream, "{head}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len())?;
    stream.write_all(body)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    Ok((status.ok_or(std::io::ErrorKind::UnexpectedEof)?, answer))
}

fn header<'a>(answer: &'a str, name: &str) -> &'a str {
    let lines = answer.lines().take_while(|line| !line.is_empty());
    let mut values = lines.filter_map(|line| line.split_once(": "));
    values.find(|(key, _)| key.eq_ignore_ascii_case(name)).expect("the header").1
}

/// A line to the server that all connections share, and that can be cut.
struct SlowLine {
    address: String,
    cut: Arc<AtomicBool>,
    /// Bytes to the server.
    carried: Arc<AtomicUsize>,
}

impl SlowLine {
    fn open(server: &str) -> SlowLine {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let line = SlowLine { address, cut: Arc::default(), carried: Arc::default() };
        let (cut, carried, server) = (line.cut.clone(), line.carried.clone(), server.to_owned());
        thread::spawn(move || {
            // When the line is next free.
            let free = Arc::new(std::sync::Mutex::new(Instant::now()));
            for client in listener.incoming().map_while(Result::ok) {
                if cut.load(Ordering::Relaxed) {
                    continue;
                }
                let server = TcpStream::connect(&server).expect("the server");
                let pairs = [(client.try_clone(), server.try_clone(), true), (Ok(server), Ok(client), false)];
                for (from, to, is_upwards) in pairs {
                    let (mut from, mut to) = (from.expect("a stream"), to.expect("a stream"));
                    let (cut, carried, free) = (cut.clone(), carried.clone(), free.clone());
                    thread::spawn(move || {
                        from.set_read_timeout(Some(Duration::from_millis(50))).expect("a deadline");
                        thread::sleep(LINE_DELAY);
                        let mut buffer = [0; 1460];
                        while !cut.load(Ordering::Relaxed) {
                            let count = match from.read(&mut buffer) {
                                Ok(0) => break,
                                Ok(count) => count,
                                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => continue,
                                Err(_) => break,
                            };
                            if is_upwards {
                                let passes = {
                                    let mut free = free.lock().expect("the line");
                                    *free = (*free).max(Instant::now())
                                        + Duration::from_secs_f64(count as f64 / LINE_SPEED as f64);
                                    *free
                                };
                                thread::sleep(passes.saturating_duration_since(Instant::now()));
                                carried.fetch_add(count, Ordering::Relaxed);
                            } else {
                                thread::sleep(LINE_DELAY);
                            }
                            if to.write_all(&buffer[..count]).is_err() {
                                break;
                            }
                        }
                        let _ = from.shutdown(std::net::Shutdown::Both);
                        let _ = to.shutdown(std::net::Shutdown::Both);
                    });
                }
            }
        });
        line
    }
}

/// A photo with some detail everywhere, as cameras make them.
fn jpeg(width: u32, height: u32, quality: u8) -> Vec<u8> {
    let mut state = 7_u32;
    let pixels = image::RgbImage::from_fn(width, height, |x, y| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = (state >> 28) as u8;
        let shade = |value: u32| u8::try_from(value % 200).unwrap_or_default() + noise;
        image::Rgb([shade(x / 9 + y / 17), shade(x / 13), shade(y / 7)])
    });
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(&pixels).expect("a JPEG");
    bytes
}
