//! A large competition: its results with 40 entries, five judges and ten criteria, and the certificates of 500
//! competitors in one answer.
//!
//! Run: `cargo bench --bench judging`. Aims: 20 ms, and one second.

use std::time::Instant;

use showcase::app::App;
use showcase::config::Config;
use showcase::judging::certificates::{self, Filter};
use showcase::judging::results::{Competition, ConfirmedSheet, Entry, compute};
use showcase::judging::sealed_results::{KeyPoints, ResultState, Sealed, SealedResult};
use showcase::site::content::Content;
use showcase::site::content::model::judging::Criterion;
use showcase::store::{Store, migrate, open_connection};

const ENTRIES: i64 = 40;
const JUDGES: i64 = 5;
const ROUNDS: u32 = 50;
/// Competitors with certificates, in one competition: the slowest way to have so many.
const CERTIFIED: usize = 500;

fn main() {
    results();
    certificates();
}

fn results() {
    let content = Content::parse(Content::default_toml()).expect("the default content");
    let mut rubric = content.judging.rubrics[0].clone();
    let tenth = Criterion { key: "tenth".into(), label: String::new(), full_marks: String::new(), max: 10 };
    rubric.criteria.push(tenth);
    assert_eq!(rubric.criteria.len(), 10);
    for gaps in [0, 8] {
        let entries: Vec<Entry> = (0..ENTRIES).map(|entry| self::entry(entry, entry < gaps)).collect();
        let competition = Competition { rubric: rubric.clone(), entries, decisions: Vec::new() };
        let started = Instant::now();
        for _ in 0..ROUNDS {
            assert_eq!(compute(&competition).expect("results").len(), competition.entries.len());
        }
        let each = started.elapsed() / ROUNDS;
        println!("{ENTRIES} entries, {JUDGES} judges, 10 criteria, {gaps} judges absent: {each:?}");
    }
}

fn entry(number: i64, has_gap: bool) -> Entry {
    let absent: Vec<i64> = if has_gap { vec![number % JUDGES] } else { Vec::new() };
    let sheet = |judge: i64| ConfirmedSheet {
        judge,
        points: (0..10).map(|index| 8 + (number * 7 + judge * 3 + index * 5) % 13).collect(),
        penalties: vec![0; 4],
    };
    Entry {
        code: format!("LE-{number}"),
        is_disqualified: false,
        sheets: (0..JUDGES).filter(|judge| !absent.contains(judge)).map(sheet).collect(),
        absent,
    }
}

fn certificates() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder on a real disk");
    let database = folder.path().join("certificates.db");
    migrate::migrate(&database).expect("a database");
    let connection = open_connection(&database).expect("a connection");
    let sealed = Sealed { entries: Vec::new(), results: sealed_results() };
    connection
        .execute_batch(&format!(
            "insert into judged_categories (category, sub_category, sealed_at, published_at, results)
             values ('brows', 'Lamination', '2026-03-02T00:00:00.000Z', '2026-03-02T01:00:00.000Z', '{}');
             with recursive counted (value) as (select 1 union all select value + 1 from counted where value < {CERTIFIED})
             insert into competition_entries (created_at, name, email, phone, business_name, location, tax_location,
                    primary_category, sub_category, additional_categories, agreement_terms, agreement_media,
                    payment_amount_cents, payment_status)
             select '2026-01-01T00:00:00.000Z', 'Person ' || value, 'e' || value || '@example.com', '+1 201-555-0101',
                    'Studio', 'Jersey City, NJ', 'new-york', 'brows', 'Lamination', 0, 1, 1, 48492, 'paid' from counted;
             insert into nominations (created_at, entry_id, code, category, sub_category, state)
             select created_at, id, 'BR-' || id, 'brows', 'Lamination', 'ready' from competition_entries;
             insert into certificates (code, created_at, kind, nomination_id, category_id)
             select 'CERTIFICATE' || id, created_at, 'participant', id, 1 from nominations;",
            serde_json::to_string(&sealed).expect("JSON").replace('\'', "''")
        ))
        .expect("rows");
    let content = Content::parse(Content::default_toml()).expect("the default content");
    let store = Store::open(&database).expect("a store");
    let app = App::new(Config::default(), store, content).expect("an application");
    let best = (0..3).map(|_| {
        let started = Instant::now();
        assert_eq!(certificates::list(&app, &Filter::default()).expect("certificates").len(), CERTIFIED);
        started.elapsed()
    });
    println!("{CERTIFIED} certificates: {:?} (aim 1 s)", best.min().unwrap_or_default());
}

fn sealed_results() -> Vec<SealedResult> {
    let points = |key: usize| KeyPoints {
        key: format!("criterion_{key}"),
        points: "12.33".into(),
        exact: "37/3".into(),
    };
    let result = |number: usize| SealedResult {
        code: format!("BR-{number}"),
        points: "81.67".into(),
        exact: "245/3".into(),
        total: "81.67".into(),
        penalties: "0.00".into(),
        adjustment: None,
        place: Some(u32::try_from(number).expect("a small number")),
        state: ResultState::Placed,
        sentence: None,
        criteria: (0..10).map(points).collect(),
        penalty_points: Vec::new(),
    };
    (1..=CERTIFIED).map(result).collect()
}
