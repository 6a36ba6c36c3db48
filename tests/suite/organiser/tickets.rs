//! The ticket of an entry goes to somebody else, who confirms by a link; the entry stays with the entrant.

use serde_json::{Value, json};

use crate::emails::mailings::{AT_ONCE, Organiser, queued};
use crate::support::mail_server::settings;
use crate::support::paid_site::{PaidSite, SignedInSite, entry};
use crate::support::{Reply, text, wait_for};

/// A site with one paid entry, of Ada.
fn paid() -> SignedInSite {
    let site = SignedInSite::open();
    site.enter_and_pay("key-1", &entry("ada@example.com"));
    site
}

fn post(site: &SignedInSite, path: &str, body: &Value) -> Reply {
    site.server.call(&site.cookie, "POST", &format!("/api/competition-entries/{path}"), body)
}

fn offer(site: &SignedInSite, name: &str, email: &str) -> Reply {
    post(site, "1/transfer", &json!({ "name": name, "email": email, "reason": "She is ill" }))
}

/// The path of the link in the newest mail to an address.
fn link(site: &SignedInSite, email: &str) -> String {
    site.place.link_in("/transfer/", &format!("recipient = '{email}' order by id desc"))
}

fn confirm(site: &SignedInSite, link: &str) -> Reply {
    site.server.send("POST", link, &[("content-type", "application/x-www-form-urlencoded")], "")
}

#[test]
fn a_ticket_is_taken_by_a_link_and_the_entry_stays() {
    let site = paid();
    let offered = offer(&site, " Bea <b>Sample</b> ", "bea@example.com");
    assert_eq!(offered.status, 200, "{}", offered.text());
    assert_eq!(offered.json()["ticketOffer"]["email"], "bea@example.com");
    assert_eq!(offered.json()["ticketHolder"], Value::Null);
    assert_eq!(offered.json()["history"][0]["note"], "Ticket offered to somebody else.\nReason: She is ill");
    // The same again sends nothing.
    let again = offer(&site, "Bea <b>Sample</b>", "bea@example.com");
    assert_eq!((again.status, again.header("etag")), (200, offered.header("etag")));
    assert_eq!(site.place.sql::<i64>("select count(*) from outbox where cause like 'ticket-offer/%'"), 1);
    let link = link(&site, "bea@example.com");
    // The waiting email has the link; the offer has only its hash.
    let token = link.rsplit('/').next().expect("a token");
    let stored: String = site.place.sql("select hex(token_hash) from ticket_transfers");
    let digits: String = token.bytes().map(|byte| format!("{byte:02X}")).collect();
    assert!(stored.len() == 64 && stored != digits && !stored.contains(&token.to_uppercase()), "{stored}");
    let page = site.server.get(&link, &[]);
    assert_eq!((page.status, page.header("cache-control")), (200, "no-store"));
    assert_eq!(page.header("x-robots-tag"), "noindex, nofollow");
    assert!(
        page.text().contains("Bea &lt;b&gt;Sample") && page.text().contains("Ada Sample would like you"),
        "{}",
        page.text()
    );
    assert!(!page.text().contains("ada@example.com"), "{}", page.text());
    assert_eq!(confirm(&site, &link).status, 303);
    assert_eq!(confirm(&site, &link).status, 303, "a second press changes nothing");
    let page = site.server.get(&link, &[]).text().replace("&#x2f;", "/");
    let ticket = page.split_once("href=\"/t/").expect("a link to the ticket").1;
    assert!(page.contains("This ticket is yours"), "{page}");
    let ticket = site.server.get(&format!("/t/{}", &ticket[..10]), &[]);
    assert!(ticket.status == 200 && ticket.text().contains("Bea &lt;b&gt;Sample"), "{}", ticket.text());
    let cookie = site.cookie.clone();
    let record = site.server.get("/api/competition-entries/1", &[("cookie", &cookie)]).json();
    assert_eq!(
        (&record["name"], &record["ticketHolder"]["name"]),
        (&json!("Ada Sample"), &json!("Bea <b>Sample</b>"))
    );
    assert_eq!(site.place.sql::<i64>("select count(*) from reviews"), 2);
    let told = site.place.mail_text("cause like 'ticket-transferred/%' and recipient = 'ada@example.com'");
    assert!(told.contains("Your competition entry stays yours"), "{told}");
    // At the door stands who comes, in the category who entered.
    let list = |name: &str| site.server.get(&format!("/api/lists/{name}/csv"), &[("cookie", &cookie)]).text();
    assert!(
        list("door").contains(r#""Bea <b>Sample</b>","","Guest","","Ticket of Ada Sample""#),
        "{}",
        list("door")
    );
    assert!(list("categories").contains(r#""1","Ada Sample","Sample Studio","""#), "{}", list("categories"));
    // Her link is not in the log.
    assert!(!site.place.log().contains(&link), "{}", site.place.log());
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn another_offer_takes_the_place_of_one_that_waits() {
    let site = paid();
    assert_eq!(offer(&site, "Bea Sample", "bea@example.com").status, 200);
    assert_eq!(offer(&site, "Cleo Sample", "cleo@example.com").status, 200);
    let (bea, cleo) = (link(&site, "bea@example.com"), link(&site, "cleo@example.com"));
    assert_eq!(site.server.get(&bea, &[]).status, 404);
    assert_eq!(confirm(&site, &bea).status, 404);
    assert_eq!(confirm(&site, &cleo).status, 303);
    // The ticket may go further.
    assert_eq!(offer(&site, "Dora Sample", "dora@example.com").status, 200);
    assert_eq!(confirm(&site, &link(&site, "dora@example.com")).status, 303);
    assert_eq!(site.server.get(&cleo, &[]).status, 409);
    let told = site.place.mail_text("cause like 'ticket-transferred/%/former'");
    assert!(told.contains("passed to another person"), "{told}");
    assert_eq!(
        site.place.sql::<i64>("select count(*) from outbox where cause like 'ticket-transferred/%'"),
        3
    );
    let holders =
        "select group_concat(name || ' ' || state, ', ') from (select * from ticket_transfers order by id)";
    assert_eq!(
        site.place.sql::<String>(holders),
        "Bea Sample replaced, Cleo Sample replaced, Dora Sample accepted"
    );
    // Back to the entrant, who needs not be told what she did herself.
    assert_eq!(offer(&site, "Ada Sample", "ada@example.com").status, 200);
    assert_eq!(confirm(&site, &link(&site, "ada@example.com")).status, 303);
    let told = "select group_concat(recipient) from (select recipient from outbox
         where cause like 'ticket-transferred/%' order by id desc limit 1)";
    assert_eq!(site.place.sql::<String>(told), "dora@example.com");
}

#[test]
fn an_offer_back_to_the_holder_ends_the_open_offer() {
    let site = paid();
    assert_eq!(offer(&site, "Cleo Sample", "cleo@example.com").status, 200);
    let cleo = link(&site, "cleo@example.com");
    // The entrant has her ticket.
    let back = offer(&site, "Ada Sample", "ada@example.com");
    assert_eq!((back.status, &back.json()["ticketOffer"]), (200, &Value::Null), "{}", back.text());
    assert_eq!(confirm(&site, &cleo).status, 404);
    assert_eq!(site.place.sql::<i64>("select count(*) from outbox where cause like 'ticket-offer/%'"), 1);
    assert_eq!(offer(&site, "Bea Sample", "bea@example.com").status, 200);
    assert_eq!(confirm(&site, &link(&site, "bea@example.com")).status, 303);
    // A slip, and back to the holder.
    assert_eq!(offer(&site, "Bea Sample", "stranger@example.com").status, 200);
    let stranger = link(&site, "stranger@example.com");
    let back = offer(&site, "Bea Sample", "bea@example.com");
    assert_eq!((back.status, &back.json()["ticketOffer"]), (200, &Value::Null), "{}", back.text());
    let newest = back.json()["history"].as_array().and_then(|lines| lines.last().cloned()).expect("a line");
    assert_eq!(newest["note"], "Ticket offer withdrawn.");
    assert_eq!(site.server.get(&stranger, &[]).status, 404);
    assert_eq!(confirm(&site, &stranger).status, 404);
    let transfers = "select group_concat(email || ' ' || state || ' ' || (token_hash is null), ', ') from (select * from ticket_transfers order by id)";
    assert_eq!(
        site.place.sql::<String>(transfers),
        "cleo@example.com replaced 1, bea@example.com accepted 0, stranger@example.com replaced 1"
    );
    // The same again changes nothing, and sends nothing.
    let again = offer(&site, "Bea Sample", "bea@example.com");
    assert_eq!((again.status, again.header("etag")), (200, back.header("etag")));
    assert_eq!(site.place.sql::<i64>("select count(*) from outbox where cause like 'ticket-offer/%'"), 3);
    let logged = "select count(*) from audit_log where action = 'ticket offer withdrawn'";
    assert_eq!(site.place.sql::<i64>(logged), 2);
}

#[test]
fn what_cannot_be_transferred_is_refused() {
    let site = paid();
    site.create_intent("key-2", &entry("unpaid@example.com"));
    let holder = json!({ "name": "Bea Sample", "email": "bea@example.com", "reason": "r" });
    let with = |field: &str, value: Value| {
        let mut body = holder.clone();
        body[field] = value;
        body
    };
    for (path, body, status, field) in [
        ("9/transfer", holder.clone(), 404, ""),
        ("2/transfer", holder.clone(), 409, ""),
        ("1/transfer", with("name", "B".into()), 422, "name"),
        ("1/transfer", with("name", "n".repeat(201).into()), 422, "name"),
        ("1/transfer", with("name", "Bea\u{7}".into()), 422, "name"),
        ("1/transfer", with("email", "bea".into()), 422, "email"),
        ("1/transfer", with("email", 7.into()), 400, ""),
        ("1/transfer", with("reason", "r".repeat(60 * 1024).into()), 422, "reason"),
        // The event is less than 14 days away, or past.
        ("1/transfer", with("reason", Value::Null), 422, "reason"),
    ] {
        let reply = post(&site, path, &body);
        assert_eq!(reply.status, status, "{path} {field}: {}", reply.text());
        assert!(field.is_empty() || reply.json()["errors"][field].is_string(), "{}", reply.text());
    }
    assert!(post(&site, "1/transfer", &with("reason", Value::Null)).text().contains("until March 14, 2026"));
    assert_eq!(site.place.sql::<i64>("select count(*) from ticket_transfers"), 0);
    for guessed in ["0", "../receipt", &"0".repeat(32), &"é".repeat(16)] {
        assert_eq!(
            site.server.get(&format!("/transfer/{}", guessed.replace('é', "%C3%A9")), &[]).status,
            404,
            "{guessed}"
        );
    }
    assert_eq!(site.server.post(&format!("/transfer/{}", "0".repeat(32)), &json!({})).status, 415);
    // A ticket of an entry that was withdrawn meanwhile cannot be taken.
    assert_eq!(post(&site, "1/transfer", &holder).status, 200);
    let link = link(&site, "bea@example.com");
    assert_eq!(post(&site, "1/withdraw", &json!({ "reason": "r" })).status, 200);
    assert_eq!(site.server.get(&link, &[]).status, 409);
    assert_eq!(confirm(&site, &link).status, 409);
}

#[test]
fn of_a_holder_who_is_erased_nothing_stays() {
    let site = paid();
    assert_eq!(offer(&site, "Bea Sample", "bea@example.com").status, 200);
    assert_eq!(confirm(&site, &link(&site, "bea@example.com")).status, 303);
    let exported = site.place.run(&["person", "export", "bea@example.com"]);
    assert!(text(&exported.stdout).contains("ticketOffers"), "{}", text(&exported.stderr));
    site.place.done(&["person", "erase", "bea@example.com", "--yes"]);
    let left =
        "select name || ' ' || email || ' ' || state || coalesce(token_hash, '') from ticket_transfers";
    assert_eq!(site.place.sql::<String>(left), "(erased) (erased) accepted");
    assert!(!text(&std::fs::read(site.place.database()).expect("a file")).contains("Bea Sample"));
}

#[test]
fn a_necessary_notice_also_goes_to_whoever_holds_a_transferred_ticket() {
    let site = PaidSite::with_config(&format!("{}{AT_ONCE}", settings(9, "none")));
    let (place, server) = (&site.place, &site.server);
    for (fill, email) in [("fill-1", "ada@example.com"), ("fill-2", "cleo@example.com")] {
        site.enter_and_pay(fill, &entry(email));
    }
    place.execute(
        "insert into ticket_transfers (created_at, actor, entry_id, state, name, email) values
                 ('2026-01-01T00:00:00.000Z', 'organiser', 1, 'accepted', 'Bea Holder', 'Bea@example.com'),
                 ('2026-01-01T00:00:00.000Z', 'organiser', 1, 'offered', 'Dana', 'dana@example.com'),
                 ('2026-01-01T00:00:00.000Z', 'organiser', 2, 'accepted', 'Ada', 'ADA@example.com')",
    );
    let organiser = Organiser::of(server);
    let group = json!({ "kind": "competition-entries", "paymentStatus": ["paid", "disputed"] });
    let count = |notice: &str| {
        let body = json!({ "group": group, "notice": notice });
        organiser.done("POST", "/count", &body)["recipients"].clone()
    };
    assert_eq!((count(""), count("place")), (json!(2), json!(3)));
    let draft =
        json!({ "group": group, "subject": "For {name}", "text": "Entry {number}", "notice": "place" });
    let id = organiser.done("POST", "", &draft)["id"].as_i64().expect("an id");
    let preview = organiser.done("GET", &format!("/{id}/preview"), &Value::Null);
    assert!(preview["items"].to_string().contains("For Bea Holder"), "{preview}");
    organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    wait_for("the emails", || (queued(place).len() == 3).then_some(()));
    assert_eq!(queued(place), ["Bea@example.com", "ada@example.com", "cleo@example.com"]);
    let said = place.mail_text("cause like 'mailing/%' and recipient = 'Bea@example.com'");
    assert!(said.starts_with("Hello Bea Holder,") && said.contains("Entry 1"), "{said}");
}
