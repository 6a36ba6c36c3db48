//! Each rubric belongs to a subcategory, and can be scored and ranked.

use std::collections::BTreeSet;

use super::Findings;
use super::portal::{check_key, find_category, unknown_subcategory};
use crate::site::content::model::Content;
use crate::site::content::model::judging::Rubric;
use crate::site::content::problem::not_known;

/// The most points of a criterion, or of a penalty.
const MAX_POINTS: u32 = 1_000;

pub(super) fn check(content: &Content, findings: &mut Findings<'_>) {
    let mut taken = BTreeSet::new();
    for (index, rubric) in content.judging.rubrics.iter().enumerate() {
        let path = format!("judging.rubrics[{index}]");
        check_subcategory(content, rubric, &path, findings);
        let is_new = taken.insert((&rubric.category, &rubric.sub_category));
        let name = content.nomination(&rubric.category, &rubric.sub_category);
        findings.require(is_new, format!("{path}.sub_category"), format!("{name} has two rubrics"));
        check_rubric(rubric, &path, findings);
    }
    let has_terms = !content.judging.terms.text.is_empty();
    findings.require(
        content.judging.rubrics.is_empty() || has_terms,
        "judging.terms",
        "this section is missing: judges accept it before they score",
    );
}

fn check_subcategory(content: &Content, rubric: &Rubric, path: &str, findings: &mut Findings<'_>) {
    let category = find_category(content, &rubric.category, format!("{path}.category"), findings);
    if let Some(category) = category
        && !category.subcategories.contains(&rubric.sub_category)
    {
        let rule = unknown_subcategory(&rubric.sub_category, category);
        findings.add(format!("{path}.sub_category"), rule);
    }
}

fn check_rubric(rubric: &Rubric, path: &str, findings: &mut Findings<'_>) {
    findings.require(!rubric.criteria.is_empty(), format!("{path}.criteria"), "needs at least one");
    let penalties = rubric.penalties.iter().map(|penalty| (&penalty.key, penalty.max));
    let criteria = rubric.criteria.iter().map(|criterion| (&criterion.key, criterion.max));
    let mut keys = BTreeSet::new();
    for (list, index, (key, max)) in criteria
        .enumerate()
        .map(|(index, criterion)| ("criteria", index, criterion))
        .chain(penalties.enumerate().map(|(index, penalty)| ("penalties", index, penalty)))
    {
        let path = format!("{path}.{list}[{index}]");
        check_key(key, format!("{path}.key"), findings);
        findings.require(keys.insert(key), format!("{path}.key"), format!("'{key}' is here twice"));
        let rule = format!("must be 1 to {MAX_POINTS}");
        findings.require((1..=MAX_POINTS).contains(&max), format!("{path}.max"), rule);
    }
    for (index, key) in rubric.tie_order.iter().enumerate() {
        if !rubric.criteria.iter().any(|criterion| criterion.key == *key) {
            let keys = rubric.criteria.iter().map(|criterion| criterion.key.as_str());
            let rule = not_known(key, "the key of a criterion", keys);
            findings.add(format!("{path}.tie_order[{index}]"), rule);
        }
    }
    findings
        .unique(rubric.tie_order.iter().map(String::as_str), |index| format!("{path}.tie_order[{index}]"));
    let needs_cap = rubric.penalties.is_empty() || rubric.penalty_cap > 0;
    let cap = format!("{path}.penalty_cap");
    findings.require(needs_cap, cap, "must be more than 0: the most that all penalties take away");
    let threshold = format!("{path}.threshold_percent");
    findings.require(
        rubric.threshold_percent.is_none_or(|percent| percent <= 100),
        threshold,
        "must be 0 to 100",
    );
}
