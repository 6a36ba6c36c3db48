//! The commands for the event's content: export, check, import, history and rollback.

use crate::support::content::{edited, import, numbered};
use crate::support::{Place, migrated, text};

#[test]
fn the_current_content_is_exported() {
    let place = migrated("");
    let default = showcase::site::content::Content::default_toml();
    assert_eq!(place.done(&["content", "export"]), default);
    assert_eq!(import(&place, &numbered(1)), 1);
    assert_eq!(place.done(&["content", "export"]), numbered(1));
    assert_eq!(place.done(&["content", "export", "--default"]), default);
    assert_eq!(place.done(&["content", "export", "--revision", "0"]), default);
    assert_eq!(import(&place, &numbered(2)), 2);
    let written = place.run(&["content", "export", "--revision", "1", "--output", "first.toml"]);
    assert!(written.status.success() && written.stdout.is_empty());
    assert_eq!(std::fs::read_to_string(place.path("first.toml")).expect("a file"), numbered(1));
    let missing = place.refused(&["content", "export", "--revision", "7"]);
    assert!(missing.contains("There is no revision 7"), "{missing}");
}

#[test]
fn check_names_the_line_the_key_and_the_rule_of_every_problem() {
    let place = Place::new("");
    let good = place.run_with_input(&["content", "check", "-"], &numbered(1));
    assert!(good.status.success() && good.stdout.is_empty(), "{}", text(&good.stdout));
    assert!(!place.database().exists(), "a check needs no database and makes none");
    place.done(&["migrate"]);
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str]);
    let cases: [Case; 4] = [
        (&[("[chat]\n", "[chatter]\n")], &["chat: this section is missing", "chatter"]),
        (
            &[("phase = \"before\"", "phase = \"during\"")],
            &["phase: 'during' is not a value for this key; use one of 'before', 'after'"],
        ),
        (
            &[("image = \"\"\nalt = \"A closed eye", "image = \"lake\"\nalt = \"A closed eye")],
            &["home.hero.image: there is no picture 'lake'"],
        ),
        (&[("phase = \"before\"", "phase = \"before")], &["this is not TOML"]),
    ];
    for (replacements, expected) in cases {
        let toml = edited(replacements);
        for command in ["check", "import"] {
            let refused = place.run_with_input(&["content", command, "-"], &toml);
            assert_eq!(refused.status.code(), Some(1), "{expected:?}");
            let told = text(&refused.stdout) + &text(&refused.stderr);
            for words in expected {
                assert!(told.contains(words), "{words} is not in {told}");
            }
            assert!(told.starts_with("line ") && told.contains("nothing was changed"), "{told}");
        }
    }
    assert_eq!(place.sql::<i64>("select count(*) from content_revisions"), 0);
    assert_eq!(place.sql::<i64>("select count(*) from audit_log"), 0);
}

#[test]
fn a_file_that_is_not_content_is_refused_with_one_sentence() {
    let place = migrated("");
    std::fs::write(place.path("large.toml"), "#".repeat(2_000_000)).expect("a file");
    std::fs::write(place.path("latin.toml"), b"# one\n[event]\nname = 'K\xfcnstler'\n").expect("a file");
    let cases = [
        ("large.toml", "large.toml is larger than the limit of 1048 KB"),
        ("latin.toml", "latin.toml is not valid UTF-8 on line 3"),
        ("missing.toml", "missing.toml cannot be read"),
        (".", ". cannot be read"),
    ];
    for (file, words) in cases {
        for command in ["check", "import"] {
            let told = place.refused(&["content", command, file]);
            assert!(told.contains(words) && told.lines().count() == 1, "{told}");
        }
    }
    let long = place.run_with_input(&["content", "import", "-", "--note", &"n".repeat(201)], &numbered(1));
    assert!(text(&long.stderr).contains("at most 200 characters"));
    assert_eq!(place.sql::<i64>("select count(*) from content_revisions"), 0);
}

#[test]
fn history_lists_every_import_and_rollback_restores_one() {
    let place = migrated("");
    let nothing = place.refused(&["content", "rollback"]);
    assert!(nothing.contains("There is nothing to roll back"));
    let noted = place.run_with_input(&["content", "import", "-", "--note", "two new judges"], &numbered(1));
    assert_eq!(text(&noted.stdout), "1\n");
    assert_eq!(import(&place, &numbered(2)), 2);
    assert_eq!(import(&place, &numbered(2)), 2, "the same text again is no new revision");
    let export = || place.done(&["content", "export"]);
    let back = |arguments: &[&str]| place.done(&[&["content", "rollback"], arguments].concat());
    assert_eq!((back(&[]), export()), ("3\n".to_owned(), numbered(1)));
    assert_eq!((back(&[]), export()), ("4\n".to_owned(), numbered(2)), "a rollback can be rolled back");
    assert_eq!(back(&["0"]), "5\n");
    assert_eq!(export(), showcase::site::content::Content::default_toml());
    assert_eq!((back(&["1"]), export()), ("6\n".to_owned(), numbered(1)));
    place.refused(&["content", "rollback", "9"]);
    let listed = place.done(&["content", "history"]);
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 7, "{listed}");
    assert!(lines[1].trim_start().starts_with("6 ") && lines[1].ends_with("back to revision 1"), "{listed}");
    assert!(lines[2].ends_with("back to the compiled-in default"), "{listed}");
    assert!(lines[6].contains("command line") && lines[6].ends_with("two new judges"), "{listed}");
    // Stored in UTC, read in event time: New York is four or five hours behind.
    let stored: String = place.sql("select created_at from content_revisions where id = 1");
    let local = showcase::time::local(&stored, &"America/New_York".parse().expect("a zone"));
    assert!(lines[6].contains(&local) && !lines[6].contains(&stored[11..16]), "{listed} {stored}");
    assert_eq!(place.sql::<i64>("select count(*) from audit_log where action = 'content imported'"), 6);
    assert_eq!(
        place.sql::<String>("select detail from audit_log order by id limit 1"),
        r#"{"revision":1,"note":"two new judges"}"#
    );
}

#[test]
fn every_command_of_the_organisers_page_works() {
    let place = migrated("");
    let pixels = image::RgbImage::from_pixel(640, 480, image::Rgb([20, 40, 90]));
    pixels.save(place.path("lake.jpg")).expect("a picture");
    let page = include_str!("../../../docs/content.md");
    let commands: Vec<&str> = page.lines().filter(|line| line.starts_with("showcase content ")).collect();
    assert!(commands.len() >= 10, "{commands:?}");
    for command in commands {
        place.done(&words(command)[1..]);
    }
    let examples: Vec<&str> =
        page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    assert_eq!(examples.len(), 7);
    for example in examples {
        for (key, _) in example.lines().filter_map(|line| line.split_once(" = ")) {
            assert!(edited(&[]).contains(&format!("{key} = ")), "'{key}' is no key of the default");
        }
    }
}

/// Splits a command into arguments at spaces outside quotes, as a shell does.
fn words(command: &str) -> Vec<&str> {
    command
        .split('\'')
        .enumerate()
        .flat_map(|(index, part)| if index % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
        .collect()
}
