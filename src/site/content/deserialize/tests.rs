//! Every table of the default content with an extra key, and with each of its keys missing.

use std::collections::BTreeSet;

use toml::Table;

use crate::model::Kind;
use crate::site::content::Content;
use crate::site::content::tests::{edited, problems};

#[test]
fn every_table_refuses_an_unknown_key() {
    let (default, paths) = default_tables();
    assert!(paths.len() > 80, "only {} tables", paths.len());
    // Tables whose keys are kinds of registration or roles: `check` finds an unknown one.
    let by_kind = |path: &str| {
        matches!(path, "openings" | "mail.next" | "mail.promises" | "door.bring")
            || path.ends_with(".for_kind")
    };
    for path in paths.iter().filter(|path| !by_kind(path)) {
        let mut document = default.clone();
        table_at(&mut document, path).insert("unheard_of_key".to_owned(), "red".into());
        let text = toml::to_string(&document).expect("TOML");
        let found = problems(&text);
        let line = 1 + text.lines().position(|line| line.contains("unheard_of_key")).expect("the key");
        assert_eq!(found.len(), 1, "{path}: {found:?}");
        assert_eq!(found[0].line, line, "{path}: {found:?}");
        assert!(found[0].key.ends_with("unheard_of_key"), "{path}: {found:?}");
        assert!(found[0].rule.starts_with("unknown key 'unheard_of_key'"), "{path}: {found:?}");
    }
}

#[test]
fn only_the_optional_keys_may_be_missing() {
    let (default, paths) = default_tables();
    let mut optional = BTreeSet::new();
    for path in paths {
        let keys: Vec<String> = table_at(&mut default.clone(), &path).keys().cloned().collect();
        for key in keys {
            let mut document = default.clone();
            table_at(&mut document, &path).remove(&key);
            let found = problems(&toml::to_string(&document).expect("TOML"));
            let dotted = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            // A line of the schedule may name the profile that has lost its key.
            let is_named = key == "key" && found.iter().all(|problem| problem.key.ends_with(".speaker"));
            if found.is_empty() || is_named {
                optional.insert(key);
            } else {
                let handle = dotted.replace(".url", ".handle");
                assert!(found[0].key == dotted || found[0].key == handle, "{dotted}: {found:?}");
                let needed_by_another = ["bio_full", "handle", "url"].contains(&key.as_str());
                assert!(found[0].rule.contains("missing") || needed_by_another, "{dotted}: {found:?}");
            }
        }
    }
    let expected = "attend_note award binding_note bring competitor demo_day demonstrator door erase_after_days for_kind hint how image invitation judge judging jury_introduction jury_title key live_note min_pixels minimum_for_places next next_title open penalties portal postal_code price_note_after prizes prizes_title promises refund remind_unpaid reminder rubrics sample scale search_url second_look_points sign_off speaker step steps steps_title submission text threshold_percent tickets_before_days ticks tie_order tiles video";
    let named: Vec<&str> =
        optional.iter().map(String::as_str).filter(|key| key.parse::<Kind>().is_err()).collect();
    assert_eq!(named.join(" "), expected);
}

#[test]
fn a_value_of_the_wrong_type_is_reported_at_its_key() {
    for (old, new, key, rule) in [
        (
            "[\"Standard Lash Lift\"]",
            "\"Standard Lash Lift\"",
            "categories[2].subcategories",
            "must be a list",
        ),
        ("\"Lash & Brow Showcase\"", "3", "event.name", "must be a text in quotes"),
        ("first_day = \"2026-03-28\"", "first_day = 2026-03-28", "event.first_day", "in quotes"),
        ("opens = \"09:30\"", "opens = 09:30:00", "event.opens", "in quotes"),
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
fn a_byte_order_mark_and_windows_line_ends_are_accepted() {
    let default = Content::default_toml();
    for text in [format!("\u{feff}{default}"), default.replace('\n', "\r\n")] {
        assert_eq!(problems(&text), []);
    }
}

/// A hostile file neither overflows the stack nor takes long, and its messages stay short.
#[test]
fn a_deeply_nested_or_huge_file_is_refused_with_a_short_message() {
    let deep = 100_000;
    for text in [
        format!("{}a = 1", "a.".repeat(deep)),
        format!("a = {}{}", "[".repeat(deep), "]".repeat(deep)),
        format!("a = {}1{}", "{a = ".repeat(deep), "}".repeat(deep)),
        format!("phase = \"{}\"", "x".repeat(deep)),
        "[[event]]\n".repeat(1_000),
    ] {
        let found = problems(&text);
        assert!(!found.is_empty());
        assert!(found.iter().all(|problem| problem.to_string().len() < 400), "{found:?}");
    }
}

#[test]
fn invalid_toml_is_reported_with_its_line() {
    let (text, line) = edited("short_name = \"Showcase\"", "short_name = \"Showcase");
    let found = problems(&text);
    assert_eq!(found[0].line, line);
    assert!(found[0].rule.starts_with("this is not TOML"), "{found:?}");
    assert_eq!(problems("phase = 1\nphase = 2\n")[0].line, 2);
}

#[test]
fn a_bracket_that_is_not_closed_is_reported_where_it_is_and_not_for_each_line_after_it() {
    let (text, line) = edited("phase =", "days = [\nphase =");
    let found = problems(&text);
    let lines: Vec<usize> = found.iter().map(|problem| problem.line).collect();
    assert!((line..line + 3).contains(&lines[0]), "{found:?}");
    assert!(lines.len() <= 5 && lines.windows(2).all(|pair| pair[0] < pair[1]), "{found:?}");
}

#[test]
fn a_quoted_key_with_a_dot_is_reported_once() {
    let (text, line) = edited("phase =", "\"event.name\" = 1\nphase =");
    let found = problems(&text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].line, line);
}

#[test]
fn an_empty_file_has_every_section_reported_as_missing() {
    let found = problems("");
    let sections: Table = Content::default_toml().parse().expect("TOML");
    assert!(sections.contains_key("portal") && sections.contains_key("judging"), "which may be missing");
    assert_eq!(found.len(), sections.len() - 2);
    assert!(found.iter().all(|problem| problem.line == 1 && problem.rule == "this section is missing"));
}

/// The dotted keys of all tables. Of a list only the first member, since all have the same type.
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
