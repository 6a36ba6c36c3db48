//! Computes points and places from sheets, in exact fractions. Left out: where sheets come from, and who may see what.
//!
//! An entry's points are, for each criterion, the mean over the judges who scored it; these are added up, and the penalties
//! are subtracted.
//!
//! If a judge scored other entries but not this one, and no reserve replaced them, their score is estimated: we compute by
//! least squares over entries and judges how far the judge usually is from the others. With fewer than five shared entries
//! nothing is estimated, and the mean of the judges who scored the entry stands.

mod fraction;
mod severity;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

pub use fraction::{Fraction, decimal, half_points};
pub use severity::{Severity, severity, suggested_second_looks};

use crate::site::content::model::judging::Rubric;
use crate::store::judging::categories::TieDecision;

/// A judge's score is estimated only if the judge shares at least this many entries with the others.
const MIN_SHARED: usize = 5;

/// Points in halves: 17 are 8.5.
pub type Halves = i64;

/// The values of a judge's confirmed sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedSheet {
    pub judge: i64,
    /// In the order of the rubric's criteria.
    pub points: Vec<Halves>,
    /// In the order of the rubric's penalties.
    pub penalties: Vec<Halves>,
}

impl ConfirmedSheet {
    pub fn total(&self) -> Halves {
        self.points.iter().sum()
    }
}

/// One nomination with its confirmed sheets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub code: String,
    /// It gets points but no place, and has no influence on the other entries.
    pub is_disqualified: bool,
    pub sheets: Vec<ConfirmedSheet>,
    /// The judges of the panel who did not score it, and whom no reserve replaced.
    pub absent: Vec<i64>,
}

/// The entries of one subcategory, which are ranked together.
#[derive(Debug, Clone)]
pub struct Competition {
    pub rubric: Rubric,
    pub entries: Vec<Entry>,
    pub decisions: Vec<TieDecision>,
}

/// There are no results, because an entry has no sheet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "Nobody has scored {code}. Add a judge or a reserve to the panel, or take back an abstention or a conflict."
)]
pub struct NotScored {
    pub code: String,
}

/// What decided a place among equal points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TieStep {
    FewerPenalties,
    /// The criterion at this position of the rubric.
    Criterion(usize),
    /// More judges placed it higher.
    MoreJudges,
    HeadJudge,
    /// Nothing: the place is shared.
    Shared,
}

/// An entry's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    pub code: String,
    /// After penalties.
    pub points: Fraction,
    /// The points of each criterion, in the rubric's order, without the adjustment.
    pub criteria: Vec<Fraction>,
    /// The difference that the estimated scores of absent judges make.
    pub adjustment: Option<Fraction>,
    /// The points of each penalty, in the rubric's order, before the cap.
    pub penalties: Vec<Halves>,
    pub penalty: Halves,
    /// Places begin with 1. After two entries that share place 1 comes place 3.
    pub place: Option<u32>,
    pub is_disqualified: bool,
    /// What separated it from entries with the same points.
    pub tie: Option<TieStep>,
}

/// The results of a competition: the placed entries in their order, then the others by points.
///
/// # Errors
/// [`NotScored`] names the first such entry.
pub fn compute(competition: &Competition) -> Result<Vec<Ranked>, NotScored> {
    compute_with(competition, MIN_SHARED)
}

fn compute_with(competition: &Competition, min_shared: usize) -> Result<Vec<Ranked>, NotScored> {
    let filled = fill_absences(competition, min_shared);
    let mut ranked = Vec::new();
    for entry in &competition.entries {
        if entry.sheets.is_empty() {
            if entry.is_disqualified {
                continue;
            }
            return Err(NotScored { code: entry.code.clone() });
        }
        ranked.push(score(&competition.rubric, entry, filled.get(&entry.code)));
    }
    let (disqualified, mut placed): (Vec<_>, Vec<_>) =
        ranked.into_iter().partition(|entry| entry.is_disqualified);
    placed.sort_by(|a, b| b.points.cmp(&a.points).then_with(|| a.code.cmp(&b.code)));
    let placed = break_ties(competition, placed);
    Ok(give_places(&competition.rubric, placed).into_iter().chain(disqualified).collect())
}

/// The points of an entry without a place.
fn score(rubric: &Rubric, entry: &Entry, filled: Option<&Fraction>) -> Ranked {
    let criteria: Vec<Fraction> = (0..rubric.criteria.len()).map(|index| criterion(entry, index)).collect();
    let total = criteria.iter().fold(half_points(0), |sum, mean| sum + mean);
    let adjustment = filled.map(|mean| mean - &total);
    // A penalty is a fact that one judge may have seen and another not: it counts once, at its highest.
    let highest = |index: usize| entry.sheets.iter().map(|sheet| sheet.penalties[index]).max().unwrap_or(0);
    let penalties: Vec<Halves> = (0..rubric.penalties.len()).map(highest).collect();
    let penalty = penalties.iter().sum::<Halves>().min(Halves::from(rubric.penalty_cap) * 2);
    let points = total + adjustment.clone().unwrap_or_else(|| half_points(0)) - half_points(penalty);
    Ranked {
        code: entry.code.clone(),
        points,
        criteria,
        adjustment,
        penalties,
        penalty,
        place: None,
        is_disqualified: entry.is_disqualified,
        tie: None,
    }
}

fn criterion(entry: &Entry, index: usize) -> Fraction {
    let points = entry.sheets.iter().map(|sheet| sheet.points[index]);
    half_points(points.sum()) / fraction::whole(entry.sheets.len())
}

/// The mean of each entry with an absent judge, including that judge's estimated score. An entry is left out if one of its
/// absent judges shares too few others with the panel for an estimate: the mean of those who scored it stands.
fn fill_absences(competition: &Competition, min_shared: usize) -> BTreeMap<String, Fraction> {
    let entries: Vec<&Entry> = competition.entries.iter().filter(|entry| !entry.is_disqualified).collect();
    let shares_enough = |judge: &i64| {
        let is_shared = |entry: &&&Entry| {
            entry.sheets.len() > 1 && entry.sheets.iter().any(|sheet| sheet.judge == *judge)
        };
        entries.iter().filter(is_shared).count() >= min_shared
    };
    let to_fill: Vec<&Entry> = entries
        .iter()
        .filter(|entry| !entry.absent.is_empty() && !entry.sheets.is_empty())
        .filter(|entry| entry.absent.iter().all(shares_enough))
        .copied()
        .collect();
    if to_fill.is_empty() {
        return BTreeMap::new();
    }
    let severities = severities(&entries);
    let mean = |entry: &Entry| Some((entry.code.clone(), estimated_mean(entry, &severities)?));
    to_fill.into_iter().filter_map(mean).collect()
}

/// The mean with the estimated scores of absent judges. `None` if a judge shares no entry with the others.
fn estimated_mean(entry: &Entry, severities: &BTreeMap<i64, Fraction>) -> Option<Fraction> {
    let mut total = half_points(0);
    // What the entry would have got from a judge with severity 0.
    let mut neutral = half_points(0);
    for sheet in &entry.sheets {
        total += half_points(sheet.total());
        neutral += half_points(sheet.total()) - severities.get(&sheet.judge)?;
    }
    neutral /= fraction::whole(entry.sheets.len());
    for judge in &entry.absent {
        total += &neutral + severities.get(judge)?;
    }
    Some(total / fraction::whole(entry.sheets.len() + entry.absent.len()))
}

/// The judges who scored any of these entries, in order.
fn judges_of(entries: &[&Entry]) -> Vec<i64> {
    let judges = entries.iter().flat_map(|entry| entry.sheets.iter().map(|sheet| sheet.judge));
    judges.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Each judge's distance from the first one in the model points = entry + judge, by least squares. The entries are eliminated
/// beforehand, so that a competition of 40 entries is a system of as many equations as there are judges. A judge who shares no
/// entry with the others, directly or through further judges, is missing.
fn severities(entries: &[&Entry]) -> BTreeMap<i64, Fraction> {
    let judges = judges_of(entries);
    let count = judges.len();
    let position = |judge: i64| judges.binary_search(&judge).unwrap_or_default();
    // One row for each judge: the coefficients, then the right side.
    let mut rows = vec![vec![half_points(0); count + 1]; count];
    for entry in entries.iter().filter(|entry| entry.sheets.len() > 1) {
        let share = fraction::whole(1) / fraction::whole(entry.sheets.len());
        let mean = half_points(entry.sheets.iter().map(ConfirmedSheet::total).sum()) * &share;
        for sheet in &entry.sheets {
            let row = &mut rows[position(sheet.judge)];
            row[position(sheet.judge)] += fraction::whole(1);
            for other in &entry.sheets {
                row[position(other.judge)] -= &share;
            }
            row[count] += half_points(sheet.total()) - &mean;
        }
    }
    let solved = fraction::solve_with_first_zero(rows);
    judges.into_iter().zip(solved).filter_map(|(judge, severity)| Some((judge, severity?))).collect()
}

/// Orders entries with equal points. `ranked` is sorted by points.
fn break_ties(competition: &Competition, ranked: Vec<Ranked>) -> Vec<Vec<Ranked>> {
    let groups = group_by(ranked, |a, b| a.points == b.points);
    groups.into_iter().flat_map(|group| split(competition, group, 0)).collect()
}

/// Groups neighbours that are equal.
fn group_by(ranked: Vec<Ranked>, is_equal: impl Fn(&Ranked, &Ranked) -> bool) -> Vec<Vec<Ranked>> {
    let mut groups: Vec<Vec<Ranked>> = Vec::new();
    for entry in ranked {
        match groups.last_mut().filter(|group| is_equal(&group[0], &entry)) {
            Some(group) => group.push(entry),
            None => groups.push(vec![entry]),
        }
    }
    groups
}

/// Splits a group of equal entries by one rule after the other. Each rule is applied within the parts that the last one made.
fn split(competition: &Competition, mut group: Vec<Ranked>, step_index: usize) -> Vec<Vec<Ranked>> {
    if group.len() == 1 {
        return vec![group];
    }
    let Rubric { tie_order, criteria, .. } = &competition.rubric;
    let position = |key: &String| criteria.iter().position(|criterion| criterion.key == *key);
    let mut steps = vec![TieStep::FewerPenalties];
    steps.extend(tie_order.iter().filter_map(position).map(TieStep::Criterion));
    steps.extend([TieStep::MoreJudges, TieStep::HeadJudge]);
    let Some(step) = steps.get(step_index).copied() else {
        group.iter_mut().for_each(|entry| entry.tie = Some(TieStep::Shared));
        return vec![group];
    };
    let ranks: BTreeMap<String, Fraction> =
        group.iter().map(|entry| (entry.code.clone(), merit(competition, &group, entry, step))).collect();
    group.sort_by(|a, b| ranks[&b.code].cmp(&ranks[&a.code]).then_with(|| a.code.cmp(&b.code)));
    let mut parts = group_by(group, |a, b| ranks[&a.code] == ranks[&b.code]);
    if parts.len() > 1 {
        parts.iter_mut().flatten().for_each(|entry| entry.tie = Some(step));
    }
    parts.into_iter().flat_map(|part| split(competition, part, step_index + 1)).collect()
}

/// An entry's rank by one rule; a higher value is better.
fn merit(competition: &Competition, group: &[Ranked], ranked: &Ranked, step: TieStep) -> Fraction {
    match step {
        TieStep::FewerPenalties => half_points(-ranked.penalty),
        TieStep::Criterion(index) => ranked.criteria[index].clone(),
        TieStep::MoreJudges => {
            let sheets = |code: &str| {
                let entry = competition.entries.iter().find(|entry| entry.code == code);
                entry.map(|entry| entry.sheets.as_slice()).unwrap_or_default()
            };
            let mut lead = 0;
            for sheet in sheets(&ranked.code) {
                for other in group {
                    let theirs = sheets(&other.code).iter().find(|theirs| theirs.judge == sheet.judge);
                    lead += theirs.map_or(0, |theirs| match sheet.total().cmp(&theirs.total()) {
                        Ordering::Greater => 1,
                        Ordering::Equal => 0,
                        Ordering::Less => -1,
                    });
                }
            }
            half_points(lead)
        }
        TieStep::HeadJudge => {
            let is_about_group = |decision: &&TieDecision| {
                decision.points == ranked.points.to_string()
                    && decision.codes.len() == group.len()
                    && group.iter().all(|entry| decision.codes.contains(&entry.code))
            };
            let decided = competition.decisions.iter().rev().find(is_about_group);
            let position =
                decided.and_then(|decision| decision.codes.iter().position(|code| *code == ranked.code));
            half_points(-(position.unwrap_or_default() as Halves))
        }
        TieStep::Shared => half_points(0),
    }
}

/// Gives places to groups of equals, the best one first.
fn give_places(rubric: &Rubric, groups: Vec<Vec<Ranked>>) -> Vec<Ranked> {
    let count: usize = groups.iter().map(Vec::len).sum();
    let is_small = count < rubric.minimum_for_places as usize;
    let max_points: i64 = rubric.criteria.iter().map(|criterion| i64::from(criterion.max)).sum();
    let has_place = |entry: &Ranked| {
        let Some(percent) = rubric.threshold_percent else { return !is_small };
        !is_small || entry.points >= half_points(max_points * 2 * i64::from(percent)) / fraction::whole(100)
    };
    let mut place = 1;
    let mut placed = Vec::new();
    for group in groups {
        let size = group.len() as u32;
        for mut entry in group {
            entry.place = has_place(&entry).then_some(place);
            placed.push(entry);
        }
        place += size;
    }
    placed
}
