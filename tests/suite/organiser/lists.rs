//! Lists for the days of the event: who comes, by name, by category, and who sits in front.

use crate::support::samples::{path, whole};
use crate::support::{ADMIN, Place, Server, served, text};
use showcase::model::Kind;

/// A server with these entries: name, address, additional categories, status and payment status. An entry with exactly one
/// additional category is given a front-row seat.
fn site(entries: &[(&str, &str, i64, &str, &str)]) -> (Place, Server, String) {
    let (place, server) = served(ADMIN);
    for (name, email, additional, status, payment) in entries {
        let other = |at: i64, value: &'static str| (*additional > at).then_some(value);
        place.insert_entry(&[
            ("name", name),
            ("email", email),
            ("business_name", &format!("Studio of {name}")),
            ("additional_categories", additional),
            ("additional_category1", &other(0, "brows")),
            ("additional_category1_sub", &other(0, "Creative")),
            ("additional_category2", &other(1, "lash-lift")),
            ("additional_category2_sub", &other(1, "Standard Lash Lift")),
            ("status", status),
            ("payment_status", payment),
            ("front_row", &(*additional == 1)),
        ]);
    }
    let cookie = server.sign_in();
    (place, server, cookie)
}

fn with_everybody() -> (Place, Server, String) {
    let (place, server, cookie) = site(&[
        ("Zoe Adams", "zoe@example.com", 0, "new", "paid"),
        ("Bea Óscar", "bea@example.com", 1, "new", "complimentary"),
        ("Ada Oscar Jr.", "ada@example.com", 2, "accepted", "partially_refunded"),
        ("Cleo Withdrawn", "cleo@example.com", 0, "withdrawn", "paid"),
        ("Dora Declined", "dora@example.com", 0, "declined", "paid"),
        ("Eva Refunded", "eva@example.com", 0, "new", "refunded"),
        ("Fay Unpaid", "fay@example.com", 0, "new", "pending"),
        ("Gia Bot", "gia@example.com", 0, "set_aside", "pending"),
        ("Hana Away", "hana@example.com", 0, "no_show", "paid"),
        ("=HYPERLINK(1)", "ines@example.com", 0, "new", "disputed"),
    ]);
    for (kind, email, status, more) in [
        (Kind::SpeakerApplications, "ADA@example.com", "accepted", "name = 'Ada Oscar Jr.'"),
        (Kind::JudgeApplications, "dana@example.com", "accepted", "availability = 'march-29'"),
        (Kind::SponsorApplications, "elle@example.com", "accepted", "id = id"),
        (Kind::ProfessionalDemoRegistrations, "faye@example.com", "declined", "id = id"),
        (Kind::WaitlistSignups, "bea@example.com", "accepted", "id = id"),
    ] {
        assert_eq!(server.post(&path(kind), &whole(kind)).status, 201);
        let table = kind.as_str().replace('-', "_");
        place.execute_with(&format!("update {table} set email = ?, status = ?, {more}"), (email, status));
    }
    (place, server, cookie)
}

/// The rows of a list, each with its cells joined by bars.
fn rows(server: &Server, cookie: &str, list: &str) -> Vec<String> {
    let (name, query) = list.split_once('?').map_or((list, ""), |(name, query)| (name, query));
    let reply = server.get(&format!("/api/lists/{name}/csv?{query}"), &[("cookie", cookie)]);
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (200, "text/csv; charset=utf-8"),
        "{}",
        reply.text()
    );
    assert_eq!(reply.header("cache-control"), "no-store");
    let text = reply.text();
    let mut reader = csv::ReaderBuilder::new();
    let rows =
        reader.has_headers(false).from_reader(text.trim_start_matches('\u{feff}').as_bytes()).into_records();
    rows.map(|row| row.expect("CSV").iter().collect::<Vec<_>>().join(" | ")).collect()
}

/// The door list without its last column, the tickets' random codes.
fn door(server: &Server, cookie: &str, list: &str) -> Vec<String> {
    let without = |line: String| line.rsplit_once(" | ").expect("columns").0.to_owned();
    let lines = rows(server, cookie, list);
    assert!(lines[0].ends_with(" | Ticket"), "{}", lines[0]);
    lines.into_iter().map(without).collect()
}

#[test]
fn a_list_has_everybody_who_comes_once_and_nobody_else() {
    let (_place, server, cookie) = with_everybody();
    assert_eq!(
        door(&server, &cookie, "door?day=1"),
        [
            "Name | Business | Comes as | Seat | Note",
            "'=HYPERLINK(1) | Studio of =HYPERLINK(1) | Competitor |  | ",
            "Zoe Adams | Studio of Zoe Adams | Competitor |  | ",
            "Hana Away | Studio of Hana Away | Competitor |  | No-show",
            "Elle Example | Placeholder Beauty | Sponsor |  | ",
            "Ada Oscar Jr. | Studio of Ada Oscar Jr. | Competitor, Speaker | VIP | ",
            "Bea Óscar | Studio of Bea Óscar | Competitor | Front row | ",
        ]
    );
    let second = door(&server, &cookie, "door?day=2");
    assert!(second.contains(&"Dana Sample | Example Brow Bar | Judge |  | ".to_owned()), "{second:?}");
    assert_eq!(second.len(), 8);
    assert_eq!(door(&server, &cookie, "door"), second, "on any day");
    // Names, categories and the front row are lists of their own.
    let names = rows(&server, &cookie, "names");
    assert_eq!((names[0].as_str(), names.len()), ("Name | Business | Comes as", 8));
    assert_eq!(
        rows(&server, &cookie, "categories"),
        [
            "Category | Entry | Name | Business | Note",
            "Lash Extensions - Volume | 10 | '=HYPERLINK(1) | Studio of =HYPERLINK(1) | ",
            "Lash Extensions - Volume | 1 | Zoe Adams | Studio of Zoe Adams | ",
            "Lash Extensions - Volume | 9 | Hana Away | Studio of Hana Away | No-show",
            "Lash Extensions - Volume | 3 | Ada Oscar Jr. | Studio of Ada Oscar Jr. | ",
            "Lash Extensions - Volume | 2 | Bea Óscar | Studio of Bea Óscar | ",
            "Brows - Creative | 3 | Ada Oscar Jr. | Studio of Ada Oscar Jr. | ",
            "Brows - Creative | 2 | Bea Óscar | Studio of Bea Óscar | ",
            "Lash Lift | 3 | Ada Oscar Jr. | Studio of Ada Oscar Jr. | ",
        ]
    );
    assert_eq!(
        rows(&server, &cookie, "front-row"),
        [
            "Seat | Name | Business | Entry | Categories",
            "VIP | Ada Oscar Jr. | Studio of Ada Oscar Jr. | 3 | Lash Extensions - Volume, Brows - Creative, Lash Lift",
            "Front row | Bea Óscar | Studio of Bea Óscar | 2 | Lash Extensions - Volume, Brows - Creative",
        ]
    );
}

#[test]
fn a_list_is_a_page_for_paper_without_script_addresses_or_markup_of_visitors() {
    let (place, server, cookie) = site(&[
        ("<script>alert(1)</script>", "zoe@example.com", 0, "new", "paid"),
        ("{{ event }}", "bea@example.com", 0, "new", "paid"),
    ]);
    let reply = server.get("/api/lists/door/html?day=2", &[("cookie", &cookie)]);
    assert_eq!((reply.status, reply.header("content-type")), (200, "text/html; charset=utf-8"));
    let policy = reply.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none';") && !policy.contains("script"), "{policy}");
    assert_eq!(reply.header("cache-control"), "no-store");
    let page = reply.text();
    for part in [
        "<h1>Door list</h1>",
        "Day 2, Sunday, March 29, 2026",
        "Lash &amp; Brow Showcase",
        "counter(page)",
        "&lt;script&gt;alert(1)",
        "{{ event }}",
        "2 rows, as of November ",
        "<input type=\"checkbox\" id=\"competition-entries-1\" disabled>",
        "<label for=\"competition-entries-1\" dir=\"auto\">&lt;script&gt;",
        "noindex",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(
        !page.contains("<script") && !page.contains("@example.com") && !page.contains("555-0101"),
        "{page}"
    );
    let noted = "select actor || ' ' || action || ' ' || detail from audit_log order by id desc limit 1";
    assert_eq!(place.sql::<String>(noted), r#"organiser list made {"list":"door","day":2}"#);
    for (path, status) in [
        ("door/html?day=3", 400),
        ("door/csv?day=0", 400),
        ("door/csv?day=one", 400),
        ("door/csv?day=99999999999999999999", 400),
        ("guests/csv", 404),
        ("door", 404),
    ] {
        assert_eq!(
            server.get(&format!("/api/lists/{path}"), &[("cookie", &cookie)]).status,
            status,
            "{path}"
        );
    }
    assert_eq!(server.get("/api/lists/door/csv", &[]).status, 401);
}

#[test]
fn the_command_prints_a_list_or_writes_its_page() {
    let (place, _server, _) = with_everybody();
    let printed = place.run(&["lists", "front-row"]);
    assert!(text(&printed.stdout).contains("\"VIP\",\"Ada Oscar Jr.\""), "{}", text(&printed.stderr));
    let file = place.path("door.html").display().to_string();
    place.done(&["lists", "door", "--day", "1", "--format", "html", "--output", &file]);
    assert!(std::fs::read_to_string(&file).expect("a page").contains("Day 1, Saturday, March 28, 2026"));
    for (arguments, told) in [
        (&["lists", "guests"][..], "possible values: door, names, categories, front-row"),
        (&["lists", "door", "--day", "3"], "The event has days 1 to 2."),
        (&["lists", "door", "--day", "one"], "invalid value"),
    ] {
        let refused = place.run(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(text(&refused.stderr).contains(told), "{}", text(&refused.stderr));
    }
}

#[test]
fn a_list_of_five_thousand_is_whole() {
    let (place, server, cookie) = site(&[]);
    place.execute(
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
             insert into competition_entries (created_at, name, email, phone, business_name, location, tax_location,
                 primary_category, sub_category, additional_categories, agreement_terms, agreement_media,
                 payment_amount_cents, payment_status)
             select '2026-01-01T00:00:00.000Z', 'Ada Sample' || i, 'e' || i || '@example.com', '1', 'Studio', 'l', 'new-york',
                 'lash-lift', 'Standard Lash Lift', 0, 1, 1, 48492, 'paid' from n",
    );
    let page = server.get("/api/lists/door/html?day=1", &[("cookie", &cookie)]);
    assert_eq!(page.text().matches("<tr><td").count(), 5000);
    assert_eq!(rows(&server, &cookie, "names").len(), 5001);
}
