//! Names that must be unique, and references that must name something that exists.

use super::Findings;
use super::mails::check_kind;
use super::portal::{find_category, unknown_subcategory};
use crate::site::content::is_slug;
use crate::site::content::model::Content;
use crate::site::content::model::program::Profile;
use crate::site::content::problem::not_known;

pub(super) fn check(content: &Content, findings: &mut Findings<'_>) {
    check_categories(content, findings);
    check_cards(content, findings);
    let carousel = content.home.carousel.items.iter().map(|item| item.id.as_str());
    findings.unique(carousel, |index| format!("home.carousel.items[{index}].id"));
    let slides = content.home.slideshow.slides.iter().map(|slide| slide.id.as_str());
    findings.unique(slides, |index| format!("home.slideshow.slides[{index}].id"));
    let questions = content.faq.sections.iter().map(|section| section.id.as_str());
    findings.unique(questions, |index| format!("faq.sections[{index}].id"));
    for (group_index, group) in content.people.groups.iter().enumerate() {
        for (index, profile) in group.profiles.iter().enumerate() {
            check_profile(profile, &format!("people.groups[{group_index}].profiles[{index}]"), findings);
        }
    }
    check_speakers(content, findings);
    check_alternatives(content, findings);
    for (index, hotel) in content.venue.hotels.iter().enumerate() {
        let in_order = hotel.minutes_from <= hotel.minutes_to;
        let key = format!("venue.hotels[{index}].minutes_to");
        findings.require(in_order, key, "must not be less than minutes_from");
    }
    for kind in content.openings.keys() {
        check_kind(&format!("openings.{kind}"), kind, findings);
    }
}

fn check_categories(content: &Content, findings: &mut Findings<'_>) {
    let categories = || content.categories.iter();
    findings.unique(categories().map(|category| category.slug.as_str()), |index| {
        format!("categories[{index}].slug")
    });
    findings.unique(categories().map(|category| category.label.as_str()), |index| {
        format!("categories[{index}].label")
    });
    for (index, category) in categories().enumerate() {
        let subcategories = category.subcategories.iter().map(String::as_str);
        findings.unique(subcategories, |member| format!("categories[{index}].subcategories[{member}]"));
    }
}

fn check_cards(content: &Content, findings: &mut Findings<'_>) {
    let cards = &content.competition.cards;
    findings.unique(cards.iter().map(|card| card.label.as_str()), |index| {
        format!("competition.cards[{index}].label")
    });
    for (index, card) in cards.iter().enumerate() {
        let key = |name| format!("competition.cards[{index}].{name}");
        let Some(category) = find_category(content, &card.category, key("category"), findings) else {
            continue;
        };
        if !category.subcategories.contains(&card.subcategory) {
            findings.add(key("subcategory"), unknown_subcategory(&card.subcategory, category));
        }
        let awards = &content.schedule.awards.names;
        if !card.award.is_empty() && !awards.contains(&card.award) {
            let names = awards.iter().map(String::as_str);
            findings.add(key("award"), not_known(&card.award, "one of schedule.awards.names", names));
        }
    }
}

/// Every speaker that the schedule names is somebody.
fn check_speakers(content: &Content, findings: &mut Findings<'_>) {
    let mut keys = Vec::new();
    for (group_index, group) in content.people.groups.iter().enumerate() {
        for (index, profile) in
            group.profiles.iter().enumerate().filter(|(_, profile)| !profile.key.is_empty())
        {
            let path = format!("people.groups[{group_index}].profiles[{index}].key");
            findings.require(
                is_slug(&profile.key),
                path.as_str(),
                "must be lowercase letters, digits and hyphens, like 'ana-lima'",
            );
            keys.push((path, profile.key.as_str()));
        }
    }
    findings.unique(keys.iter().map(|(_, key)| *key), |index| keys[index].0.clone());
    for (day_index, day) in content.schedule.days.iter().enumerate() {
        for (index, item) in day.items.iter().enumerate() {
            if !item.speaker.is_empty() && !keys.iter().any(|(_, key)| *key == item.speaker) {
                let path = format!("schedule.days[{day_index}].items[{index}].speaker");
                let known = keys.iter().map(|(_, key)| *key);
                findings.add(path, not_known(&item.speaker, "the key of a profile in [people]", known));
            }
        }
    }
}

/// Requires an `alt` text for every photo, for people who cannot see it.
fn check_alternatives(content: &Content, findings: &mut Findings<'_>) {
    let recognition = &content.home.recognition;
    let cards = content.competition.cards.iter().enumerate();
    let mut photos = vec![("home.recognition".to_owned(), &recognition.image, &recognition.alt)];
    photos.extend(cards.map(|(index, card)| (format!("competition.cards[{index}]"), &card.image, &card.alt)));
    for (key, image, alt) in photos {
        let has_alt = image.is_empty() || !alt.is_empty();
        findings.require(has_alt, format!("{key}.image"), "a picture needs an `alt` that describes it");
    }
}

fn check_profile(profile: &Profile, key: &str, findings: &mut Findings<'_>) {
    if profile.coming_soon {
        return;
    }
    let has_biography = !profile.bio_full.trim().is_empty();
    findings.require(
        has_biography,
        format!("{key}.bio_full"),
        "a profile needs it, unless coming_soon is true",
    );
    let is_linked = profile.handle.is_empty() == profile.url.is_empty();
    findings.require(is_linked, format!("{key}.handle"), "handle and url go together: give both or neither");
}
