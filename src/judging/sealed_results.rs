//! Sealed results: what is stored of them, and how they are computed and explained.

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::results::{self, Competition, Ranked, TieStep, decimal, half_points};
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
    pub state: ResultState,
    /// What decided the points and the place, in sentences.
    pub sentence: Option<String>,
    /// In the rubric's order.
    pub criteria: Vec<KeyPoints>,
    pub penalty_points: Vec<KeyPoints>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum ResultState {
    Placed,
    Unplaced,
    Disqualified,
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

    /// The results of a subcategory, if they are public.
    pub fn published(category: &Category) -> Result<Option<Sealed>> {
        let results = category.results.as_deref().filter(|_| category.published_at.is_some());
        results.map(Sealed::parse).transpose()
    }

    pub fn result(&self, code: &str) -> Option<&SealedResult> {
        self.results.iter().find(|result| result.code == code)
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
            let change = match all
                .iter()
                .find(|nomination| nomination.code == entry.code)
                .map(|nomination| nomination.state)
            {
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
        let mut sentences: Vec<String> = self.entries.iter().filter_map(changed).collect();
        for Nomination { code, state, .. } in &all {
            if *state == NominationState::Ready && self.entries.iter().all(|entry| entry.code != *code) {
                sentences.push(format!(
                    "{code} takes part again since the seal. Reopen the results, and seal them again."
                ));
            }
        }
        Ok(sentences)
    }

    pub(super) fn compute(competition: &Competition) -> std::result::Result<Sealed, results::NotScored> {
        let entries = competition.entries.iter().map(|entry| SealedEntry {
            code: entry.code.clone(),
            disqualified: entry.is_disqualified,
            judges: entry.sheets.iter().map(|sheet| sheet.judge).collect(),
        });
        let ranked = results::compute(competition)?;
        let count = ranked.iter().filter(|entry| !entry.is_disqualified).count();
        let is_small = count < competition.rubric.minimum_for_places as usize;
        let results = ranked.iter().map(|entry| sealed_result(competition, entry, is_small)).collect();
        Ok(Sealed { entries: entries.collect(), results })
    }
}

fn sealed_result(competition: &Competition, ranked: &Ranked, is_small: bool) -> SealedResult {
    let rubric = &competition.rubric;
    let exact = |key: &str, value: &results::Fraction| KeyPoints {
        key: key.to_owned(),
        points: decimal(value),
        exact: value.to_string(),
    };
    let criteria =
        rubric.criteria.iter().zip(&ranked.criteria).map(|(criterion, mean)| exact(&criterion.key, mean));
    let penalties = rubric.penalties.iter().zip(&ranked.penalties).filter(|(_, points)| **points > 0);
    let mut sentences = Vec::new();
    let absent = competition
        .entries
        .iter()
        .find(|entry| entry.code == ranked.code)
        .map_or(0, |entry| entry.absent.len());
    let (who, usual) = match absent {
        1 => ("one judge".to_owned(), "that judge's usual distance"),
        count => (format!("{count} judges"), "those judges' usual distances"),
    };
    if let Some(adjustment) = &ranked.adjustment {
        sentences.push(format!(
            "Adjustment {}: {who} did not score this entry; we took what {usual} from the others would have given.",
            decimal(adjustment)
        ));
    } else if absent > 0 && !ranked.is_disqualified {
        sentences.push(format!(
            "Of the panel, {who} did not score this entry; too few entries were scored by all to estimate those points, so \
             the mean of the others stands."
        ));
    }
    if let (Some(tie), Some(_)) = (ranked.tie, ranked.place) {
        sentences.push(tie_sentence(rubric, tie));
    }
    if is_small && !ranked.is_disqualified {
        let minimum = rubric.minimum_for_places;
        sentences.push(match rubric.threshold_percent {
            None => format!("With fewer than {minimum} entries there are no places."),
            Some(percent) => {
                format!("With fewer than {minimum} entries a place needs {percent} percent of all points.")
            }
        });
    }
    let state = match (ranked.is_disqualified, ranked.place) {
        (true, _) => ResultState::Disqualified,
        (false, Some(_)) => ResultState::Placed,
        (false, None) => ResultState::Unplaced,
    };
    SealedResult {
        code: ranked.code.clone(),
        points: decimal(&ranked.points),
        exact: ranked.points.to_string(),
        total: decimal(&(&ranked.points + half_points(ranked.penalty))),
        penalties: decimal(&half_points(ranked.penalty)),
        adjustment: ranked.adjustment.as_ref().map(decimal),
        place: ranked.place,
        state,
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
            format!(
                "the points for “{}”",
                rubric.criteria.get(index).map_or("", |criterion| criterion.label.as_str())
            )
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
    use crate::judging::results::{ConfirmedSheet, Entry};
    use crate::site::content::Content;

    #[test]
    fn only_an_entry_that_is_ranked_says_which_judges_did_not_score_it() {
        let content = Content::parse(Content::default_toml()).expect("the default content");
        let rubric = &content.judging.rubrics[0];
        let sheet = |judge: i64| ConfirmedSheet {
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
        let entries = vec![entry("LL-1", false), entry("LL-2", true)];
        let competition = Competition { rubric: rubric.clone(), entries, decisions: Vec::new() };
        let sealed = Sealed::compute(&competition).expect("results");
        let says = |code: &str| {
            let sentence = sealed.result(code).expect(code).sentence.as_deref();
            sentence.is_some_and(|sentence| sentence.contains("one judge did not score this entry"))
        };
        assert!(says("LL-1") && !says("LL-2"), "{sealed:?}");
    }
}
