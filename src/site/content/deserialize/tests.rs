//! Files with wrong keys, types or syntax.

use toml::Table;

use crate::site::content::Content;
use crate::site::content::tests::{edited, problems};

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
