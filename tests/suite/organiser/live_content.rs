//! New content in a running server: published at once and completely.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::support::content::{edited, import, numbered};
use crate::support::{Place, Server, served, speaker, text, wait_for, wait_longer, waitlist};

fn shown(server: &Server, path: &str, words: &str) -> bool {
    server.get(path, &[]).text().contains(words)
}

#[test]
fn an_import_is_shown_within_a_second_and_never_partially() {
    let (place, server) = served("");
    let paths =
        ["/", "/page-data/index.json", "/faq", "/page-data/faq.json", "/about", "/event.ics", "/nope"];
    import(&place, &numbered(0));
    wait_for("the first edition", || shown(&server, "/", "Edition 0 ").then_some(()));
    let (stop, answers) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for reader in 0..4 {
            let (server, stop, answers) = (&server, &stop, &answers);
            scope.spawn(move || {
                let mut newest = vec![0; paths.len()];
                for turn in reader.. {
                    let index = turn % paths.len();
                    let text = server.get(paths[index], &[]).text().replace("\r\n ", "");
                    let seen = editions(&text);
                    assert_eq!(seen.len(), 1, "{} shows editions {seen:?}", paths[index]);
                    let seen = *seen.first().expect("one");
                    assert!(seen >= newest[index], "{} went back", paths[index]);
                    newest[index] = seen;
                    answers.fetch_add(1, Ordering::Relaxed);
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                }
            });
        }
        for number in 1..=4 {
            import_and_wait(&place, &server, number);
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(answers.load(Ordering::Relaxed) > 100, "{answers:?} answers");
    // Other tests share the processor, so the second is scaled, and one quick import is enough.
    let is_quick = |number| {
        let (took, delay) = import_and_wait(&place, &server, number);
        // The command renders all pages too, as a check, so its duration shows how slow the machine is.
        let second = Duration::from_secs(1).max(took) * slowness();
        println!("imported in {took:?} and shown after {delay:?}, where a second takes {second:?}");
        delay < second
    };
    assert!((5..20).any(is_quick), "no import was shown within a second");
}

/// How many times as long as on an idle processor work takes now.
fn slowness() -> u32 {
    let work = Duration::from_millis(50);
    let spent = || {
        let times = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
        Duration::from_nanos(times.split(' ').next().and_then(|time| time.parse().ok()).expect("a number"))
    };
    let (started, before) = (Instant::now(), spent());
    while spent() - before < work {}
    (started.elapsed().as_millis() / work.as_millis()).max(1).try_into().expect("a small number")
}

/// The duration of an import, and the time from then until the new edition is shown.
fn import_and_wait(place: &Place, server: &Server, number: usize) -> (Duration, Duration) {
    let started = Instant::now();
    import(place, &numbered(number));
    let imported = Instant::now();
    let words = format!("Edition {number} of the Showcase");
    wait_for("the new edition", || shown(server, "/faq", &words).then_some(()));
    (imported - started, imported.elapsed())
}

fn editions(text: &str) -> BTreeSet<usize> {
    text.split("Edition ")
        .skip(1)
        .map(|rest| rest.split(' ').next().and_then(|number| number.parse().ok()).expect("a number"))
        .collect()
}

#[test]
fn imported_content_survives_kills_of_the_server_and_the_command() {
    let place = Place::new("");
    for round in 0..3 {
        let mut server = place.serve();
        let number = 10 * (round + 1);
        import(&place, &numbered(number));
        // Kills the server while it may be rendering pages, and a second import while it may be writing.
        let mut second = place.command(&["content", "import", "-"]);
        let mut second = second
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        let mut pipe = second.stdin.take().expect("a pipe");
        std::io::Write::write_all(&mut pipe, numbered(number + 1).as_bytes()).expect("it reads");
        drop(pipe);
        std::thread::sleep(Duration::from_millis(150 * round as u64));
        second.kill().expect("killed");
        second.wait().expect("it ended");
        server.kill();
        let stored: String = place.sql("select toml from content_revisions order by id desc limit 1");
        assert!(stored == numbered(number) || stored == numbered(number + 1), "half a file was stored");
        let again = place.serve();
        let seen = editions(&again.get("/", &[]).text());
        assert_eq!(seen, editions(&stored), "round {round}");
    }
    let lines: i64 = place.sql("select count(*) from audit_log where action = 'content imported'");
    assert_eq!(lines, place.sql::<i64>("select count(*) from content_revisions"));
}

#[test]
fn an_unusable_revision_is_logged_and_the_previous_content_stays() {
    let (place, server) = served("");
    import(&place, &numbered(1));
    wait_for("the first edition", || shown(&server, "/", "Edition 1 ").then_some(()));
    // Another version of the program might have stored this.
    place.execute_with(
        "insert into content_revisions (created_at, actor, toml) values ('2026-01-01T00:00:00.000Z', 'x', ?)",
        [numbered(2).replace("[mail]", "[letters]")],
    );
    wait_for("a line in the log", || {
        place.log().contains("revision 2 of the content cannot be used").then_some(())
    });
    assert!(shown(&server, "/", "Edition 1 ") && shown(&server, "/faq", "Edition 1 "));
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("a@example.com")).status, 201);
    let tried = place.log().matches("revision 2 of the content").count();
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(place.log().matches("revision 2 of the content").count(), tried, "it is tried once");
    drop(server);
    let again = place.serve();
    assert!(shown(&again, "/", "Edition 1 "), "a restart shows the same");
    assert_eq!(import(&place, &numbered(3)), 3);
    wait_for("the third edition", || shown(&again, "/", "Edition 3 ").then_some(()));
    let refused = place.run(&["content", "rollback", "2"]);
    assert!(text(&refused.stderr).contains("Revision 2 cannot be used as it is: "));
}

#[test]
fn stopping_is_not_delayed_by_the_compression_of_new_pages() {
    let place = Place::with_recompression("");
    let mut server = place.serve();
    import_and_wait(&place, &server, 1);
    // Measures how long strong compression takes on this machine: the page is smaller once it is done.
    let size = || server.get("/", &[("accept-encoding", "br")]).body.len();
    let (at_once, started) = (size(), Instant::now());
    wait_longer("the good compression", || (size() < at_once).then_some(())).expect("smaller pages");
    let whole = started.elapsed();
    import_and_wait(&place, &server, 2);
    let asked = Instant::now();
    server.stop();
    let (took, bound) = (asked.elapsed(), (whole / 2).max(Duration::from_secs(2)));
    assert!(took < bound, "it took {took:?}, and all of the compression {whole:?}");
}

#[test]
fn a_closed_form_says_so_everywhere_and_accepts_nothing() {
    let (place, server) = served("");
    assert_eq!(server.post("/api/speaker-applications", &speaker()).status, 201);
    import(
        &place,
        &edited(&[
            (
                "[openings.speaker-applications]\nopen = true",
                "[openings.speaker-applications]\nopen = true\nuntil = \"2025-12-01\"\nmessage = \"All stages are filled.\"",
            ),
            ("[openings.competition-entries]\nopen = true", "[openings.competition-entries]\nopen = false"),
        ]),
    );
    let reason = "All stages are filled. This form closed on December 1, 2025.";
    wait_for("the closed page", || shown(&server, "/apply-speaker", reason).then_some(()));
    let refused = server.post("/api/speaker-applications", &speaker());
    assert_eq!((refused.status, refused.header("content-type")), (403, "application/problem+json"));
    assert_eq!(refused.json()["detail"], reason);
    assert_eq!(place.sql::<i64>("select count(*) from speaker_applications"), 1);
    assert!(!server.get("/apply-speaker", &[]).text().contains("<form"), "no form to fill in vain");
    assert!(shown(&server, "/apply-judge", "<form"), "the others stay open");
    assert!(shown(&server, "/enter-competition", "This form is closed."));
    let home = server.get("/", &[]).text();
    assert!(home.contains("Secure My Spot on Waitlist"), "the pass leads to the waitlist");
    for (path, link) in
        [("/", "/enter-competition"), ("/speakers-judges", "/apply-speaker"), ("/", "/apply-speaker")]
    {
        let html = server.get(path, &[]).text();
        let all = links(&html, link);
        assert!(
            !all.is_empty() && all.iter().all(|link| link.to_lowercase().contains("closed")),
            "{path}: {all:#?}"
        );
    }
    assert!(links(&home, "/apply-judge").iter().all(|link| !link.to_lowercase().contains("closed")));
}

/// The links to a path, each with its content.
fn links<'a>(html: &'a str, path: &str) -> Vec<&'a str> {
    html.split("<a ")
        .skip(1)
        .filter(|link| link.split('>').next().is_some_and(|tag| tag.contains(&format!("href=\"{path}\""))))
        .map(|link| link.split("</a>").next().unwrap_or_default())
        .collect()
}

#[test]
fn after_the_event_the_site_thanks_names_the_winners_and_collects_names() {
    let (place, server) = served("");
    import(
        &place,
        &(edited(&[("phase = \"before\"", "phase = \"after\"")]).replace(
            "[openings.judge-applications]",
            "[openings.judge-applications]\nuntil = \"2100-01-01\"",
        ) + "\n[[after.winners]]\naward = \"Lash Lift\"\nname = \"Ada Sample\"\nbusiness = \"Sample Lash Studio\"\n"),
    );
    wait_for("the winners", || shown(&server, "/", "The winners").then_some(()));
    let html = server.get("/", &[]).text();
    for words in [
        "Thank you",
        "Ada Sample",
        "Sample Lash Studio",
        "The next showcase",
        "href=\"#waitlist\"",
        "SoldOut",
    ] {
        assert!(html.contains(words), "{words}");
    }
    let seen = html.split("<main").nth(1).and_then(|rest| rest.split("</main>").next()).expect("a main part");
    for invitation in
        ["four ways in", "nomination is part of the pass", "Elite All-Access Pass", "Two days to compete"]
    {
        assert!(!seen.contains(invitation), "it still invites: {invitation}");
    }
    let over = "The event is over, and this form is closed.";
    for page in ["/", "/competition"] {
        let html = server.get(page, &[]).text();
        let all = links(&html, "/enter-competition");
        assert!(!all.is_empty() && all.iter().all(|link| link.contains("Closed")), "{page}: {all:#?}");
    }
    for page in ["/enter-competition", "/apply-speaker", "/sponsors"] {
        assert!(shown(&server, page, over), "{page} still takes something");
    }
    for path in ["/api/competition-entries", "/api/speaker-applications"] {
        let refused = server.post(path, &speaker());
        assert_eq!((refused.status, refused.json()["detail"].as_str()), (403, Some(over)), "{path}");
    }
    assert_eq!(
        server.post("/api/waitlist-signups", &waitlist("b@example.com")).status,
        201,
        "the list is open"
    );
    assert!(shown(&server, "/apply-judge", "<form"), "an end that is still ahead keeps a form open");
}
