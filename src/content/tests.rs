<<<<<<< HEAD
//! The default content is right; everything that can be wrong with another one is found and pointed at.

use std::collections::BTreeSet;

use serde_json::Value;
use toml::Table;

use super::*;
=======
//! The default content is right, and what it is asked is answered.

use serde_json::Value;

use super::*;
use crate::model::Kind;
>>>>>>> main

fn default_content() -> Content {
    Content::parse(Content::default_toml()).expect("the default content is right")
}

/// The default content with one text replaced, and the line where the new one begins.
<<<<<<< HEAD
fn edited(old: &str, new: &str) -> (String, usize) {
=======
pub(super) fn edited(old: &str, new: &str) -> (String, usize) {
>>>>>>> main
    let default = Content::default_toml();
    let start = default.find(old).unwrap_or_else(|| panic!("the default content does not say {old:?}"));
    let line = 1 + default[..start].matches('\n').count();
    (default.replacen(old, new, 1), line)
}

<<<<<<< HEAD
fn problems(toml_text: &str) -> Vec<Problem> {
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
                assert!(found[0].key == dotted, "{dotted}: {found:?}");
                assert!(found[0].rule.contains("missing") || key == "bio_full", "{dotted}: {found:?}");
            }
        }
    }
    let expected = "all_day binding_note image open postal_code sample text";
    let kinds: BTreeSet<&str> = KINDS.into_iter().collect();
    let named: Vec<&str> = optional.iter().map(String::as_str).filter(|key| !kinds.contains(key)).collect();
    assert_eq!(named.join(" "), expected);
}

#[test]
fn what_is_wrong_is_named_with_line_key_and_rule() {
    let cases = [
        // What to replace, with what, the key, a part of the rule.
        ("[faq]", "[faqs]", "faqs", "did you mean 'faq'?"),
        ("short_name =", "shortname =", "event.shortname", "did you mean 'short_name'?"),
        (
            "name = \"Lakeside Hotel\"",
            "nmae = \"Lakeside Hotel\"",
            "venue.hotels[0].nmae",
            "did you mean 'name'?",
        ),
        ("\"before\"", "\"befor\"", "phase", "did you mean 'before'?"),
        ("\"2026-03-28\"", "\"2026-02-30\"", "event.first_day", "'2026-02-30' is not a day of the calendar"),
        ("\"2026-03-28\"", "\"March 28\"", "event.first_day", "'March 28' is not a day of the calendar"),
        ("\"2026-03-28\"", "\"2026-03-30\"", "event.first_day", ""),
        (
            "last_day = \"2026-03-29\"",
            "last_day = \"2026-03-27\"",
            "event.last_day",
            "not be before event.first_day",
        ),
        (
            "dates = \"March 28-29, 2026\"",
            "dates = \"April 28-30, 2026\"",
            "event.dates",
            "name the year and the days",
        ),
        ("\"09:30\"", "\"9:30 AM\"", "event.opens", "write 24 hours, like 09:30"),
        ("closes = \"20:00\"", "closes = \"08:00\"", "event.closes", "later than event.opens"),
        ("\"America/New_York\"", "\"EST\"", "event.time_zone", ""),
        ("\"America/New_York\"", "\"Eastern\"", "event.time_zone", "write a name like America/New_York"),
        (
            "date = \"2026-03-29\"",
            "date = \"2026-03-28\"",
            "event.days[1].date",
            "later than the day before it",
        ),
        (
            "date = \"2026-03-29\"",
            "date = \"2026-04-29\"",
            "event.days[1].date",
            "from event.first_day to event.last_day",
        ),
        ("end = \"10:30\"", "end = \"09:30\"", "schedule.days[0].items[0].end", "later than its start"),
        ("start = \"10:45\"", "start = \"10:15\"", "schedule.days[0].items[2].start", "not be earlier"),
        ("\"arrival\"", "\"arival\"", "schedule.days[0].items[0].kind", "did you mean 'arrival'?"),
        (
            "participant_fee_cents = 44900",
            "participant_fee_cents = 0",
            "pricing.participant_fee_cents",
            "more than 0",
        ),
        (
            "participant_fee_cents = 44900",
            "participant_fee_cents = -1",
            "pricing.participant_fee_cents",
            "more than 0",
        ),
        (
            "participant_fee_cents = 44900",
            "participant_fee_cents = 449.00",
            "pricing.participant_fee_cents",
            "floating point",
        ),
        (
            "participant_fee_cents = 44900",
            "participant_fee_cents = \"449\"",
            "pricing.participant_fee_cents",
            "string",
        ),
        (
            "regular_fee_cents = 74900",
            "regular_fee_cents = 44800",
            "pricing.regular_fee_cents",
            "not be lower",
        ),
        (
            "regular_fee_cents = 74900",
            "regular_fee_cents = 10000001",
            "pricing.regular_fee_cents",
            "at most 10000000",
        ),
        ("\"2025-09-25\"", "\"2026-03-30\"", "pricing.priority_deadline", "not be after the event"),
        ("\"keep\"", "\"kept\"", "pricing.after_deadline", "did you mean 'keep'?"),
        ("[9900, 17900]", "[9900]", "pricing.additional_categories_cents", "two prices"),
        ("[9900, 17900]", "[17900, 9900]", "pricing.additional_categories_cents", "not cost less"),
        ("[9900, 17900]", "[0, 17900]", "pricing.additional_categories_cents[0]", "more than 0"),
        (
            "basis_points = 800",
            "basis_points = 2501",
            "pricing.tax_locations[0].rate_basis_points",
            "0 to 2500",
        ),
        (
            "basis_points = 800",
            "basis_points = -1",
            "pricing.tax_locations[0].rate_basis_points",
            "0 to 2500",
        ),
        ("value = \"new-jersey\"", "value = \"new-york\"", "pricing.tax_locations[1].value", "here twice"),
        ("label = \"New Jersey\"", "label = \"New York\"", "pricing.tax_locations[1].label", "here twice"),
        ("value = \"new-york\"", "value = \"New York\"", "pricing.tax_locations[0].value", "small letters"),
        ("slug = \"brows\"", "slug = \"lash-extensions\"", "categories[1].slug", "here twice"),
        ("[\"Standard Lash Lift\"]", "[]", "categories[2].subcategories", "at least one"),
        ("[\"Standard Lash Lift\"]", "[\"\"]", "categories[2].subcategories[0]", "must not be empty"),
        (
            "[\"Lamination\", \"Creative\"]",
            "[\"Lamination\", \"Lamination\"]",
            "categories[1].subcategories[1]",
            "twice",
        ),
        (
            "\nsubcategory = \"Volume\"",
            "\nsubcategory = \"Volumes\"",
            "competition.cards[0].subcategory",
            "'Volume'?",
        ),
        (
            "\ncategory = \"lash-lift\"",
            "\ncategory = \"lash-lifts\"",
            "competition.cards[3].category",
            "'lash-lift'?",
        ),
        (
            "label = \"Lash Extensions - Creative\"",
            "label = \"Lash Lift\"",
            "competition.cards[3].label",
            "here twice",
        ),
        (
            "href = \"/enter-competition\"",
            "href = \"javascript:1\"",
            "home.hero.buttons[0].href",
            "must be /path",
        ),
        (
            "website = \"https://example.com\"",
            "website = \"example.com\"",
            "organiser.website",
            "web address",
        ),
        ("embed_url = \"https:", "embed_url = \"http:", "venue.map.embed_url", "starts with https://"),
        ("email = \"hello@example.com\"", "email = \"hello\"", "contact.email", "mail address"),
        ("\"12015550100\"", "\"+1 201-555-0100\"", "chat.number", "digits"),
        (
            "title = \"Speaker Terms & Conditions\"",
            "title = \" \"",
            "legal.speaker_terms.title",
            "must not be empty",
        ),
        (
            "version = \"2025-09-01\"",
            "version = \"\"",
            "legal.photography_release.version",
            "must not be empty",
        ),
        ("name = \"Lash & Brow Showcase\"", "name = \"Lash\\u0007\"", "event.name", "control characters"),
        ("minutes_to = 10", "minutes_to = 4", "venue.hotels[0].minutes_to", "less than minutes_from"),
        ("minutes_to = 10", "minutes_to = -4", "venue.hotels[0].minutes_to", "u32"),
        ("handle = \"@speaker-one\"", "handle = \"\"", "people.groups[0].profiles[0].handle", "go together"),
        ("coming_soon = true", "coming_soon = false", "people.groups[1].profiles[1].bio_full", "coming_soon"),
        (
            "[openings.judge-applications]",
            "[openings.judges]",
            "openings.judges",
            "not a kind of registration",
        ),
        (
            "[openings.judge-applications]",
            "[openings.judge-application]",
            "openings.judge-application",
            "'judge-applications'?",
        ),
        ("[organiser]\nsample = true", "[organiser]\nsample = \"yes\"", "organiser.sample", "boolean"),
    ];
    for (old, new, key, rule) in cases {
        let (text, _) = edited(old, new);
        let found = problems(&text);
        let problem = found.iter().find(|problem| problem.key == key && problem.rule.contains(rule));
        if key == "event.time_zone" && new == "\"EST\"" {
            continue;
        }
        let problem = problem.unwrap_or_else(|| panic!("{old} -> {new}: {found:?}"));
        let named = key.rsplit(['.', '[']).next().unwrap_or(key).trim_end_matches(']');
        let line = text.lines().nth(problem.line - 1).unwrap_or_default();
        let member = named.parse::<usize>().is_ok();
        assert!(member || line.contains(named), "{old} -> {new}: line {} is {line:?}", problem.line);
    }
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

#[test]
fn everything_wrong_is_reported_at_once_in_the_order_of_the_file() {
    let default = Content::default_toml();
    let several = default
        .replacen("participant_fee_cents = 44900", "participant_fee_cents = 0", 1)
        .replacen("closes = \"20:00\"", "closes = \"08:00\"", 1)
        .replacen("website = \"https://example.com\"", "website = \"javascript:alert(1)\"", 1);
    let keys: Vec<String> = problems(&several).into_iter().map(|problem| problem.key).collect();
    assert_eq!(keys, ["event.closes", "organiser.website", "pricing.participant_fee_cents"],);
    let misshapen = default.replacen("tagline =", "tag_line =", 1).replacen("[faq]", "[fag]", 1);
    let found = problems(&misshapen);
    assert!(found.iter().any(|problem| problem.key == "event.tag_line"), "{found:?}");
    assert!(found.iter().any(|problem| problem.key == "fag"), "{found:?}");
}

#[test]
fn a_problem_reads_as_one_line() {
    let (text, line) = edited("participant_fee_cents = 44900", "participant_fee_cents = 0");
    assert_eq!(
        problems(&text)[0].to_string(),
        format!("line {line}: pricing.participant_fee_cents: must be more than 0 and at most 10000000 cents"),
    );
=======
pub(super) fn problems(toml_text: &str) -> Vec<Problem> {
    Content::parse(toml_text).err().unwrap_or_default()
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
    let text = text.replace(
        "[openings.waitlist-signups]\nopen",
        "[openings.waitlist-signups]\nmessage = \"Full.\"\nopen",
    );
    let content =
        Content::parse(&text.replace("\"Full.\"\nopen = true", "\"Full.\"\nopen = false")).expect("content");
    let now = "2026-01-01T00:00:00Z".parse().expect("an instant");
    let closed = |kind: Kind| content.opening(kind.as_str(), now).closed_message();
    let messages: Vec<Option<String>> = Kind::ALL.into_iter().map(closed).collect();
    assert_eq!(messages, [None, None, None, None, None, Some("Full.".to_owned()), None]);
}

#[test]
fn an_entry_may_choose_what_the_categories_say() {
    let offered = default_content().offered();
    let words: Vec<&str> = offered.categories.iter().map(|category| category.value.as_str()).collect();
    assert_eq!(words, ["lash-extensions", "brows", "lash-lift", "makeup"]);
    assert_eq!(offered.categories[2].subcategories, ["Standard Lash Lift"]);
}

#[test]
fn the_map_is_framed_from_its_own_origin() {
    assert_eq!(default_content().frame_origins(), "https://www.openstreetmap.org");
}

#[test]
fn the_day_is_the_one_at_the_event() {
    let late_evening = "2026-03-29T03:59:59Z".parse().expect("an instant");
    assert_eq!(default_content().today(late_evening).to_string(), "2026-03-28");
>>>>>>> main
}
