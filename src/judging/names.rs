//! Conflicts that a judge declares from the competitors' names, before a score is saved. The list has names and no codes, so that
//! a judge can't match a name with a sheet.

use rusqlite::Connection;
use serde::Serialize;

use super::access::Judge;
use super::work::categories_of;
use super::{checked_reason, conflicts};
use crate::app::App;
use crate::error::{Error, Result};
use crate::store::judging::categories::Category;
use crate::store::judging::judges;
use crate::store::judging::panels::{self, ConflictSource};
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
        for (category, _) in categories_of(connection, judge)? {
            let open = category.sealed_at.is_none() && !has_saved_score(connection, judge, &category)?;
            let Category { category, sub_category, .. } = category;
            let mut declared = panels::conflicts(connection, &category, &sub_category)?;
            declared.retain(|conflict| conflict.source == ConflictSource::Judge);
            let mut people = Vec::new();
            for entrant in &entrants {
                if (&entrant.category, &entrant.sub_category) != (&category, &sub_category) {
                    continue;
                }
                let nomination = entrant.nomination_id;
                let Some(token) = sheets::entrant_token(connection, judge.id, nomination)? else { continue };
                people.push(Name {
                    token,
                    name: entrant.name.clone(),
                    business_name: entrant.business_name.clone(),
                    declared: declared.iter().any(|conflict| conflict.is_between(judge.id, nomination)),
                });
            }
            people.sort_by_key(|person| (person.name.to_lowercase(), person.token.clone()));
            found.categories.push(NamesOfCategory {
                label: content.nomination(&category, &sub_category),
                category,
                sub_category,
                open,
                people,
            });
        }
        Ok(found)
    })
}

fn has_saved_score(connection: &Connection, judge: &Judge, category: &Category) -> Result<bool> {
    let mut own = sheets::of_judge(connection, judge.id)?;
    own.retain(|sheet| sheet.saved_at.is_some());
    let Category { category, sub_category, .. } = category;
    Ok(own.iter().any(|sheet| (&sheet.category, &sheet.sub_category) == (category, sub_category)))
}

/// Declares that the judge knows these people, and removes their nominations from the judge's work.
///
/// # Errors
/// [`Error::NotFound`]: a token is unknown. [`Error::Closed`]: the judge has begun to score there, or the results are
/// final. [`Error::Invalid`]: no reason, or nobody is chosen.
pub fn declare(app: &App, judge: &Judge, tokens: &[String], reason: &str) -> Result<()> {
    let reason = checked_reason(reason)?;
    if tokens.is_empty() {
        return Err(Error::field("tokens", "Please choose at least one person"));
    }
    app.store.write(|connection| {
        let own = categories_of(connection, judge)?;
        let entrants = judges::entrants(connection)?;
        for token in tokens {
            let unknown = || Error::NotFound("There is no such person in your list.".into());
            let nomination = sheets::entrant(connection, judge.id, token)?.ok_or_else(unknown)?;
            let entrant = entrants.iter().find(|entrant| entrant.nomination_id == nomination);
            let entrant = entrant.ok_or_else(unknown)?;
            let category = own.iter().map(|(category, _)| category).find(|category| {
                (&category.category, &category.sub_category) == (&entrant.category, &entrant.sub_category)
            });
            let category = category.ok_or_else(unknown)?;
            if category.sealed_at.is_some() {
                return Err(Error::Closed("The results of this category are final.".into()));
            }
            if has_saved_score(connection, judge, category)? {
                let message =
                    "You have begun to score here. Use “I recognize this work” on the sheet instead.";
                return Err(Error::Closed(message.into()));
            }
            conflicts::insert(connection, category, (judge.id, nomination), ConflictSource::Judge, &reason)?;
        }
        Ok(())
    })
}
