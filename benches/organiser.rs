//! The organiser's side: the export of 1,000,000 registrations as CSV, with its peak memory, compared with the `sqlite3`
//! shell's dump of the same rows in the same run; a list with a search over 100,000 records, with its count; the search
//! over all kinds, with 100,000 applications and 100,000 entries; the door list of 5,000 entries; and an email to 5,000
//! people: how long it takes to freeze the group, the rate at which its emails enter the outbox, and the memory.
//!
//! Run: `cargo bench --bench organiser` (needs the `sqlite3` shell), with `-- door mailing` for only these parts.
//! SHOWCASE_BENCH_ROWS sets another number of exported rows. Aims: at most 1.5 times the shell's time, under 60 MB; p99 of
//! a list under 50 ms; median of a search over all kinds under 100 ms; the door list under 200 ms; a group frozen in a
//! second, the rate within 5 %, and no more memory than the writer's cache of 16 MB takes.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use showcase::app::App;
use showcase::config::Config;
use showcase::mailings::{self, Draft, Pace};
use showcase::model::{Actor, Expected, Kind};
use showcase::registrations::lists::{self, Choice, ListName};
use showcase::site::content::Content;
use showcase::store::Store;
use showcase::store::migrate;
use showcase::store::open_connection;
use showcase::store::registrations;
use showcase::store::registrations::Filter;
use showcase::store::registrations::Page;
use showcase::time;

const LISTED: i64 = 100_000;
const ROUNDS: usize = 3;
/// People on the door list, and in the group of an email.
const PEOPLE: i64 = 5_000;
/// So many of them get their email at a rate that is measured.
const PACED: usize = 1_500;
const MAILS_PER_MINUTE: u32 = 6_000;

fn main() {
    // `cargo test` also runs benches, and these take minutes.
    if std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        return;
    }
    let rows =
        std::env::var("SHOWCASE_BENCH_ROWS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder on a real disk");
    let chosen: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let runs = |part: &str| chosen.is_empty() || chosen.iter().any(|one| one == part);
    if runs("export") {
        export(&folder.path().join("export.db"), rows);
    }
    if runs("list") {
        list(&folder.path().join("list.db"));
        find(&folder.path().join("list.db"));
    }
    if runs("door") {
        door(&folder.path().join("door.db"));
    }
    if runs("mailing") {
        mailing(&folder.path().join("mailing.db"));
    }
}

fn export(database: &Path, rows: i64) {
    fill(database, rows);
    let ours = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_showcase"));
        command.args(["export", "--kind", "speaker-applications", "--database"]).arg(database);
        timed(command)
    };
    let shell = || {
        let mut command = Command::new("sqlite3");
        command.args(["-csv", "-header"]).arg(database).arg("select * from speaker_applications order by id");
        timed(command)
    };
    let best = |run: &dyn Fn() -> Duration| (0..ROUNDS).map(|_| run()).min().unwrap_or_default();
    let ours_took = best(&ours);
    let memory = peak_memory_of_children();
    let shell_took = best(&shell);
    println!(
        "export of {rows} rows: {:.2} s, the sqlite3 shell {:.2} s, ratio {:.2} (aim 1.5), peak {} MB (aim 60)",
        ours_took.as_secs_f64(),
        shell_took.as_secs_f64(),
        ours_took.as_secs_f64() / shell_took.as_secs_f64(),
        memory / 1024
    );
}

fn list(database: &Path) {
    fill(database, LISTED);
    let store = Store::open(database).expect("a store");
    let kind = Kind::SpeakerApplications;
    let searches = ["ada", "person 4711", "example.com", "ÉLODIE", "studio 7", "zzz", "e", "99999@"];
    let mut times = Vec::new();
    for round in 0..50 {
        for search in searches {
            let filter = Filter { search: Some(search.to_owned()), ..Filter::default() };
            let page =
                Page { sort: "created_at".into(), descending: true, limit: 50, offset: round % 3 * 50 };
            let started = Instant::now();
            let found = store.read(|connection| {
                let mut rows = 0;
                registrations::page(connection, kind, &filter, &page, |_| {
                    rows += 1;
                    Ok(())
                })?;
                Ok((rows, registrations::count(connection, kind, &filter)?))
            });
            times.push(started.elapsed());
            assert!(found.expect("a list").0 <= 50);
        }
    }
    times.sort_unstable();
    println!(
        "list with a search over {LISTED} records: median {:.1} ms, p99 {:.1} ms (aim 50)",
        times[times.len() / 2].as_secs_f64() * 1e3,
        times[times.len() * 99 / 100].as_secs_f64() * 1e3
    );
}

fn find(database: &Path) {
    let connection = open_connection(database).expect("a connection");
    connection
        .execute(
            "with recursive counted (value) as (select 1 union all select value + 1 from counted where value < ?)
             insert into competition_entries (created_at, name, email, phone, phone_normalised, instagram_normalised,
                    business_name, location, tax_location, primary_category, sub_category, additional_categories,
                    agreement_terms, agreement_media, payment_amount_cents)
             select strftime('%Y-%m-%dT%H:%M:%fZ', 1764000000 + value * 10, 'unixepoch'), 'Entrant ' || value,
                    'entrant.' || value || '@example.com', '+1 201-555-0101', '+1201' || (5000000 + value),
                    '@entrant.' || value, 'Studio ' || (value % 97), 'Jersey City, NJ', 'new-jersey',
                    case when value % 1000 = 0 then 'makeup' else 'brows' end, 'Creative', 0, 1, 1, 48492
             from counted",
            [LISTED],
        )
        .expect("entries");
    connection.execute_batch("pragma wal_checkpoint(truncate); analyze").expect("a checkpoint");
    let store = Store::open(database).expect("a store");
    let makeup = [("makeup", None)];
    let searches =
        ["entrant.4711@", "(201) 504-7110", "@entrant.99", "makeup", "studio 7", "ÉLODIE", "zzz", "e"];
    let mut times = Vec::new();
    for _ in 0..25 {
        for search in searches {
            let categories: &[(&str, Option<&str>)] = if search == "makeup" { &makeup } else { &[] };
            let started = Instant::now();
            let found = store.read(|connection| {
                let mut rows = 0;
                for kind in Kind::ALL {
                    rows += registrations::find(connection, kind, search, categories, 50)?.len();
                }
                Ok(rows)
            });
            times.push(started.elapsed());
            assert_eq!(found.expect("a search") == 0, search == "zzz", "{search}");
        }
    }
    times.sort_unstable();
    println!(
        "search over all kinds of {} records: median {:.1} ms (aim 100), p99 {:.1} ms",
        2 * LISTED,
        times[times.len() / 2].as_secs_f64() * 1e3,
        times[times.len() * 99 / 100].as_secs_f64() * 1e3
    );
}

fn door(database: &Path) {
    let app = app(database);
    open_connection(database)
        .expect("a connection")
        .execute(
            "with recursive counted (value) as (select 1 union all select value + 1 from counted where value < ?)
             insert into competition_entries (created_at, name, email, phone, business_name, location, tax_location,
                    primary_category, sub_category, additional_categories, agreement_terms, agreement_media,
                    payment_amount_cents, payment_status)
             select '2026-01-01T00:00:00.000Z', 'Person ' || (value * 7919 % 5000), 'e' || value || '@example.com',
                    '+1 201-555-0101', 'Studio ' || value, 'Jersey City, NJ', 'new-york', 'brows', 'Lamination', 0, 1, 1,
                    48492, 'paid' from counted",
            [PEOPLE],
        )
        .expect("entries");
    let choice = Choice { name: ListName::Door, day: Some(1) };
    let best = (0..ROUNDS)
        .map(|_| {
            let started = Instant::now();
            let list = lists::list(&app, &Actor::CommandLine, choice, time::now()).expect("a list");
            let page = lists::to_html(&list).expect("a page");
            assert!(page.len() > 100_000);
            started.elapsed()
        })
        .min()
        .unwrap_or_default();
    println!("door list of {PEOPLE} entries: {:.0} ms (aim 200)", best.as_secs_f64() * 1e3);
}

fn mailing(database: &Path) {
    let app = app(database);
    open_connection(database)
        .expect("a connection")
        .execute(
            "with recursive counted (value) as (select 1 union all select value + 1 from counted where value < ?)
             insert into waitlist_signups (created_at, name, email, want_to_compete, additional_nominations)
             select '2026-01-01T00:00:00.000Z', 'Person ' || value, 'p' || value || '@example.com', 1, '0' from counted",
            [PEOPLE],
        )
        .expect("people");
    let draft = Draft {
        group: Some(json!({ "kind": "waitlist-signups" })),
        subject: Some("News for {name}".into()),
        text: Some("Dear {name},\n\nthe hall has changed.\n\nSee you at {event}.".into()),
        ..Draft::default()
    };
    let id = mailings::create(&app, &Actor::CommandLine, &draft).expect("a draft");
    let started = Instant::now();
    let people = mailings::send(&app, &Actor::CommandLine, id, Expected::Any).expect("a group");
    println!("a group of {people} frozen: {:.0} ms (aim 1000)", started.elapsed().as_secs_f64() * 1e3);

    let mut pace = Pace::new(MAILS_PER_MINUTE);
    let (started, mut queued) = (Instant::now(), 0);
    while queued < PACED {
        match pace.due(Instant::now()) {
            0 => std::thread::sleep(Duration::from_millis(1)),
            due => {
                let count = mailings::queue_due(&app, due, time::now()).expect("emails");
                pace.advance(count, Instant::now());
                queued += count;
            }
        }
    }
    let rate = queued as f64 / started.elapsed().as_secs_f64() * 60.0;
    println!(
        "its emails: {rate:.0} a minute where {MAILS_PER_MINUTE} are set ({:+.1} %, aim 5)",
        (rate / f64::from(MAILS_PER_MINUTE) - 1.0) * 100.0
    );
    let memory = resident_kb();
    let started = Instant::now();
    let mut rest = 0;
    loop {
        match mailings::queue_due(&app, 16, time::now()).expect("emails") {
            0 => break,
            count => rest += count,
        }
    }
    println!(
        "the other {rest} without a rate: {:.0} a second; memory {:+} KB meanwhile (of {memory} KB)",
        rest as f64 / started.elapsed().as_secs_f64(),
        resident_kb() - memory
    );
}

fn app(database: &Path) -> App {
    migrate::migrate(database).expect("a database");
    let content = Content::parse(Content::default_toml()).expect("the default content");
    App::new(Config::default(), Store::open(database).expect("a store"), content).expect("an application")
}

/// The memory of this process.
fn resident_kb() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse().ok()).expect("a number")
}

/// Inserts speaker applications of the usual length, one every ten seconds.
fn fill(database: &Path, rows: i64) {
    migrate::migrate(database).expect("a database");
    let connection = open_connection(database).expect("a connection");
    connection
        .execute(
            "with recursive counted (value) as (select 1 union all select value + 1 from counted where value < ?)
             insert into speaker_applications (created_at, name, email, phone, company, expertise, speaking_experience,
                    experience, topic_proposal, terms_accepted, photography_consent)
             select strftime('%Y-%m-%dT%H:%M:%fZ', 1764000000 + value * 10, 'unixepoch'),
                    case when value % 1000 = 0 then 'Élodie' else 'Person ' || value end, 'person.' || value || '@example.com',
                    '+1 201-555-0101', 'Studio ' || (value % 97), 'education', 'experienced',
                    'Twelve years behind the chair and six in front of a class, \"from basics\" to advanced mapping.',
                    'Retention is a habit: a twenty-minute talk about aftercare, honest pricing and the calendar that keeps clients, with three templates to take home.',
                    1, 1
             from counted",
            [rows],
        )
        .expect("rows");
    connection.execute_batch("pragma wal_checkpoint(truncate); analyze").expect("a checkpoint");
}

fn timed(mut command: Command) -> Duration {
    let started = Instant::now();
    let status = command.stdout(Stdio::null()).status().expect("it runs");
    assert!(status.success());
    started.elapsed()
}

/// The peak memory of any child process so far, in KB.
#[expect(unsafe_code, reason = "the standard library does not tell")]
fn peak_memory_of_children() -> i64 {
    // SAFETY: getrusage(2) only writes to the struct that it is given.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage.ru_maxrss
    }
}
