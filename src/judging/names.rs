//! Conflicts that a judge declares from the competitors' names, before a score is saved. The list has names and no codes, so that
//! a judge can't match a name with a sheet.

use rusqlite::Connection;
use serde::Serialize;

use super::access::Judge;
use super::work::of_judge;
use super::{panel, reason};
use crate::app::App;
use crate::error::{Error, Result};
use crate::store::judging::categories::Category;
use crate::store::judging::judges;
use crate::store::judging::panels::{self, ConflictSource, Role};
use crate::store::judging::sheets;

/// The competitors of a judge's subcategories by name, without codes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Names {
    pub categories: Vec<NamesOfCategory>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamesOfCategory {
    pub category: String,
    pub sub_category: String,
    pub label: String,
    /// Whether the judge can still declare conflicts here. That ends with their first saved score, and with the seal.
    pub open: bool,
    pub people: Vec<Name>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Name {
    pub token: String,
    pub name: String,
    pub business_name: String,
    pub declared: bool,
}

/// The people whom the judge may know, by name.
pub fn list(app: &App, judge: &Judge) -> Result<Names> {
    let content = app.content();
    app.store.read(|connection| {
        let entrants = judges::entrants(connection)?;
        let mut found = Names { categories: Vec::new() };
        for (category, _) in of_judge(connection, judge)? {
            let (of, sub) = (category.category.as_str(), category.sub_category.as_str());
            let declared: Vec<i64> = panels::conflicts(connection, of, sub)?
                .into_iter()
                .filter(|one| one.judge_id == judge.id && one.source == ConflictSource::Judge)
                .map(|one| one.nomination_id)
                .collect();
            let mut people = Vec::new();
            for entrant in entrants.iter().filter(|one| one.category == of && one.sub_category == sub) {
                let token = sheets::entrant_token(connection, judge.id, entrant.nomination_id)?;
                let Some(token) = token else { continue };
                people.push(Name {
                    token,
                    name: entrant.name.clone(),
                    business_name: entrant.business_name.clone(),
                    declared: declared.contains(&entrant.nomination_id),
                });
            }
            people.sort_by_key(|person| (person.name.to_lowercase(), person.token.clone()));
            found.categories.push(NamesOfCategory {
                label: content.nomination(of, sub),
                category: of.to_owned(),
                sub_category: sub.to_owned(),
                open: category.sealed_at.is_none() && !has_saved_score(connection, judge, of, sub)?,
                people,
            });
        }
        Ok(found)
    })
}

fn has_saved_score(
    connection: &Connection,
    judge: &Judge,
    category: &str,
    sub_category: &str,
) -> Result<bool> {
    let own = sheets::of_judge(connection, judge.id)?;
    Ok(own.iter().any(|sheet| {
        sheet.category == category && sheet.sub_category == sub_category && sheet.saved_at.is_some()
    }))
}

/// Declares that the judge knows these people: their nominations leave the judge's work.
///
/// # Errors
/// [`Error::NotFound`]: a token is unknown. [`Error::Closed`]: the judge has begun to score there. [`Error::Invalid`].
pub fn declare(app: &App, judge: &Judge, tokens: &[String], why: &str) -> Result<()> {
    let why = reason(why)?;
    if tokens.is_empty() {
        return Err(Error::field("tokens", "Please choose at least one person"));
    }
    let (judge, tokens) = (judge.clone(), tokens.to_vec());
    app.store.write(move |connection| {
        let own = of_judge(connection, &judge)?;
        let entrants = judges::entrants(connection)?;
        for token in &tokens {
            let unknown = || Error::NotFound("There is no such person in your list.".into());
            let nomination = sheets::entrant(connection, judge.id, token)?.ok_or_else(unknown)?;
            let entrant = entrants.iter().find(|one| one.nomination_id == nomination).ok_or_else(unknown)?;
            let is_same = |one: &&(Category, Role)| {
                one.0.category == entrant.category && one.0.sub_category == entrant.sub_category
            };
            let (category, _) = own.iter().find(is_same).ok_or_else(unknown)?;
            if category.sealed_at.is_some() {
                return Err(Error::Closed("The results of this category are final.".into()));
            }
            if has_saved_score(connection, &judge, &category.category, &category.sub_category)? {
                let message =
                    "You have begun to score here. Use “I recognize this work” on the sheet instead.";
                return Err(Error::Closed(message.into()));
            }
            panel::add_conflict(connection, category, (judge.id, nomination), ConflictSource::Judge, &why)?;
        }
        Ok(())
    })
}
