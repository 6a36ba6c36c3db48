//! Sample judges and scores, for the demo: one sealed competition, and one that is open.

use super::access::{self, Judge};
use super::panel::{self, Panel};
use super::scoring::{self, Change, Scored};
use super::work::{self, Item};
use super::{judges, organiser, seal};
use crate::app::App;
use crate::error::Result;
use crate::model::Actor;
use crate::portal::access::{Audience, demo_link};

const JUDGES: [(&str, &str); 3] = [
    ("Mara Sample", "mara.sample@example.com"),
    ("Nora Example", "nora.example@example.com"),
    ("Olive Placeholder", "olive.placeholder@example.com"),
];
/// All of its sheets are confirmed, and its results sealed.
pub const SEALED: (&str, &str) = ("lash-lift", "Standard Lash Lift");
/// The first judge has saved a few points.
pub const OPEN: (&str, &str) = ("lash-extensions", "Volume");

/// Invites the judges and scores the nominations that are ready; a line for each judge with the link.
pub fn fill(app: &App) -> Result<Vec<String>> {
    let content = app.content();
    if content.judging.rubric(SEALED.0, SEALED.1).is_none()
        || content.judging.rubric(OPEN.0, OPEN.1).is_none()
    {
        return Ok(Vec::new());
    }
    let mut ids = Vec::new();
    let mut lines = Vec::new();
    for (name, email) in JUDGES {
        let invitation = judges::Invitation { name: name.into(), email: email.into(), ..Default::default() };
        ids.push(judges::invite(app, &Actor::Demo, &invitation)?);
        lines.push(format!("The score sheets of {name}: {}", demo_link(app, Audience::Judges, email)?));
    }
    let wanted = Panel { head: ids.first().copied(), judges: ids, reserves: Vec::new() };
    for (category, sub_category) in [SEALED, OPEN] {
        panel::set(app, &Actor::Demo, category, sub_category, &wanted)?;
    }
    let version = content.judging.terms.version.clone();
    for (number, (_, email)) in JUDGES.into_iter().enumerate() {
        let judge = access::judge_with_email(app, email)?;
        access::accept_terms(app, &judge, true, &version)?;
        score(app, &access::judge_with_email(app, email)?, number)?;
    }
    let detail = organiser::get(app, SEALED.0, SEALED.1)?;
    if detail.blockers.is_empty() {
        seal::seal(app, &Actor::Demo, SEALED.0, SEALED.1)?;
    }
    Ok(lines)
}

/// Scores the sheets of the sealed competition, and, for the first judge, half of the first open one.
fn score(app: &App, judge: &Judge, number: usize) -> Result<()> {
    let items = work::list(app, judge)?.items;
    let codes: Vec<String> = items.iter().map(|item| item.code.clone()).collect();
    let is_of_sealed = |item: &Item| (item.category.as_str(), item.sub_category.as_str()) == SEALED;
    let first_open = items.iter().find(|item| !is_of_sealed(item)).map(|item| item.token.clone());
    for item in items {
        let sheet = work::sheet(app, judge, &item.token)?;
        let is_sealed = is_of_sealed(&item);
        if !is_sealed && (number > 0 || first_open.as_ref() != Some(&item.token)) {
            continue;
        }
        // Each entry is a point a criterion better than the one before it.
        let rank = codes.iter().filter(|code| **code < item.code && code[..2] == item.code[..2]).count();
        let count = if is_sealed { sheet.criteria.len() } else { sheet.criteria.len() / 2 };
        let mut changes: Vec<Change> = sheet.criteria[..count]
            .iter()
            .enumerate()
            .map(|(index, criterion)| {
                let lost = (number + index) % 2 + rank;
                let points = f64::from(criterion.max) - lost as f64;
                change(&item.code, index, Scored::Points { criterion: criterion.key.clone(), points })
            })
            .collect();
        if is_sealed && number == 0 {
            let text =
                "Clean work with a steady hand. Next time, open the inner corner a little more.".to_owned();
            changes.push(change(&item.code, count, Scored::Comment { text }));
        }
        scoring::save(app, judge, &item.token, changes)?;
        if is_sealed {
            scoring::confirm(app, judge, &item.token, None)?;
        }
    }
    Ok(())
}

fn change(code: &str, index: usize, value: Scored) -> Change {
    let id = format!("demo-{code}-{index}");
    Change { id, value, at: None, device: Some("demo".into()), rubric_version: None }
}
