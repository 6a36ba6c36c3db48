use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::site::content::model::judging::{Criterion, Method, Penalty, PointStep};

/// Values by two keys, such as code and judge.
type Table = BTreeMap<String, BTreeMap<String, f64>>;

/// A case of `tests/vectors/judging.json`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Vector {
    name: String,
    max: u32,
    least_shared: Option<usize>,
    minimum_for_places: Option<u32>,
    threshold_percent: Option<u32>,
    penalty_cap: Option<u32>,
    /// Points by code and judge.
    entries: Table,
    #[serde(default)]
    absent: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    penalties: BTreeMap<String, Table>,
    #[serde(default)]
    disqualified: Vec<String>,
    #[serde(default)]
    decisions: Vec<TieDecision>,
    /// Points, place and adjustment by code.
    #[serde(default)]
    expected: BTreeMap<String, (String, Option<u32>, Option<String>)>,
    refused: Option<String>,
}

const PENALTIES: [&str; 3] = ["filter", "mark", "lenses"];

fn rubric(criteria: &[u32]) -> Rubric {
    let criterion = |(index, max): (usize, &u32)| Criterion {
        key: format!("c{index}"),
        label: String::new(),
        full_marks: String::new(),
        max: *max,
    };
    let penalty = |key: &&str| Penalty { key: (*key).into(), label: String::new(), max: 10 };
    Rubric {
        category: String::new(),
        sub_category: String::new(),
        method: Method::Mean,
        step: PointStep::Half,
        minimum_for_places: 1,
        threshold_percent: None,
        second_look_points: 12,
        penalty_cap: 15,
        tie_order: Vec::new(),
        criteria: criteria.iter().enumerate().map(criterion).collect(),
        penalties: PENALTIES.iter().map(penalty).collect(),
    }
}

fn competition(rubric: &Rubric, entries: Vec<Entry>) -> Competition {
    Competition { rubric: rubric.clone(), entries, decisions: Vec::new() }
}

fn judge(name: &str) -> i64 {
    i64::from(name.as_bytes()[0])
}

fn halves(points: f64) -> Halves {
    (points * 2.0) as Halves
}

#[test]
fn the_shared_vectors_hold() {
    let vectors: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../../../tests/vectors/judging.json")).expect("the vectors");
    assert!(vectors.len() > 10);
    for mut vector in vectors {
        // A shorter list means no adjustment.
        let expected = vector.get_mut("expected").and_then(|expected| expected.as_object_mut());
        for expected in expected.into_iter().flat_map(|map| map.values_mut()) {
            let list = expected.as_array_mut().expect("a list");
            list.resize(3, serde_json::Value::Null);
        }
        check(&serde_json::from_value(vector).expect("a vector"));
    }
}

fn check(vector: &Vector) {
    let rubric = Rubric {
        minimum_for_places: vector.minimum_for_places.unwrap_or(1),
        threshold_percent: vector.threshold_percent,
        penalty_cap: vector.penalty_cap.unwrap_or(15),
        ..rubric(&[vector.max])
    };
    let entry = |(code, points): (&String, &BTreeMap<String, f64>)| Entry {
        code: code.clone(),
        is_disqualified: vector.disqualified.contains(code),
        sheets: points
            .iter()
            .map(|(name, points)| ConfirmedSheet {
                judge: judge(name),
                points: vec![halves(*points)],
                penalties: PENALTIES
                    .iter()
                    .map(|key| {
                        let of_judge = vector.penalties.get(code).and_then(|penalties| penalties.get(name));
                        of_judge.and_then(|penalties| penalties.get(*key)).map_or(0, |points| halves(*points))
                    })
                    .collect(),
            })
            .collect(),
        absent: vector.absent.get(code).into_iter().flatten().map(|name| judge(name)).collect(),
    };
    let entries: Vec<Entry> = vector.entries.iter().map(entry).collect();
    let competition = Competition { rubric, entries, decisions: vector.decisions.clone() };
    let results = compute_with(&competition, vector.least_shared.unwrap_or(MIN_SHARED));
    let name = &vector.name;
    let results = match (&vector.refused, results) {
        (None, results) => results.unwrap_or_else(|refusal| panic!("{name}: {refusal:?}")),
        (Some(refused), Err(NotScored { code })) => {
            assert_eq!(&code, refused, "{name}");
            return;
        }
        (Some(_), Ok(_)) => panic!("{name}: not refused"),
    };
    assert_eq!(results.len(), vector.expected.len(), "{name}");
    for result in results {
        let found = (decimal(&result.points), result.place, result.adjustment.as_ref().map(decimal));
        assert_eq!(found, vector.expected[&result.code], "{name}: {}", result.code);
    }
}

#[test]
fn each_step_of_the_ladder_decides_what_the_ones_before_left_equal() {
    let mut rubric = rubric(&[10, 10]);
    rubric.tie_order = vec!["c1".into()];
    let sheet =
        |judge, a: Halves, b: Halves| ConfirmedSheet { judge, points: vec![a, b], penalties: vec![0; 3] };
    let entry =
        |code: &str, sheets| Entry { code: code.into(), is_disqualified: false, sheets, absent: Vec::new() };
    let mut penalised = sheet(1, 20, 10);
    penalised.penalties[0] = 4;
    for (name, a, b, step) in [
        ("penalties", vec![sheet(1, 10, 16)], vec![penalised], TieStep::FewerPenalties),
        ("a criterion", vec![sheet(1, 10, 16)], vec![sheet(1, 16, 10)], TieStep::Criterion(1)),
        (
            "more judges",
            vec![sheet(1, 11, 10), sheet(2, 11, 10), sheet(3, 8, 10)],
            vec![sheet(1, 10, 10), sheet(2, 10, 10), sheet(3, 10, 10)],
            TieStep::MoreJudges,
        ),
    ] {
        let results = compute(&competition(&rubric, vec![entry("B", b), entry("A", a)])).expect("results");
        assert_eq!(results[0].points, results[1].points, "{name}");
        let order: Vec<_> =
            results.iter().map(|entry| (entry.code.as_str(), entry.place, entry.tie)).collect();
        assert_eq!(order, [("A", Some(1), Some(step)), ("B", Some(2), Some(step))], "{name}");
    }
}

#[test]
fn fractions_are_written_with_two_decimals_and_halves_away_from_zero() {
    for (numerator, denominator, text) in [
        (0, 1, "0.00"),
        (1, 3, "0.33"),
        (2, 3, "0.67"),
        (1, 200, "0.01"),
        (-1, 200, "-0.01"),
        (-65, 18, "-3.61"),
        (-1, 1000, "0.00"),
        (15151, 200, "75.76"),
    ] {
        let value = Fraction::new(numerator.into(), denominator.into());
        assert_eq!(decimal(&value), text, "{numerator}/{denominator}");
    }
}

#[test]
fn a_judge_far_from_the_median_is_suggested_and_severity_is_silent_in_a_small_field() {
    let rubric = rubric(&[100]);
    let entry = |number: i64, points: [i64; 3]| Entry {
        code: format!("LL-{number}"),
        is_disqualified: false,
        sheets: (1..)
            .zip(points)
            .map(|(judge, points)| ConfirmedSheet { judge, points: vec![points * 2], penalties: vec![0; 3] })
            .collect(),
        absent: Vec::new(),
    };
    let mut entries: Vec<Entry> =
        (0..7).map(|number| entry(number, [80 + number, 70 + number, 75 + number])).collect();
    entries[3].sheets[1].points[0] -= 30;
    let small = competition(&rubric, entries.clone());
    let found: Vec<_> = suggested_second_looks(&small)
        .into_iter()
        .map(|outlier| (outlier.code, outlier.judge, decimal(&outlier.distance)))
        .collect();
    assert_eq!(found, [("LL-3".to_owned(), 2, "-20.00".to_owned())]);
    assert_eq!(severity(&small), None);
    entries.push(entry(7, [87, 77, 82]));
    let judges = severity(&competition(&rubric, entries.clone())).expect("eight entries");
    assert_eq!(judges.len(), 3);
    assert!(judges[0].distance > 7.0 && judges[1].distance < -7.0, "{judges:?}");
    assert!(
        judges.iter().all(|judge| judge.agreement.is_some_and(|agreement| agreement > 0.5)),
        "{judges:?}"
    );
    // A reserve who stepped in for two entries.
    for entry in &mut entries[..2] {
        entry.sheets[2].judge = 4;
    }
    let severities = severity(&competition(&rubric, entries)).expect("eight entries");
    let judges: Vec<i64> = severities.iter().map(|severity| severity.judge).collect();
    assert_eq!(judges, [1, 2], "two or six sheets say nothing of a judge");
}

/// The points of each entry, computed as slowly and plainly as possible: one unknown for each entry and each judge.
fn reference(entries: &[Entry]) -> Option<BTreeMap<String, Fraction>> {
    let judges = judges_of(&entries.iter().collect::<Vec<_>>());
    // The first unknown, which is 0, is the first judge's severity; then the other judges', then the entries' means.
    let count = judges.len() + entries.len();
    let mut rows = vec![vec![half_points(0); count + 1]; count];
    for (index, entry) in entries.iter().enumerate() {
        for sheet in &entry.sheets {
            let (judge, mean) =
                (judges.iter().position(|known| *known == sheet.judge)?, judges.len() + index);
            for row in [judge, mean] {
                rows[row][judge] += fraction::whole(1);
                rows[row][mean] += fraction::whole(1);
                rows[row][count] += half_points(sheet.total());
            }
        }
    }
    let solved = fraction::solve_with_first_zero(rows);
    let mut points = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let mut totals: Vec<Fraction> = entry.sheets.iter().map(|sheet| half_points(sheet.total())).collect();
        let shares = |judge: &i64| {
            entries
                .iter()
                .any(|entry| entry.sheets.len() > 1 && entry.sheets.iter().any(|sheet| sheet.judge == *judge))
        };
        let estimate = |absent: &i64| {
            let judge = judges.iter().position(|known| known == absent).filter(|_| shares(absent))?;
            Some(solved[judge].clone()? + solved[judges.len() + index].clone()?)
        };
        // One that is unknown leaves the mean of those who scored.
        totals.extend(entry.absent.iter().map(estimate).collect::<Option<Vec<_>>>().unwrap_or_default());
        let highest =
            |penalty: usize| entry.sheets.iter().map(|sheet| sheet.penalties[penalty]).max().unwrap_or(0);
        let penalty = (highest(0) + highest(1) + highest(2)).min(30);
        let sum = totals.iter().fold(half_points(0), |sum, total| sum + total);
        points.insert(entry.code.clone(), sum / fraction::whole(totals.len()) - half_points(penalty));
    }
    Some(points)
}

/// Dice for an absence, points and penalties.
type Drawn = (u8, Vec<i64>, Vec<i64>);

fn field_of_entries() -> impl Strategy<Value = Vec<Entry>> {
    let sheet = (0..5u8, prop::collection::vec(0..=20i64, 2), prop::collection::vec(0..=20i64, 3));
    (2..6usize).prop_flat_map(move |judges| {
        prop::collection::vec(prop::collection::vec(sheet.clone(), judges), 2..9).prop_map(move |entries| {
            let entry = |(number, sheets): (usize, Vec<Drawn>)| {
                // About one judge in five is absent, but never the first one of an entry.
                let is_absent = |judge: usize, dice: u8| dice == 0 && judge != number % judges;
                let (absent, sheets): (Vec<_>, Vec<_>) =
                    sheets.into_iter().enumerate().partition(|(judge, (dice, ..))| is_absent(*judge, *dice));
                let scored = |(judge, (_, points, penalties)): (usize, Drawn)| {
                    let penalties =
                        penalties.into_iter().map(|points| if points > 14 { points } else { 0 }).collect();
                    ConfirmedSheet { judge: judge as i64, points, penalties }
                };
                Entry {
                    code: format!("LL-{number}"),
                    is_disqualified: false,
                    sheets: sheets.into_iter().map(scored).collect(),
                    absent: absent.into_iter().map(|(judge, _)| judge as i64).collect(),
                }
            };
            entries.into_iter().enumerate().map(entry).collect()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn points_are_those_of_a_slow_reference_and_places_follow_them(entries in field_of_entries()) {
        let rubric = rubric(&[10, 10]);
        let Ok(results) = compute_with(&competition(&rubric, entries.clone()), 1) else { return Ok(()) };
        let expected = reference(&entries).expect("a solution where there are results");
        prop_assert_eq!(results.len(), entries.len());
        for result in &results {
            prop_assert_eq!(&result.points, &expected[&result.code]);
            let better = results.iter().filter(|other| other.points > result.points).count() as u32;
            let equal = results.iter().filter(|other| other.points == result.points).count() as u32;
            let place = result.place.expect("a place");
            prop_assert!((better + 1..=better + equal).contains(&place), "{}: {}", result.code, place);
            prop_assert!(equal > 1 || result.tie.is_none());
            let shares = results.iter().any(|other| other.code != result.code && other.place == result.place);
            prop_assert_eq!(shares, result.tie == Some(TieStep::Shared));
        }
    }
}
