//! Results of a large competition: 40 entries, five judges, ten criteria. Issue: under 20 ms.

use std::time::Instant;

use showcase::judging::results::{Entry, Field, Sheet, compute};
use showcase::site::content::Content;
use showcase::site::content::model::judging::Criterion;

const ENTRIES: i64 = 40;
const JUDGES: i64 = 5;
const ROUNDS: u32 = 50;

fn main() {
    let content = Content::parse(Content::default_toml()).expect("the default content");
    let mut rubric = content.judging.rubrics[0].clone();
    let tenth = Criterion { key: "tenth".into(), label: String::new(), full_marks: String::new(), max: 10 };
    rubric.criteria.push(tenth);
    assert_eq!(rubric.criteria.len(), 10);
    for gaps in [0, 8] {
        let entries: Vec<Entry> = (0..ENTRIES).map(|entry| self::entry(entry, entry < gaps)).collect();
        let field = Field { rubric: &rubric, entries: &entries, decisions: &[] };
        let started = Instant::now();
        for _ in 0..ROUNDS {
            assert_eq!(compute(&field).expect("results").len(), entries.len());
        }
        let each = started.elapsed() / ROUNDS;
        println!("{ENTRIES} entries, {JUDGES} judges, 10 criteria, {gaps} judges absent: {each:?}");
    }
}

fn entry(number: i64, has_gap: bool) -> Entry {
    let absent: Vec<i64> = if has_gap { vec![number % JUDGES] } else { Vec::new() };
    let sheet = |judge: i64| Sheet {
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
