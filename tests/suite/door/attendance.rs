//! Who came and who did not: as a list for paper and spreadsheets, and as a group for emails.

use std::io::Cursor;

use calamine::{Reader, Xlsx};
use serde_json::{Value, json};

use super::scans::{device, figures, results, scan, send};
use super::tickets::{call, pay, transfer};
use crate::support::content::{edited, import};
use crate::support::paid_site::SignedInSite;
use crate::support::speaker;

#[test]
fn who_came_is_a_list_and_a_group_and_so_are_those_who_did_not() {
    let site = SignedInSite::open();
    for email in ["ada@example.com", "bea@example.com", "dora@example.com"] {
        pay(&site, email);
    }
    transfer(&site, 2, "Cleo New", "cleo@example.com");
    let guest =
        call(&site, "POST", "/api/tickets", &json!({ "name": "=Pat", "role": "guest", "business": "Press" }))
            .expect(201);
    let code = |email: &str| {
        site.place.sql::<String>(&format!(
            "select code from tickets where email = '{email}' and void_reason is null"
        ))
    };
    let ada = code("ada@example.com");
    let (_, cookie) = device(&site, "Front");
    let scans = json!([
        scan("1", &ada, 60), scan("2", &ada, 30), scan("3", guest.json()["code"].as_str().expect("a code"), 20),
        { "id": "4", "code": "0000000000", "list": "day-1", "at": super::scans::at(5), "anyway": "Her phone is empty" },
    ]);
    assert_eq!(results(&send(&site, &cookie, &scans)), ["welcome", "already", "welcome", "unknown"]);
    assert_eq!(figures(&site)["twice"][0]["name"], "Ada Sample");

    let read = |path: &str| site.server.get(&format!("/api/lists/{path}"), &[("cookie", &site.cookie)]);
    let csv = read("attendance/csv").text();
    let rows: Vec<Vec<&str>> = csv
        .trim_start_matches('\u{feff}')
        .lines()
        .map(|line| line[1..line.len() - 1].split("\",\"").collect())
        .collect();
    assert_eq!(rows[0], ["Name", "Business", "Comes as", "Note", "Day 1", "Day 2", "Gala"], "{csv}");
    let row = |name: &str| rows.iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("{name}: {csv}"));
    assert_eq!(row("'=Pat")[1..4], ["Press", "Guest", ""]);
    assert!(row("Ada Sample")[4].starts_with("20") && row("Ada Sample")[5].is_empty(), "{csv}");
    assert_eq!(row("Cleo New")[2..], ["Competitor", "Ticket of Ada Sample", "", "", ""], "she did not come");
    assert_eq!(row("Without a known ticket")[3], "Her phone is empty");
    assert_eq!(rows.len(), 6, "a ticket that was given away is no person: {csv}");
    let second_day = read("attendance/csv?day=2").text();
    assert!(second_day.contains("\"Day 2\"") && !second_day.contains("\"Day 1\""), "{second_day}");

    let workbook = read("attendance/xlsx").expect(200);
    assert!(workbook.header("content-disposition").contains("attendance.xlsx"));
    let mut workbook = Xlsx::new(Cursor::new(workbook.body.clone())).expect("a workbook");
    let sheet = workbook.worksheet_range("Who came").expect("the sheet");
    assert_eq!(sheet.get_size(), (rows.len(), 7));
    assert!(sheet.rows().any(|row| row[0] == "=Pat"), "a text, not a formula");
    assert!(read("attendance/html").text().contains("Cleo New"));
    assert!(site.place.done(&["lists", "attendance"]).contains("Cleo New"));

    let count = |attendance: &str| {
        let group = json!({ "group": { "kind": "competition-entries", "attendance": attendance } });
        call(&site, "POST", "/api/mailings/count", &group).json()["recipients"].clone()
    };
    assert_eq!((count("came"), count("absent")), (json!(1), json!(2)), "Ada; Cleo and Dora");
    let draft = json!({
        "group": { "kind": "all", "attendance": "absent" }, "subject": "We missed you", "text": "Here are the pictures.",
    });
    let made = call(&site, "POST", "/api/mailings", &draft).expect(201);
    let id = made.json()["id"].as_i64().expect("an id");
    let shown = call(&site, "GET", &format!("/api/mailings/{id}"), &Value::Null).json();
    assert_eq!(shown["group"], draft["group"]);
    let preview = call(&site, "GET", &format!("/api/mailings/{id}/preview"), &Value::Null).text();
    assert!(preview.contains("cleo@example.com") && preview.contains("dora@example.com"), "{preview}");
    assert!(!preview.contains("ada@example.com") && !preview.contains("bea@example.com"), "{preview}");
}

#[test]
fn somebody_with_two_tickets_came_with_either() {
    let site = SignedInSite::open();
    pay(&site, "ada@example.com");
    let mut talk = speaker();
    talk["email"] = "ADA@example.com".into();
    assert_eq!(site.server.post("/api/speaker-applications", &talk).status, 201);
    call(&site, "PATCH", "/api/speaker-applications/1", &json!({ "status": "accepted" })).expect(200);
    let count = |attendance: &str| {
        let group = json!({ "group": { "kind": "all", "attendance": attendance } });
        call(&site, "POST", "/api/mailings/count", &group).json()["recipients"].clone()
    };
    assert_eq!((count("came"), count("absent")), (json!(0), json!(1)));
    let code = site.place.sql::<String>("select code from tickets where role = 'competitor'");
    let (_, cookie) = device(&site, "Front");
    assert_eq!(results(&send(&site, &cookie, &json!([scan("1", &code, 5)]))), ["welcome"]);
    assert_eq!((count("came"), count("absent")), (json!(1), json!(0)));
}

#[test]
fn one_place_lets_in_one_person_although_its_ticket_has_passed_on() {
    let site = SignedInSite::open();
    pay(&site, "ada@example.com");
    let code =
        |email: &str| site.place.sql::<String>(&format!("select code from tickets where email = '{email}'"));
    let (_, cookie) = device(&site, "Front");
    let ada = code("ada@example.com");
    assert_eq!(results(&send(&site, &cookie, &json!([scan("1", &ada, 60)]))), ["welcome"]);
    transfer(&site, 1, "Bea New", "bea@example.com");
    let bea = code("bea@example.com");
    // Phones know it without a network too.
    let list = site.server.get("/api/door/list", &[("cookie", &cookie)]).json();
    assert_eq!(list["scans"][0]["code"], bea.as_str(), "{list}");
    let second = send(&site, &cookie, &json!([scan("2", &bea, 30)]));
    assert_eq!(results(&second), ["already"]);
    assert_eq!(second.json()["results"][0]["first"]["device"], "Front");
    let counted = figures(&site);
    let day = &counted["lists"][0];
    assert_eq!((&day["in"], &day["expected"]), (&json!(1), &json!(1)), "{counted}");
    let twice = &counted["twice"][0];
    assert_eq!((&twice["name"], &twice["scans"]), (&json!("Bea New"), &json!(2)), "{counted}");
    let next = json!([{ "id": "3", "code": bea, "list": "day-2", "at": super::scans::at(5) }]);
    assert_eq!(results(&send(&site, &cookie, &next)), ["welcome"], "on the next day she comes alone");
}

#[test]
fn a_list_of_the_content_lets_in_its_roles() {
    let mut site = SignedInSite::open();
    let list = "[[door.lists]]\nkey = \"workshop\"\nlabel = \"Workshop\"\nday = \"2026-03-28\"\nroles = [\"competitor\"]\n# ";
    import(&site.place, &edited(&[("# [[door.lists]]", list)]));
    site.server.kill();
    site.server = site.place.serve();
    pay(&site, "ada@example.com");
    assert_eq!(call(&site, "POST", "/api/tickets", &json!({ "name": "Pat", "role": "guest" })).status, 201);
    let code = |id: i64| site.place.sql::<String>(&format!("select code from tickets where id = {id}"));
    let (_, cookie) = device(&site, "Front");
    let scan = |id: i64| json!({ "id": id.to_string(), "code": code(id), "list": "workshop", "at": super::scans::at(5) });
    assert_eq!(results(&send(&site, &cookie, &json!([scan(1), scan(2)]))), ["welcome", "wrong_list"]);
    let counted = figures(&site);
    assert_eq!(counted["lists"].as_array().map(Vec::len), Some(1));
    let workshop = &counted["lists"][0];
    assert_eq!(
        (
            &workshop["in"],
            &workshop["expected"],
            &workshop["byRole"]["competitor"]["in"],
            &workshop["byRole"]["guest"]
        ),
        (&json!(1), &json!(1), &json!(1), &Value::Null),
        "{counted}"
    );
    let body = site.server.get("/api/door/list", &[("cookie", &cookie)]).json();
    assert_eq!(body["tickets"][1]["lists"], json!([]), "{body}");
}
