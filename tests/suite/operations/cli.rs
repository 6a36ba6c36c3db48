//! The commands of the built binary.

use crate::support::{Place, migrated, served, text, waitlist, without_clock_warning};

#[test]
fn wrong_usage_exits_with_2_and_a_failure_with_1_and_one_sentence() {
    let place = Place::new("");
    assert_eq!(place.run(&["serve", "--nonsense"]).status.code(), Some(2));
    assert_eq!(place.run(&["export", "--kind", "cakes"]).status.code(), Some(2));
    let missing = place.run(&["export"]);
    assert_eq!(missing.status.code(), Some(1));
    let told = text(&missing.stderr);
    assert!(told.contains("There is no database at showcase.db") && told.lines().count() == 1, "{told}");
    assert!(missing.stdout.is_empty());
    assert!(!place.database().exists(), "a command that only reads creates no database");
    std::fs::write(place.path("other.toml"), "[smtp]\nhots = 'x'").expect("a file");
    let told = text(&place.run(&["--config", "other.toml", "migrate"]).stderr);
    assert!(told.contains("Did you mean 'smtp.host'?"), "{told}");
    let told = text(&place.run(&["--config", ".", "migrate"]).stderr);
    assert!(told.contains(". is not a regular file. Name the configuration file itself"), "{told}");
    for (arguments, words) in [
        (&["outbox", "list", "--state", "bogus"][..], "possible values: waiting, "),
        (&["outbox", "discard", "--kind", "bogus"], "possible values: speaker-applications, "),
        (&["outbox", "list", "--limit", "few"], "it is not a valid number here; use one like 12"),
        (&["content", "export", "--revision", "one"], "it is not a valid number here"),
        (&["export", "--from", "x"], "write one like 2026-03-28"),
        (&["export", "--to", "2026-02-30"], "write one like 2026-03-28"),
        (&["report", "daily", "--for", "tomorrow"], "write one like 2026-03-28"),
    ] {
        let told = place.run(arguments);
        assert_eq!(told.status.code(), Some(2), "{arguments:?}");
        assert!(text(&told.stderr).contains(words), "{}", text(&told.stderr));
    }
}

#[test]
fn migrate_creates_the_schema_and_its_status_changes_nothing() {
    let place = Place::new("");
    let pending = place.run(&["migrate", "--status"]);
    assert!(text(&pending.stdout).contains("V1  pending"), "{}", text(&pending.stdout));
    assert!(!place.database().exists());
    assert!(text(&place.run(&["migrate"]).stdout).contains("applied V1"));
    assert!(text(&place.run(&["migrate", "--status"]).stdout).contains("V1  applied"));
    let again = place.run(&["migrate", "--quiet"]);
    assert!(again.status.success() && again.stdout.is_empty() && again.stderr.is_empty());
}

#[test]
fn the_first_serve_generates_a_password_and_shows_it_once() {
    let place = Place::new("");
    let first = place.serve();
    assert!(first.greeting.contains("The organiser's password, shown this once: "), "{}", first.greeting);
    drop(first);
    let hash: String = place.sql("select value from settings where key = 'admin.password_hash'");
    assert!(hash.starts_with("$argon2id$"));
    assert!(!place.serve().greeting.contains("password"));
    let set = place.run_with_input(&["password"], "a-new-and-longer-one\n");
    assert!(set.status.success(), "{}", text(&set.stderr));
    assert_ne!(place.sql::<String>("select value from settings where key = 'admin.password_hash'"), hash);
    let short = place.run_with_input(&["password"], "short\n");
    assert_eq!(short.status.code(), Some(1));
    assert!(text(&short.stderr).contains("at least 10 characters"));
    let elsewhere = place.run_with_input(&["password", "--database", "new.db"], "a-new-and-longer-one\n");
    let told = text(&elsewhere.stderr);
    assert_eq!(told, "There was no database, so new.db was created.\nThe password is set.\n");
}

#[test]
fn a_password_in_the_configuration_wins() {
    let place = Place::new("[admin]\npassword = 'from-the-configuration'\n");
    assert!(!place.serve().greeting.contains("password"));
    let refused = place.run_with_input(&["password"], "a-new-and-longer-one\n");
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("The configuration sets admin.password"));
}

#[test]
fn flags_override_the_environment_which_overrides_the_file() {
    let place = Place::new("database = 'file.db'\n");
    let made = |name: &str| place.path(name).exists();
    assert!(place.run(&["migrate"]).status.success() && made("file.db"));
    let by_environment = place.command(&["migrate"]).env("SHOWCASE_DATABASE", "environment.db").output();
    assert!(by_environment.expect("it runs").status.success() && made("environment.db"));
    let by_flag = place
        .command(&["migrate", "--database", "flag.db"])
        .env("SHOWCASE_DATABASE", "unused.db")
        .output()
        .expect("it runs");
    assert!(by_flag.status.success() && made("flag.db") && !made("unused.db"));
}

#[test]
fn the_outbox_is_listed_shown_retried_and_discarded_while_a_server_runs() {
    let (place, server) = served("");
    for email in ["a@example.com", "b@example.com"] {
        assert_eq!(server.post("/api/waitlist-signups", &waitlist(email)).status, 201);
    }
    let listed = place.done(&["outbox", "list"]);
    assert!(listed.contains("a@example.com") && listed.contains("waiting"), "{listed}");
    let shown = text(&place.run(&["outbox", "show", "1"]).stdout);
    assert!(shown.contains("To: a@example.com") && shown.contains("Hello Bea Example,"), "{shown}");
    place.done(&["outbox", "discard", "1"]);
    assert_eq!(text(&place.run(&["outbox", "retry"]).stdout).trim(), "1", "a discarded mail stays discarded");
    place.refused(&["outbox", "discard", "1"]);
    place.refused(&["outbox", "show", "99"]);
}

#[test]
fn the_demo_has_sample_data_and_is_only_for_this_machine() {
    let place = Place::new("");
    let demo = place.serve_with(&["--demo"]);
    assert!(demo.get("/", &[]).text().to_lowercase().contains("demo"), "a banner on every page");
    assert!(!place.database().exists(), "its database is a temporary one");
    assert_eq!(demo.get("/robots.txt", &[]).text(), "User-agent: *\nDisallow: /\n");
    let session = demo.sign_in_with(&serde_json::json!({ "password": demo.generated_password() }));
    for path in ["/api/outbox?pageSize=500", "/api/audit?pageSize=500"] {
        let items = demo.get(path, &[("cookie", &session)]).json()["items"].clone();
        let instants: Vec<String> = items
            .as_array()
            .expect("a list")
            .iter()
            .map(|item| item["createdAt"].as_str().or(item["at"].as_str()).expect("an instant").to_owned())
            .collect();
        assert!(
            instants.len() > 20 && instants.is_sorted_by(|newer, older| newer >= older),
            "{path}: {instants:?}"
        );
    }
    let steps = demo.get("/api/first-steps", &[("cookie", &session)]).json();
    assert!(
        steps["items"].as_array().expect("a list").iter().all(|step| step["key"] != "email"),
        "it sends none"
    );
    let portals: Vec<&str> =
        demo.greeting.lines().filter(|line| line.starts_with("The Artist Portal of")).collect();
    let own = |line: &str| {
        let token = line.split_once("/artist-portal#").expect("a link").1;
        let signed = demo.post("/api/artist/session", &serde_json::json!({ "token": token }));
        assert_eq!(signed.status, 204, "{line}");
        let cookie = signed.header("set-cookie").split(';').next().expect("a pair").to_owned();
        let nomination =
            demo.get("/api/artist/nominations", &[("cookie", &cookie)]).json()["items"][0].clone();
        let slots = nomination["slots"].as_array().expect("a list").clone();
        let photos = slots.iter().filter(|slot| slot["media"].is_object()).count();
        let photo = slots.iter().find_map(|slot| slot["media"]["id"].as_i64()).expect("a photo");
        let shown = demo.get(&format!("/api/artist/media/{photo}"), &[("cookie", &cookie)]);
        assert_eq!((shown.status, shown.header("content-type")), (200, "image/jpeg"));
        let is_on_paper = nomination["release"]["paper"]["media"].is_object();
        (nomination["state"].as_str().expect("a state").to_owned(), slots.len() - photos, is_on_paper)
    };
    let shown: Vec<(String, usize, bool)> = portals.into_iter().map(own).collect();
    let expected =
        [("handed_in", 0, false), ("returned", 0, false), ("open", 1, false), ("handed_in", 0, true)];
    assert_eq!(shown, expected.map(|(state, missing, is_on_paper)| (state.to_owned(), missing, is_on_paper)));
    drop(demo);
    let own = Place::new("[admin]\npassword = 'seventy strokes a fan'\n");
    assert!(
        own.serve_with(&["--demo"])
            .greeting
            .contains("The organiser's password is the one in admin.password")
    );
    let outside = Place::with_machine_clock("").run(&["serve", "--demo", "--listen", "0.0.0.0:0"]);
    assert_eq!(outside.status.code(), Some(1));
    assert!(text(&outside.stderr).contains("only for this machine"));
}

#[test]
fn an_export_never_replaces_the_database_or_a_device() {
    let place = migrated("");
    std::os::unix::fs::symlink(place.database(), place.path("link.db")).expect("a link");
    for target in ["showcase.db", "link.db", "/dev/null"] {
        for arguments in [
            vec!["export", "--output", target],
            vec!["content", "export", "--output", target],
            vec!["content", "export", "--default", "--output", target],
            vec!["backup", target],
        ] {
            place.refused(&arguments);
        }
    }
    assert_eq!(place.sql::<i64>("select count(*) from waitlist_signups"), 0, "the database is intact");
}

#[test]
fn a_closed_pipe_ends_a_command_and_a_full_disk_is_reported_in_one_sentence() {
    let place = migrated("");
    // More than the buffers hold.
    let rows = "with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000)
         insert into sponsor_inquiries (created_at, company, email, interest, message)
         select '2026-01-01T00:00:00.000Z', 'c', 'e', 'booth', ? from n";
    place.execute_with(rows, ["m".repeat(500)]);
    for arguments in [
        vec!["export"],
        vec!["export", "--format", "json"],
        vec!["export", "--format", "xlsx"],
        vec!["outbox", "list"],
        vec!["content", "export"],
        vec!["content", "history"],
        vec!["migrate", "--status"],
        vec!["report", "daily", "--print"],
        vec!["user", "list"],
        vec!["backup"],
        vec!["completions", "bash"],
        vec!["man"],
        vec!["--help"],
        vec!["serve", "--listen", "127.0.0.1:0"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
        let told = place.command(&arguments).stdout(full).output().expect("the binary runs");
        let words = text(&told.stderr);
        assert_eq!(told.status.code(), Some(1), "{arguments:?}: {words}");
        assert!(
            words.contains("No space left on device") && !words.contains("panicked"),
            "{arguments:?}: {words}"
        );
        if arguments[0] == "export" {
            assert!(words.trim_end().ends_with('.') && !words.trim_end().ends_with(".."), "{words}");
            assert_eq!(words.matches("No space left").count(), 1, "{words}");
        }
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let told = place.command(&arguments).stdout(writer).output().expect("the binary runs");
        let words = text(&told.stderr);
        assert_eq!(told.status.code(), Some(0), "{arguments:?}: {words}");
        assert!(!words.contains("panicked"), "{arguments:?}: {words}");
        assert!(arguments[0] != "export" || without_clock_warning(told).stderr.is_empty(), "{words}");
    }
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
    let quiet = place.command(&["outbox", "retry"]).stderr(full).output().expect("the binary runs");
    assert!(quiet.status.success(), "messages are not part of the result");
}

#[test]
fn completions_and_manual_pages_are_of_the_program_and_of_each_command() {
    let place = Place::new("");
    for shell in ["bash", "zsh", "fish"] {
        let script = place.run(&["completions", shell]);
        assert!(script.status.success() && text(&script.stdout).contains("export"), "{shell}");
    }
    assert_eq!(place.run(&["completions", "tea"]).status.code(), Some(2));
    assert!(text(&place.run(&["man"]).stdout).contains(".TH showcase 1"));
    assert_eq!(place.run(&["man", "cake"]).status.code(), Some(2));
    let own = text(&place.run(&["man", "person", "erase"]).stdout);
    assert!(own.contains("payments are kept") && own.contains("Example"), "{own}");
    let title = own.lines().find(|line| line.starts_with(".TH")).expect("a title");
    assert!(title.contains("showcase-person-erase") && title.contains("\"showcase "), "{title}");
    assert!(!title.contains("\"erase"), "{title}");
    std::fs::create_dir(place.path("pages")).expect("a folder");
    place.done(&["man", "--folder", "pages"]);
    assert_eq!(std::fs::read_to_string(place.path("pages/showcase-person-erase.1")).expect("a page"), own);
    assert!(place.path("pages/showcase.1").exists() && !place.path("pages/showcase-help.1").exists());
    let refused = text(&place.run(&["man", "--folder", "missing"]).stderr);
    assert!(refused.contains("missing: "), "{refused}");
}

#[test]
fn a_report_is_sent_only_to_a_valid_address() {
    let place = migrated("");
    for wrong in [
        "desk",
        "desk@",
        "a@example.com, b@example.com",
        "",
        "The Desk <desk@example.com",
        "desk@example.com>>>",
    ] {
        assert_eq!(place.run(&["report", "daily", "--to", wrong]).status.code(), Some(2), "{wrong:?}");
    }
    for right in ["desk@example.com", "The Desk <desk@example.com>"] {
        assert!(place.run(&["report", "daily", "--to", right]).status.success(), "{right}");
    }
}
