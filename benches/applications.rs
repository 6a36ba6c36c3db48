//! Complete speaker applications from 64 clients (rules, screening, agreements, the search for an earlier application, the
//! queued email, the audit line, the idempotency key) compared with bare inserts of the same record through the same group
//! commit, in one run.
//!
//! Run: `cargo bench --bench applications`. Aim: at least a quarter of the rate of bare inserts.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::{Value, json};
use showcase::app::App;
use showcase::config::Config;
use showcase::forms;
use showcase::forms::Offered;
use showcase::model::Kind;
use showcase::registrations::submit::Submission;
use showcase::registrations::submit::register;
use showcase::site::content::Content;
use showcase::store::Store;
use showcase::store::migrate;
use showcase::store::registrations;
use showcase::store::registrations::ExtraColumns;

const CLIENTS: u64 = 64;
const NOW: &str = "2026-03-28T13:30:00.000Z";
const KIND: Kind = Kind::SpeakerApplications;

/// An application of the usual length, from a person who has not applied before.
fn body(number: u64) -> Value {
    json!({
        "name": "Ada Sample", "email": format!("ada.{number}@example.com"), "phone": "(201) 555-0101",
        "instagram": "https://www.instagram.com/ada.sample/", "company": "Sample Lash Studio",
        "expertise": "education", "speakingExperience": "experienced",
        "experience": "Twelve years behind the chair and six in front of a class, from basics to advanced mapping.",
        "topicProposal": "Retention is a habit: a twenty-minute talk about aftercare, honest pricing and the calendar that keeps clients, with three templates to take home.",
        "portfolio": "https://example.com/ada", "termsAccepted": true, "photographyConsent": true,
        "agreedTo": {"termsAccepted": "2025-09-01", "photographyConsent": "2025-09-01"},
        "referralNote": "", "secondsSpent": 240
    })
}

/// Runs `each` from all clients at the same time, `count` times in total, and returns how long that took.
fn by_all_clients(count: u64, each: impl Fn() + Sync) -> Duration {
    let started = Instant::now();
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let share = count / CLIENTS + u64::from(client < count % CLIENTS);
            let each = &each;
            scope.spawn(move || (0..share).for_each(|_| each()));
        }
    });
    started.elapsed()
}

fn applications(criterion: &mut Criterion) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder on a real disk");
    let store = |name: &str| {
        let path = folder.path().join(name);
        migrate::migrate(&path).expect("a database");
        Store::open(&path).expect("a store")
    };
    let mut group = criterion.benchmark_group("applications_64_clients");
    group.throughput(Throughput::Elements(1)).sample_size(10).measurement_time(Duration::from_secs(10));

    let bare = store("bare.db");
    let record = forms::parse(KIND, &body(0), &Offered::default()).expect("a valid record");
    group.bench_function("bare_group_committed_insert", |bencher| {
        bencher.iter_custom(|count| {
            by_all_clients(count, || {
                let one = record.clone();
                let insert = move |connection: &_| {
                    registrations::insert(connection, &one, &ExtraColumns::default(), NOW)
                };
                black_box(bare.write(insert).expect("inserted"));
            })
        });
    });

    let content = Content::parse(Content::default_toml()).expect("the default content");
    let app = App::new(Config::default(), store("whole.db"), content).expect("an application");
    let numbers = AtomicU64::new(1);
    group.bench_function("accepted_application", |bencher| {
        bencher.iter_custom(|count| {
            by_all_clients(count, || {
                let number = numbers.fetch_add(1, Ordering::Relaxed);
                let (body, key) = (body(number), format!("key-{number}"));
                let submission = Submission { key: Some(&key), ..Submission::new(KIND, &body) };
                black_box(register(&app, &submission).expect("accepted"));
            })
        });
    });
    group.finish();
}

criterion_group!(benches, applications);
criterion_main!(benches);
