//! The organiser's side: the export of 1,000,000 registrations as CSV, with its peak memory, compared with the `sqlite3`
//! shell's dump of the same rows in the same run; a list with a search over 100,000 records, with its count; and the
//! search over all kinds, with 100,000 applications and 100,000 entries.
//!
//! Run: `cargo bench --bench organiser` (needs the `sqlite3` shell). SHOWCASE_BENCH_ROWS sets another number of exported
//! rows. Aims: at most 1.5 times the shell's time, under 60 MB; p99 of a list under 50 ms; median of a search over all
//! kinds under 100 ms.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use showcase::model::Kind;
use showcase::store::Store;
use showcase::store::migrate;
use showcase::store::open_connection;
use showcase::store::registrations;
use showcase::store::registrations::Filter;
use showcase::store::registrations::Nomination;
use showcase::store::registrations::Page;

const LISTED: i64 = 100_000;
const ROUNDS: usize = 3;

fn main() {
    // `cargo test` also runs benches, and these take minutes.
    if std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        return;
    }
    let rows =
        std::env::var("SHOWCASE_BENCH_ROWS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder on a real disk");
    export(&folder.path().join("export.db"), rows);
    list(&folder.path().join("list.db"));
    find(&folder.path().join("list.db"));
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
    let makeup = [Nomination { category: "makeup".into(), subcategory: None }];
    let searches =
        ["entrant.4711@", "(201) 504-7110", "@entrant.99", "makeup", "studio 7", "ÉLODIE", "zzz", "e"];
    let mut times = Vec::new();
    for _ in 0..25 {
        for search in searches {
            let nominations: &[Nomination] = if search == "makeup" { &makeup } else { &[] };
            let started = Instant::now();
            let found = store.read(|connection| {
                let mut rows = 0;
                for kind in Kind::ALL {
                    rows += registrations::find(connection, kind, search, nominations, 50)?.len();
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
fn peak_memory_of_children() -> i64 {
    // SAFETY: getrusage(2) only writes to the struct that it is given.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage.ru_maxrss
    }
}
