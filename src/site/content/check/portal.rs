//! The Artist Portal asks for what the rules of the competition promise.

use std::collections::BTreeSet;

use super::Findings;
use crate::model::RELEASE_SLOT;
use crate::site::content::model::Content;
use crate::site::content::model::portal::VIDEO_KEY;
use crate::site::content::model::program::Category;
use crate::site::content::problem::not_known;

/// 'Makeup entries need at least 3 angles of the final look.' (`competition.rules` of the default content)
const MAKEUP: (&str, usize) = ("makeup", 3);
/// 'Lash lift entries need before and after images.'
const LASH_LIFT: (&str, [&str; 2]) = ("lash-lift", ["before", "after"]);
/// The longest key, in characters.
const MAX_KEY_LENGTH: usize = 40;

pub(super) fn check(content: &Content, findings: &mut Findings<'_>) {
    let portal = &content.portal;
    check_slots(content, findings);
    for (index, tick) in portal.ticks.iter().enumerate() {
        check_key(&tick.key, format!("portal.ticks[{index}].key"), findings);
    }
    findings.unique(portal.ticks.iter().map(|tick| tick.key.as_str()), |index| {
        format!("portal.ticks[{index}].key")
    });
    if let Some(deadline) = portal.deadline {
        let is_in_time = deadline.begins() <= content.event.ends();
        findings.require(is_in_time, "portal.deadline", "must not be after the event");
    }
    if portal.open {
        check_open(content, findings);
    }
}

fn check_slots(content: &Content, findings: &mut Findings<'_>) {
    let mut taken = BTreeSet::new();
    let portal = &content.portal;
    for (index, slot) in portal.slots.iter().enumerate() {
        let key = |name| format!("portal.slots[{index}].{name}");
        check_key(&slot.key, key("key"), findings);
        let is_free = !portal.video || slot.key != VIDEO_KEY;
        findings.require(is_free, key("key"), "is the key of the video, which portal.video allows");
        findings.require(
            slot.key != RELEASE_SLOT,
            key("key"),
            "is reserved for a photo of the model's release",
        );
        let Some(category) = find_category(content, &slot.category, key("category"), findings) else {
            continue;
        };
        let has_slot =
            |subcategory: &&String| slot.sub_category.is_empty() || **subcategory == slot.sub_category;
        let subcategories: Vec<&String> = category.subcategories.iter().filter(has_slot).collect();
        if subcategories.is_empty() {
            findings.add(key("sub_category"), unknown_subcategory(&slot.sub_category, category));
        }
        for subcategory in subcategories {
            let is_new = taken.insert((&slot.category, subcategory, &slot.key));
            findings.require(is_new, key("key"), format!("{subcategory} has '{}' twice", slot.key));
        }
    }
}

/// The category with this slug. If there is none, that is added to the findings.
pub(super) fn find_category<'c>(
    content: &'c Content,
    slug: &str,
    key: String,
    findings: &mut Findings<'_>,
) -> Option<&'c Category> {
    let found = content.categories.iter().find(|category| category.slug == slug);
    if found.is_none() {
        let slugs = content.categories.iter().map(|category| category.slug.as_str());
        findings.add(key, not_known(slug, "the slug of a category", slugs));
    }
    found
}

pub(super) fn unknown_subcategory(name: &str, category: &Category) -> String {
    not_known(name, "a subcategory of its category", category.subcategories.iter().map(String::as_str))
}

pub(super) fn check_key(key: &str, path: String, findings: &mut Findings<'_>) {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    let is_valid = !key.is_empty() && key.len() <= MAX_KEY_LENGTH && key.chars().all(is_plain);
    findings.require(is_valid, path, "must be lowercase letters, digits, hyphens and underscores only");
}

/// What an open portal needs.
fn check_open(content: &Content, findings: &mut Findings<'_>) {
    let portal = &content.portal;
    findings.require(
        portal.deadline.is_some(),
        "portal.deadline",
        "this key is missing: an open portal needs a deadline",
    );
    let has_text = !portal.release.text.is_empty();
    findings.require(has_text, "portal.release", "this section is missing: an open portal needs a release");
    for category in &content.categories {
        for subcategory in &category.subcategories {
            let slots = portal.slots_of(&category.slug, subcategory).filter(|slot| slot.required);
            let required: Vec<&str> = slots.map(|slot| slot.key.as_str()).collect();
            let (makeup, angles) = MAKEUP;
            let (lash_lift, prefixes) = LASH_LIFT;
            let name = content.nomination(&category.slug, subcategory);
            let least = if category.slug == makeup { angles } else { 1 };
            findings.require(
                required.len() >= least,
                "portal.slots",
                format!(
                    "slots are missing: {name} needs {least} required {}",
                    if least == 1 { "one" } else { "ones" }
                ),
            );
            let has = |prefix: &&str| required.iter().any(|key| key.starts_with(prefix));
            findings.require(
                category.slug != lash_lift || prefixes.iter().all(has),
                "portal.slots",
                format!(
                    "slots are missing: {name} needs required ones whose keys begin with 'before' and 'after'"
                ),
            );
        }
    }
}
