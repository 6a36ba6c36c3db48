//! Tests of the default content and of `Content`'s methods.

use serde_json::Value;

use super::*;
use crate::model::Kind;

fn default_content() -> Content {
    Content::parse(Content::default_toml()).expect("the default content is valid")
}

/// The default content with one text replaced, and the line where the new one begins.
pub(super) fn edited(old: &str, new: &str) -> (String, usize) {
    let default = Content::default_toml();
    let start = default.find(old).unwrap_or_else(|| panic!("the default content does not have {old:?}"));
    let line = 1 + default[..start].matches('\n').count();
    (default.replacen(old, new, 1), line)
}

pub(super) fn problems(toml_text: &str) -> Vec<Problem> {
    Content::parse(toml_text).err().unwrap_or_default()
}

#[test]
fn the_json_for_pages_has_camel_case_keys() {
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
fn samples_are_listed_until_they_are_unmarked() {
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

/// No sample may link to a real site or mailbox, or have a real telephone number.
#[test]
fn samples_have_only_reserved_addresses_and_numbers() {
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
fn a_form_that_is_not_mentioned_is_open() {
    let (text, _) = edited("[openings.judge-applications]\nopen = true", "");
    let text = text.replace(
        "[openings.waitlist-signups]\nopen",
        "[openings.waitlist-signups]\nmessage = \"Full.\"\nopen",
    );
    let content =
        Content::parse(&text.replace("\"Full.\"\nopen = true", "\"Full.\"\nopen = false")).expect("content");
    let now = "2026-01-01T00:00:00Z".parse().expect("an instant");
    let messages: Vec<Option<String>> =
        Kind::ALL.into_iter().map(|kind| content.closed_message(kind, now)).collect();
    assert_eq!(messages, [None, None, None, None, None, Some("Full.".to_owned()), None]);
}

#[test]
fn the_map_may_be_framed_from_its_own_origin_only() {
    assert_eq!(default_content().frame_origins(), "https://www.openstreetmap.org");
}

#[test]
fn today_is_the_day_in_the_events_time_zone() {
    let late_evening = "2026-03-29T03:59:59Z".parse().expect("an instant");
    assert_eq!(default_content().today(late_evening).to_string(), "2026-03-28");
}

#[test]
fn the_maps_link_searches_for_the_address_unless_the_file_has_a_link() {
    let link = |toml: &str| Content::parse(toml).expect("content").venue.map.search_url;
    let toml = Content::default_toml();
    let expected = "https://www.google.com/maps/search/?api=1&query=Lakeside+Venue%2C+1+Sample+Lake+Drive%2C+Jersey+City%2C+NJ";
    assert_eq!(link(toml), expected);
    assert_eq!(link(&toml.replace("search_url = \"\"\n", "")), expected);
    let own = "https://example.com/map";
    assert_eq!(link(&toml.replace("search_url = \"\"", &format!("search_url = \"{own}\""))), own);
}

#[test]
fn categories_are_found_by_name() {
    let content = default_content();
    let called = |name| content.categories_called(name);
    assert_eq!(called("LASH  lift"), [("lash-lift", None)]);
    assert_eq!(called("lash-extensions"), [("lash-extensions", None)]);
    assert_eq!(called("Makeup - Natural Glam"), [("makeup", Some("Natural Glam"))]);
    assert_eq!(called("creative"), [("lash-extensions", Some("Creative")), ("brows", Some("Creative"))]);
    assert_eq!(called("lash"), []);
    assert_eq!(called(" - "), []);
    assert_eq!(content.nomination("brows", "Creative"), "Brows - Creative");
    assert_eq!(content.nomination("nails", "Gel"), "nails - Gel");
}
