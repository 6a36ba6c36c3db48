//! What must not happen at a door: one bad scan that holds up the others, somebody counted as two people, a stored password.

use serde_json::{Value, json};

use super::scans::{at, device, figures, results, scan, send, with_guest};
use super::tickets::{call, pay};
use crate::support::content::{edited, import};
use crate::support::paid_site::{SignedInSite, entry};
use crate::support::{open, speaker, text};

#[test]
fn no_scan_holds_up_the_others_of_its_batch() {
    let (site, code) = with_guest();
    let (_, cookie) = device(&site, "Front");
    let long = "x".repeat(300);
    let batch = json!([
        { "id": "1", "code": code, "list": "removed", "at": at(9) },
        { "id": "2", "code": "", "list": "day-1", "at": at(8), "walkIn": long },
        { "id": "3", "code": "0000000000", "list": "day-1", "at": at(7), "anyway": long },
        { "id": "4", "code": "x".repeat(5_000), "list": "day-1", "at": at(6) },
        scan("5", &code, 5),
    ]);
    let expected = ["wrong_list", "walk_in", "unknown", "unknown", "welcome"];
    assert_eq!(results(&send(&site, &cookie, &batch)), expected);
    assert_eq!(results(&send(&site, &cookie, &batch)), expected, "the same answers again");
}

#[test]
fn what_a_camera_read_is_stored_only_if_it_is_a_code() {
    let (site, _) = with_guest();
    let (_, cookie) = device(&site, "Front");
    let batch = json!([
        scan("1", "BEGIN:VCARD\nFN:Eve\nEMAIL:eve@example.com\nEND:VCARD", 9),
        scan("2", "WIFI:S:hotel;T:WPA;P:very-secret;;", 8),
    ]);
    for _ in 0..2 {
        assert_eq!(results(&send(&site, &cookie, &batch)), ["unknown", "unknown"]);
    }
    let other = json!([scan("1", "WIFI:S:other;;", 9)]);
    assert_eq!(send(&site, &cookie, &other).status, 409);
    site.place.assert_not_stored("Front", &["eve@example.com", "very-secret"]);
}

#[test]
fn a_walk_in_whose_ticket_the_server_knows_is_one_person() {
    let (site, code) = with_guest();
    let (_, cookie) = device(&site, "Front");
    let named = |id: &str, code: &str| json!({ "id": id, "code": code, "list": "day-1", "at": at(5), "walkIn": "Pat" });
    // The phone did not have the ticket on its list yet.
    assert_eq!(results(&send(&site, &cookie, &json!([named("1", &code)]))), ["welcome"]);
    assert_eq!(results(&send(&site, &cookie, &json!([named("2", "")]))), ["walk_in"]);
    let day = figures(&site)["lists"][0].clone();
    assert_eq!((&day["in"], &day["expected"]), (&json!(2), &json!(2)));
    // Who was let in by mistake is expected no more.
    for _ in 0..2 {
        let body = json!({ "at": at(0) });
        assert_eq!(site.server.call(&cookie, "POST", "/api/door/scans/2/undo", &body).status, 200);
    }
    let day = figures(&site)["lists"][0].clone();
    assert_eq!((&day["in"], &day["expected"]), (&json!(1), &json!(1)));
    // Let in by name offline, although the server knows the ticket: undoing it changes nothing of the ticket.
    let ticket = "select void_reason from tickets where kind is null order by id limit 1";
    let void = "update tickets set void_reason = 'No press this year.', void_by = 'organiser' where code = ?";
    site.place.execute_with(void, [&code]);
    let mut offline = named("3", &code);
    offline["shown"] = json!("walk_in");
    offline["at"] = json!(at(60));
    assert_eq!(results(&send(&site, &cookie, &json!([offline]))), ["walk_in"]);
    let undone = site.server.call(&cookie, "POST", "/api/door/scans/3/undo", &json!({ "at": at(0) }));
    assert_eq!(undone.status, 200);
    assert_eq!(site.place.sql::<String>(ticket), "No press this year.");
}

#[test]
fn somebody_let_in_by_name_with_an_unknown_code_is_one_person() {
    let (site, _) = with_guest();
    let (_, cookie) = device(&site, "Front");
    let named = |id: &str, code: &str| json!({ "id": id, "code": code, "list": "day-1", "at": at(5), "walkIn": "Una" });
    assert_eq!(results(&send(&site, &cookie, &json!([named("1", "0000000000")]))), ["walk_in"]);
    // Phones find her by the code that was scanned, and by that of her ticket.
    let entry = site.server.get("/api/door/list", &[("cookie", &cookie)]).json()["scans"][0].clone();
    assert_eq!(entry["scanned"], "0000000000", "{entry}");
    assert_ne!(entry["code"], "0000000000", "{entry}");
    assert_eq!(results(&send(&site, &cookie, &json!([named("2", "00000-00000")]))), ["already"]);
    let counted = figures(&site);
    assert_eq!(
        (&counted["lists"][0]["in"], &counted["twice"][0]["scans"]),
        (&json!(1), &json!(2)),
        "{counted}"
    );
    // Without a code, each is somebody else.
    let both = json!([named("3", ""), named("4", "")]);
    assert_eq!(results(&send(&site, &cookie, &both)), ["walk_in", "walk_in"]);
    assert_eq!(figures(&site)["lists"][0]["in"], 3);
}

#[test]
fn a_list_by_which_somebody_came_in_is_not_removed() {
    let (site, code) = with_guest();
    let (_, cookie) = device(&site, "Front");
    let draft = |method: &str, path: &str, body: &Value| {
        call(&site, method, &format!("/api/content/draft{path}"), body)
    };
    let list =
        |key: &str, label: &str| json!({ "key": key, "label": label, "day": "2026-03-28", "roles": [] });
    let change = |lists: Value| {
        draft("PATCH", "", &json!({ "changes": [{ "path": "door.lists", "value": lists }] })).expect(200)
    };
    assert_eq!(results(&send(&site, &cookie, &json!([scan("1", &code, 5)]))), ["welcome"]);
    change(json!([list("workshop", "Workshop")]));
    let refused = draft("POST", "/publish", &json!({ "note": "" })).expect(422).json();
    assert_eq!(
        refused["errors"]["door.lists"], "1 person was let in to Day 1 (day-1), so it cannot be removed",
        "{refused}"
    );
    std::fs::write(
        site.place.path("content.toml"),
        edited(&[(
            "# [[door.lists]]",
            "[[door.lists]]\nkey = \"gala\"\nlabel = \"Gala\"\nday = \"2026-03-29\"\n# ",
        )]),
    )
    .expect("a file");
    let imported = site.place.run(&["content", "import", "content.toml"]);
    assert!(
        !imported.status.success() && text(&imported.stderr).contains("Day 1"),
        "{}",
        text(&imported.stderr)
    );
    change(json!([list("day-1", "First day"), list("workshop", "Workshop")]));
    draft("POST", "/publish", &json!({ "note": "" })).expect(200);
}

#[test]
fn everybody_of_an_edition_is_erased_also_without_an_address() {
    let (mut site, _) = with_guest();
    let guest = json!({ "name": "Gus Unaddressed", "role": "guest", "note": "Latex allergy" });
    assert_eq!(call(&site, "POST", "/api/tickets", &guest).status, 201);
    let (_, cookie) = device(&site, "Nina's own phone");
    let batch = json!([
        { "id": "1", "code": "", "list": "day-1", "at": at(5), "walkIn": "Wanda Walkabout" },
        { "id": "2", "code": "0000000000", "list": "day-1", "at": at(4), "anyway": "Her sister Olga has it" },
    ]);
    assert_eq!(results(&send(&site, &cookie, &batch)), ["walk_in", "unknown"]);
    let elsewhere = tempfile::tempdir().expect("a folder");
    let backup = elsewhere.path().join("kept.db");
    let backup = backup.to_str().expect("a path");
    site.place.done(&["backup", backup]);
    let erased = site.place.run(&["edition", "erase", "--yes"]);
    assert!(erased.status.success(), "{}", text(&erased.stderr));
    let names = ["Gus Unaddressed", "Latex allergy", "Wanda Walkabout", "sister Olga", "Nina's own"];
    site.place.assert_not_stored("door device added", &names);
    assert_eq!(site.server.get("/api/door/list", &[("cookie", &cookie)]).status, 401);
    assert_eq!(send(&site, &cookie, &batch).status, 401, "what phones still have does not come back");
    let again = site.place.run(&["edition", "erase", "--yes"]);
    assert!(text(&again.stderr).contains("No personal data"));
    site.server.stop();
    site.place.done(&["restore", backup, "--yes"]);
    site.server = site.place.serve();
    assert_eq!(send(&site, &cookie, &batch).status, 401, "not after a restore either");
}

#[test]
fn the_list_of_a_thousand_people_who_are_in_is_small_on_the_line() {
    let (site, _) = with_guest();
    let mut connection = open(&site.place.database());
    let rows = connection.transaction().expect("a transaction");
    for number in 0..1000 {
        let name = format!("Person{} Sample{}", number * 7919 % 1009, number * 31 % 997);
        rows.execute(
            "insert into tickets (created_at, code, role, name, business) values ('2026-01-01T00:00:00.000Z', ?, 'guest', ?, ?)",
            (showcase::model::ticket_code::random(), name, format!("Studio {}", number * 17 % 983)),
        )
        .expect("a ticket");
    }
    rows.commit().expect("commit");
    let (_, cookie) = device(&site, "Front");
    // Everybody is in, by ids and instants as phones make them.
    connection
        .execute_batch(
            "insert into scans select lower(hex(randomblob(8))), 1, id, created_at, code, 'day-1',
                 strftime('%Y-%m-%dT%H:%M:%fZ', '2026-03-28T12:30:00', printf('%.3f seconds', abs(random() % 7200000) / 1000.0)),
                 '{}', '{}', 1, 0, 0, null from tickets",
        )
        .expect("scans");
    let read = |tag: &str| {
        site.server.raw(
            format!(
                "GET /api/door/list HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\naccept-encoding: gzip, br\r\nif-none-match: {tag}\r\nconnection: close\r\n\r\n",
                site.server.address
            )
            .as_bytes(),
        )
    };
    let answer = read("\"none\"");
    let header = |name: &str| {
        let line = answer.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
        line.unwrap_or_else(|| panic!("{name}: {}", &answer[..400.min(answer.len())])).trim().to_owned()
    };
    assert_eq!(header("content-encoding"), "br");
    let length: usize = header("content-length").parse().expect("a number");
    assert!(length < 40 << 10, "{length}");
    assert!(read(&header("etag")).starts_with("HTTP/1.1 304"));
    assert_eq!(call(&site, "GET", "/api/tickets?pageSize=1", &Value::Null).json()["total"], 1001);
}

#[test]
fn doctor_says_what_is_missing_at_the_door_in_the_last_week() {
    let (site, _) = with_guest();
    let doctor = || text(&site.place.run(&["doctor"]).stdout);
    assert!(!doctor().contains("door device"), "the event is not near");
    let moved = [
        ("tickets_before_days = [7, 1]", "tickets_before_days = []"),
        ("2026-03-28", "2026-11-25"),
        ("2026-03-29", "2026-11-26"),
        ("March 28-29, 2026", "November 25-26, 2026"),
    ];
    import(&site.place, &edited(&moved));
    let guest = json!({ "name": "Ada", "role": "guest", "email": "ada@example.com" });
    assert_eq!(call(&site, "POST", "/api/tickets", &guest).status, 201);
    let said = doctor();
    assert!(said.contains("Add one under Door") && said.contains("1 ticket has not been emailed"), "{said}");
    let steps = || call(&site, "GET", "/api/first-steps", &Value::Null).json();
    let last = steps()["items"].as_array().expect("steps").last().expect("a step").clone();
    assert_eq!((&last["key"], &last["done"]), (&json!("door"), &json!(false)), "{last}");
    assert!(last["detail"].as_str().expect("a text").contains("Add one under Door"), "{last}");
    device(&site, "Front");
    assert_eq!(call(&site, "POST", "/api/tickets/send", &json!({})).status, 202);
    let said = doctor();
    assert!(!said.contains("Add one under Door") && !said.contains("been emailed"), "{said}");
    assert!(!steps().to_string().contains("\"door\""), "nothing is missing any more");
}

#[test]
fn the_receipt_links_the_ticket_while_it_is_valid() {
    let site = SignedInSite::open();
    site.enter_and_pay("key-1", &entry("ada@example.com"));
    let receipt = &site.place.link_in("/receipt/", "cause like 'confirmation/competition-entries/%'");
    let code = call(&site, "GET", "/api/tickets/1", &Value::Null).json()["code"].clone();
    let link = format!("/t/{}", code.as_str().expect("a code"));
    assert!(site.server.get(receipt, &[]).text().contains(&link));
    assert_eq!(call(&site, "POST", "/api/tickets/1/void", &json!({ "reason": "A copy" })).status, 200);
    assert!(!site.server.get(receipt, &[]).text().contains(&link));
}

#[test]
fn a_restore_ends_no_less_devices_and_brings_back_nobody_who_was_erased() {
    let (mut site, code) = with_guest();
    let body =
        json!({ "name": "Gab Guest", "role": "guest", "email": "gab@example.com", "note": "Latex allergy" });
    assert_eq!(call(&site, "POST", "/api/tickets", &body).status, 201);
    let (ended, _) = device(&site, "Lost");
    site.place.done(&["backup", "kept.db"]);
    let (_, later) = device(&site, "Front");
    assert_eq!(results(&send(&site, &later, &json!([scan("1", &code, 5)]))), ["welcome"]);
    assert_eq!(call(&site, "DELETE", &format!("/api/door/devices/{ended}"), &Value::Null).status, 204);
    let exported = site.place.done(&["person", "export", "gab@example.com"]);
    assert!(exported.contains("Latex allergy") && exported.contains("\"tickets\""), "{exported}");
    site.place.done(&["person", "erase", "gab@example.com", "--yes"]);
    site.server.stop();
    site.place.done(&["restore", "kept.db", "--yes"]);
    let left =
        "select group_concat(name || coalesce(' ended ' || (ended_at is not null), '')) from door_devices";
    assert_eq!(site.place.sql::<String>(left), "Lost ended 1,Front ended 0");
    assert_eq!(site.place.sql::<String>("select group_concat(name) from tickets"), "Pat");
}

#[test]
fn a_ticket_that_was_sent_since_the_backup_is_not_sent_again_after_a_restore() {
    let (mut site, _) = with_guest();
    pay(&site, "ada@example.com");
    let body = json!({ "name": "Gab Guest", "role": "guest", "email": "gab@example.com" });
    assert_eq!(call(&site, "POST", "/api/tickets", &body).status, 201);
    site.place.done(&["backup", "kept.db"]);
    assert_eq!(call(&site, "POST", "/api/tickets/send", &json!({})).json()["queued"], 2);
    // Others that a restore could send again.
    site.place.execute(
        "insert into outbox (created_at, state, due_at, cause, message_id, recipient, subject)
             select '2026-01-02', 'waiting', '2026-01-02', cause, '<' || cause || '@x>', 'gab@example.com', 'Told'
             from (select 'ticket-void/1/2026-01-02' as cause union all select 'refund/competition-entries/1/pi_1'
                 union all select 'results/1' union all select 'results/1/2026-01-02' union all select 'results/99');
         update outbox set kind = 'competition-entries', registration_id = 1 where cause like 'refund/%';
         update outbox set state = 'sent', sent_at = due_at",
    );
    site.server.stop();
    site.place.done(&["restore", "kept.db", "--yes"]);
    site.server = site.place.serve();
    let again = call(&site, "POST", "/api/tickets/send", &json!({}));
    assert_eq!((again.status, &again.json()["queued"]), (202, &json!(0)), "{}", again.text());
    assert!(site.place.sql::<bool>("select mailed_at is not null from tickets where email is not null"));
    let kept = "select group_concat(cause, ' ') from (select cause from outbox where message_id like '%@x>' order by cause)";
    let expected =
        "refund/competition-entries/1/pi_1 results/1 results/1/2026-01-02 ticket-void/1/2026-01-02";
    assert_eq!(site.place.sql::<String>(kept), expected);
}

#[test]
fn a_restore_keeps_codes_void_tickets_and_scans_since_the_backup() {
    let (mut site, pat) = with_guest();
    site.server.post("/api/speaker-applications", &speaker()).expect(201);
    let accept = |site: &SignedInSite| {
        let body = json!({ "status": "accepted" });
        call(site, "PATCH", "/api/speaker-applications/1", &body).expect(200);
    };
    site.place.done(&["backup", "kept.db"]);
    accept(&site);
    let body = json!({ "name": "Gab Guest", "role": "guest", "email": "gab@example.com" });
    let gab = call(&site, "POST", "/api/tickets", &body).expect(201).json()["code"].clone();
    call(&site, "POST", "/api/tickets/send", &json!({})).expect(202);
    let state = "select group_concat(code || ' ' || name || ' ' || coalesce(void_by, ''), ', ')
         from (select * from tickets order by id)";
    let speaker_code = site.place.sql::<String>("select code from tickets where role = 'speaker'");
    let (_, cookie) = device(&site, "Front");
    let walk_in = json!({ "id": "3", "code": "0000000000", "list": "day-1", "at": at(4), "walkIn": "Wanda" });
    let batch = json!([scan("1", &pat, 6), scan("2", &speaker_code, 5), walk_in, scan("4", &pat, 3)]);
    assert_eq!(results(&send(&site, &cookie, &batch)), ["welcome", "welcome", "walk_in", "already"]);
    site.server.call(&cookie, "POST", "/api/door/scans/4/undo", &json!({ "at": at(0) })).expect(200);
    call(&site, "POST", "/api/tickets/1/void", &json!({ "reason": "A copy" })).expect(200);
    let before = site.place.sql::<String>(state);
    let came = figures(&site)["lists"][0]["in"].clone();
    assert_eq!(came, 3);

    site.server.stop();
    site.place.done(&["restore", "kept.db", "--yes"]);
    site.server = site.place.serve();
    accept(&site);
    assert_eq!(site.place.sql::<String>(state), before);
    let unsent = "select group_concat(mailed_at is null) from tickets where name = 'Gab Guest'";
    assert_eq!(
        site.place.sql::<String>(unsent),
        "1",
        "the email that was still waiting is not in the backup"
    );
    assert_eq!(figures(&site)["lists"][0]["in"], came);
    assert!(figures(&site)["twice"].as_array().is_some_and(Vec::is_empty), "it stays undone");
    let told =
        "select count(*) from outbox where cause glob 'ticket-void/*' and recipient = 'ada@example.com'";
    assert_eq!(site.place.sql::<i64>(told), 0, "her ticket is void only until she is accepted again");
    assert_eq!(
        results(&send(&site, &cookie, &json!([scan("5", gab.as_str().expect("a code"), 1)]))),
        ["welcome"]
    );
}
