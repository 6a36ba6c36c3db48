//! The default content is right; everything that can be wrong with another one is found and pointed at.

use std::collections::BTreeSet;

use serde_json::Value;
use toml::Table;

use super::*;

fn default_content() -> Content {
    Content::parse(Content::default_toml()).expect("the default content is right")
}

/// The default content with one text replaced, and the line where the new one begins.
pub(super) fn edited(old: &str, new: &str) -> (String, usize) {
    let default = Content::default_toml();
    let start = default.find(old).unwrap_or_else(|| panic!("the default content does not say {old:?}"));
    let line = 1 + default[..start].matches('\n').count();
    (default.replacen(old, new, 1), line)
}

pub(super) fn problems(toml_text: &str) -> Vec<Problem> {
    Content::parse(toml_text).err().unwrap_or_default()
}

/// The dotted keys of all tables; of lists only the first member, as the others have the same shape.
fn tables(table: &Table, path: &str, found: &mut Vec<String>) {
    found.push(path.to_owned());
    for (key, value) in table {
        let dot = if path.is_empty() { "" } else { "." };
        match value {
            toml::Value::Table(inner) => tables(inner, &format!("{path}{dot}{key}"), found),
            toml::Value::Array(members) => {
                if let Some(toml::Value::Table(inner)) = members.first() {
                    tables(inner, &format!("{path}{dot}{key}[0]"), found);
                }
            }
            _ => {}
        }
    }
}

fn table_at<'a>(table: &'a mut Table, path: &str) -> &'a mut Table {
    path.split('.').filter(|step| !step.is_empty()).fold(table, |table, step| {
        let value = table.get_mut(step.trim_end_matches("[0]")).expect(step);
        match value {
            toml::Value::Array(members) => members[0].as_table_mut().expect(step),
            value => value.as_table_mut().expect(step),
        }
    })
}

fn default_tables() -> (Table, Vec<String>) {
    let table: Table = Content::default_toml().parse().expect("TOML");
    let mut paths = Vec::new();
    tables(&table, "", &mut paths);
    (table, paths)
}

#[test]
fn no_table_takes_a_key_that_nobody_reads() {
    let (default, paths) = default_tables();
    assert!(paths.len() > 80, "only {} tables", paths.len());
    for path in paths.iter().filter(|path| *path != "openings") {
        let mut document = default.clone();
        table_at(&mut document, path).insert("colour_of_the_door".to_owned(), "red".into());
        let text = toml::to_string(&document).expect("TOML");
        let found = problems(&text);
        let line = 1 + text.lines().position(|line| line.contains("colour_of_the_door")).expect("the key");
        assert_eq!(found.len(), 1, "{path}: {found:?}");
        assert_eq!(found[0].line, line, "{path}: {found:?}");
        assert!(found[0].key.ends_with("colour_of_the_door"), "{path}: {found:?}");
        assert!(found[0].rule.starts_with("unknown key 'colour_of_the_door'"), "{path}: {found:?}");
    }
}

#[test]
fn every_key_but_the_optional_ones_is_missed() {
    let (default, paths) = default_tables();
    let mut optional = BTreeSet::new();
    for path in paths {
        let keys: Vec<String> = table_at(&mut default.clone(), &path).keys().cloned().collect();
        for key in keys {
            let mut document = default.clone();
            table_at(&mut document, &path).remove(&key);
            let found = problems(&toml::to_string(&document).expect("TOML"));
            let dotted = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            if found.is_empty() {
                optional.insert(key);
            } else {
                let place = dotted.replace(".url", ".handle");
                assert!(found[0].key == dotted || found[0].key == place, "{dotted}: {found:?}");
                let needed_by_another = ["bio_full", "handle", "url"].contains(&key.as_str());
                assert!(found[0].rule.contains("missing") || needed_by_another, "{dotted}: {found:?}");
            }
        }
    }
    let expected = "binding_note image next next_title open postal_code sample text tiles";
    let kinds: BTreeSet<&str> = KINDS.into_iter().collect();
    let named: Vec<&str> = optional.iter().map(String::as_str).filter(|key| !kinds.contains(key)).collect();
    assert_eq!(named.join(" "), expected);
}

#[test]
fn the_default_content_is_right() {
    let content = default_content();
    assert_eq!(content.categories.len(), 4);
    assert_eq!(content.competition.cards.len(), 8);
    assert_eq!(content.home.slideshow.slides.len(), 9);
    assert_eq!(content.venue.hotels.len(), 5);
    assert_eq!(content.faq.sections.len(), 6);
    assert_eq!(content.pricing.tax_locations.len(), 13);
}

#[test]
fn markup_stays_the_text_that_it_is() {
    let markup = "<script>alert('1')</script> & <b>bold</b>";
    let (text, _) = edited("\"Lash & Brow Showcase\"", &format!("\"{markup}\""));
    let content = Content::parse(&text).expect("markup is text");
    assert_eq!(content.event.name, markup);
}

#[test]
fn pages_read_camel_case() {
    fn check(value: &Value, path: &str) {
        match value {
            Value::Object(table) => {
                for (key, member) in table {
                    assert!(!key.contains('_'), "{path}.{key}");
                    check(member, &format!("{path}.{key}"));
                }
            }
            Value::Array(members) => members.iter().for_each(|member| check(member, path)),
            _ => {}
        }
    }
    let value = serde_json::to_value(default_content()).expect("JSON");
    check(&value, "");
    assert_eq!(value["event"]["firstDay"], "2026-03-28");
    assert_eq!(value["event"]["opens"], "09:30");
    assert_eq!(value["event"]["timeZone"], "America/New_York");
    assert_eq!(value["pricing"]["taxLocations"][1]["rateBasisPoints"], 625);
    assert_eq!(value["openings"]["competition-entries"]["from"], Value::Null);
}

#[test]
fn samples_are_listed_until_their_mark_is_gone() {
    let samples = default_content().samples();
    for key in [
        "organiser",
        "contact",
        "chat",
        "venue",
        "venue.hotels[4]",
        "people.groups[0].profiles[0]",
        "legal.privacy",
    ] {
        assert!(samples.iter().any(|sample| sample == key), "{key} is not among {samples:?}");
    }
    assert!(!samples.iter().any(|sample| sample == "event" || sample == "legal.speaker_terms"));
    let (text, _) = edited("[organiser]\nsample = true", "[organiser]");
    let fewer = Content::parse(&text).expect("content").samples();
    assert_eq!(fewer.len(), samples.len() - 1);
}

/// No sample may lead a visitor to a stranger, or ring at one's.
#[test]
fn samples_lead_nowhere_real() {
    let text = Content::default_toml();
    for address in text.split(['"', ' ']).filter(|word| word.contains("://")) {
        let known =
            ["https://example.com", "https://www.openstreetmap.org/", "https://wa.me/", "https://..."];
        assert!(known.iter().any(|start| address.starts_with(start)), "{address}");
    }
    for address in text.split(['"', ' ']).filter(|word| word.contains('@') && word.contains('.')) {
        assert!(address.ends_with("@example.com"), "{address}");
    }
    assert!(default_content().chat.number.contains("55501"));
    assert!(default_content().contact.phone.contains("555-01"));
}

#[test]
fn pictures_are_listed_by_the_key_that_names_them() {
    assert!(default_content().images().is_empty());
    let (text, _) = edited("image = \"\"", "image = \"opening-night\"");
    let images = Content::parse(&text).expect("content").images();
    assert_eq!(images.into_iter().collect::<Vec<_>>(), [("home.hero.image".into(), "opening-night".into())]);
}

#[test]
fn a_form_that_is_not_mentioned_is_open() {
    let (text, _) = edited("[openings.judge-applications]\nopen = true", "");
    let (text, _) = (
        text.replace("[openings.waitlist-signups]\nopen = true", "[openings.waitlist-signups]\nopen = false"),
        0,
    );
    let content = Content::parse(&text).expect("content");
    let now = "2026-01-01T00:00:00Z".parse().expect("an instant");
    let states = content.openings(now);
    assert_eq!(states.len(), 7);
    assert!(states["judge-applications"].open);
    assert!(!states["waitlist-signups"].open);
}

#[test]
fn the_day_is_the_one_at_the_event() {
    let late_evening = "2026-03-29T03:59:59Z".parse().expect("an instant");
    assert_eq!(default_content().today(late_evening).to_string(), "2026-03-28");
}

#[test]
fn a_key_with_another_type_is_a_problem_of_that_key() {
    for (old, new, key, rule) in [
        (
            "[\"Standard Lash Lift\"]",
            "\"Standard Lash Lift\"",
            "categories[2].subcategories",
            "expected a list",
        ),
        ("\"Lash & Brow Showcase\"", "3", "event.name", "expected a text in quotes"),
        (
            "{ label = \"View Full Schedule\", href = \"/schedule\" }",
            "\"/schedule\"",
            "home.hero.schedule_button",
            "a table",
        ),
    ] {
        let (text, line) = edited(old, new);
        let found = problems(&text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].line, found[0].key.as_str()), (line, key));
        assert!(found[0].rule.contains(rule), "{found:?}");
    }
}

#[test]
fn a_text_that_is_not_toml_is_named_by_line() {
    let (text, line) = edited("short_name = \"Showcase\"", "short_name = \"Showcase");
    let found = problems(&text);
    assert_eq!(found[0].line, line);
    assert!(found[0].rule.starts_with("this is not TOML"), "{found:?}");
    assert_eq!(problems("phase = 1\nphase = 2\n")[0].line, 2);
}

#[test]
fn an_empty_file_misses_every_section() {
    let found = problems("");
    let sections: Table = Content::default_toml().parse().expect("TOML");
    assert_eq!(found.len(), sections.len());
    assert!(found.iter().all(|problem| problem.line == 1 && problem.rule == "this section is missing"));
}
