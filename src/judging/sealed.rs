//! Sealed results: what is stored of them, and how they are computed and explained.

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::entered::Entered;
use super::results::{self, Field, Ranked, TieStep, decimal, half_points};
use super::rubric::InForce;
use crate::error::{Error, Result};
use crate::model::NominationState;
use crate::site::content::model::judging::Rubric;
use crate::store::judging::categories::Category;
use crate::store::portal::nominations::{self, Nomination};

/// What is stored of sealed results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sealed {
    /// Whose sheets count.
    pub entries: Vec<SealedEntry>,
    pub results: Vec<SealedResult>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SealedEntry {
    pub code: String,
    pub disqualified: bool,
    pub judges: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SealedResult {
    pub code: String,
    /// After penalties, with two decimals.
    pub points: String,
    /// The exact fraction.
    pub exact: String,
    /// Before penalties.
    pub total: String,
    pub penalties: String,
    pub adjustment: Option<String>,
    pub place: Option<u32>,
    /// `placed`, `unplaced` or `disqualified`.
    pub state: String,
    /// What decided, in a sentence for people.
    pub sentence: Option<String>,
    /// In the rubric's order.
    pub criteria: Vec<KeyPoints>,
    pub penalty_points: Vec<KeyPoints>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeyPoints {
    pub key: String,
    pub points: String,
    /// The exact fraction.
    pub exact: String,
}

impl Sealed {
    pub fn parse(json: &str) -> Result<Sealed> {
        serde_json::from_str(json).map_err(|error| Error::Internal(format!("sealed results: {error}")))
    }

    pub fn result(&self, code: &str) -> Option<&SealedResult> {
        self.results.iter().find(|one| one.code == code)
    }

    /// Whether a judge's sheet is part of the result of a code.
    pub fn counts(&self, code: &str, judge: i64) -> bool {
        self.entries.iter().any(|entry| entry.code == code && entry.judges.contains(&judge))
    }

    /// The sealed nominations that have another state now, for instance after a refund, and those that are ready and were not sealed,
    /// for instance after a refund that the bank returned: a sentence for each.
    pub(super) fn changed_since(&self, connection: &Connection, stored: &Category) -> Result<Vec<String>> {
        let all = nominations::of_category(connection, &stored.category, &stored.sub_category)?;
        let changed = |entry: &SealedEntry| {
            let change = match all.iter().find(|one| one.code == entry.code).map(|one| one.state) {
                Some(NominationState::Ready) if !entry.disqualified => return None,
                Some(NominationState::Disqualified) if entry.disqualified => return None,
                Some(NominationState::Withdrawn) => "withdrawn",
                Some(NominationState::Disqualified) => "disqualified",
                Some(_) => "changed",
                None => "erased",
            };
            Some(format!(
                "{} was {change} after the seal. Reopen the results, and seal them again.",
                entry.code
            ))
        };
        let is_new = |one: &&Nomination| {
            one.state == NominationState::Ready && self.entries.iter().all(|entry| entry.code != one.code)
        };
        let takes_part_again = |one: &Nomination| {
            format!("{} takes part again since the seal. Reopen the results, and seal them again.", one.code)
        };
        let new = all.iter().filter(is_new).map(takes_part_again);
        Ok(self.entries.iter().filter_map(changed).chain(new).collect())
    }

    pub(super) fn compute(
        in_force: &InForce,
        entered: &Entered,
    ) -> std::result::Result<Sealed, results::Refusal> {
        let field = entered.field(in_force);
        let entries = entered.entries.iter().map(|entry| SealedEntry {
            code: entry.code.clone(),
            disqualified: entry.is_disqualified,
            judges: entry.sheets.iter().map(|sheet| sheet.judge).collect(),
        });
        Ok(Sealed { entries: entries.collect(), results: computed(&field)? })
    }
}

fn computed(field: &Field<'_>) -> std::result::Result<Vec<SealedResult>, results::Refusal> {
    let ranked = results::compute(field)?;
    let is_small =
        ranked.iter().filter(|one| !one.is_disqualified).count() < field.rubric.minimum_for_places as usize;
    Ok(ranked.iter().map(|one| sealed_result(field, one, is_small)).collect())
}

fn sealed_result(field: &Field<'_>, one: &Ranked, is_small: bool) -> SealedResult {
    let rubric = field.rubric;
    let exact = |key: &str, value: &results::Fraction| KeyPoints {
        key: key.to_owned(),
        points: decimal(value),
        exact: value.to_string(),
    };
    let criteria =
        rubric.criteria.iter().zip(&one.criteria).map(|(criterion, mean)| exact(&criterion.key, mean));
    let penalties = rubric.penalties.iter().zip(&one.penalties).filter(|(_, points)| **points > 0);
    let mut sentences = Vec::new();
    let absent =
        field.entries.iter().find(|entry| entry.code == one.code).map_or(0, |entry| entry.absent.len());
    let (who, usual) = match absent {
        1 => ("one judge".to_owned(), "that judge's usual distance"),
        count => (format!("{count} judges"), "those judges' usual distances"),
    };
    if let Some(adjustment) = &one.adjustment {
        sentences.push(format!(
            "Adjustment {}: {who} did not score this entry; we took what {usual} from the others would have given.",
            decimal(adjustment)
        ));
    } else if absent > 0 && !one.is_disqualified {
        sentences.push(format!(
            "Of the panel, {who} did not score this entry; too few entries were scored by all to estimate those points, so \
             the mean of the others stands."
        ));
    }
    if let (Some(tie), Some(_)) = (one.tie, one.place) {
        sentences.push(tie_sentence(rubric, tie));
    }
    if is_small && !one.is_disqualified {
        let rule = rubric.threshold_percent.map_or_else(
            || format!("With fewer than {} entries there are no places.", rubric.minimum_for_places),
            |percent| {
                let least = rubric.minimum_for_places;
                format!("With fewer than {least} entries a place needs {percent} percent of all points.")
            },
        );
        sentences.push(rule);
    }
    let state = match (one.is_disqualified, one.place) {
        (true, _) => "disqualified",
        (false, Some(_)) => "placed",
        (false, None) => "unplaced",
    };
    SealedResult {
        code: one.code.clone(),
        points: decimal(&one.points),
        exact: one.points.to_string(),
        total: decimal(&(&one.points + half_points(one.penalty))),
        penalties: decimal(&half_points(one.penalty)),
        adjustment: one.adjustment.as_ref().map(decimal),
        place: one.place,
        state: state.to_owned(),
        sentence: (!sentences.is_empty()).then(|| sentences.join(" ")),
        criteria: criteria.collect(),
        penalty_points: penalties
            .map(|(penalty, points)| exact(&penalty.key, &half_points(*points)))
            .collect(),
    }
}

fn tie_sentence(rubric: &Rubric, tie: TieStep) -> String {
    let by = match tie {
        TieStep::FewerPenalties => "fewer penalty points".to_owned(),
        TieStep::Criterion(index) => {
            format!("the points for “{}”", rubric.criteria.get(index).map_or("", |one| one.label.as_str()))
        }
        TieStep::MoreJudges => "the number of judges who placed it higher".to_owned(),
        TieStep::HeadJudge => "the head judge".to_owned(),
        TieStep::Shared => return "Equal points, equal place.".to_owned(),
    };
    format!("Equal points; the place was decided by {by}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::results::{Entry, Sheet};
    use crate::site::content::Content;

    #[test]
    fn only_an_entry_that_is_ranked_says_which_judges_did_not_score_it() {
        let content = Content::parse(Content::default_toml()).expect("the default content");
        let rubric = &content.judging.rubrics[0];
        let sheet = |judge: i64| Sheet {
            judge,
            points: vec![10; rubric.criteria.len()],
            penalties: vec![0; rubric.penalties.len()],
        };
        let entry = |code: &str, is_disqualified: bool| Entry {
            code: code.to_owned(),
            is_disqualified,
            sheets: vec![sheet(1), sheet(2)],
            absent: vec![3],
        };
        let entries = [entry("LL-1", false), entry("LL-2", true)];
        let results = computed(&Field { rubric, entries: &entries, decisions: &[] }).expect("results");
        let says = |code: &str| {
            let found = results.iter().find(|one| one.code == code).expect(code);
            found
                .sentence
                .as_deref()
                .is_some_and(|sentence| sentence.contains("one judge did not score this entry"))
        };
        assert!(says("LL-1") && !says("LL-2"), "{results:?}");
    }
}
