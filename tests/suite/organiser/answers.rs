//! Answers are corrected by the rules of the form, with a reason; no correction moves money.

use serde_json::{Value, json};
use showcase::model::Kind;

use crate::support::paid_site::{self, entry_of_two};
use crate::support::samples::{FREE_KINDS, path, whole};
use crate::support::{ADMIN, AdminSite, Reply};

/// A site with one registration of every kind; the entry is not paid.
fn site() -> AdminSite {
    let site = AdminSite::new(ADMIN);
    for kind in Kind::ALL {
        site.server.post(&path(kind), &whole(kind)).expect(201);
    }
    site
}

impl AdminSite {
    fn correct(&self, kind: Kind, values: Value) -> Reply {
        let body = json!({ "values": values, "reason": "She called" });
        self.call("PATCH", &format!("/api/{kind}/1/fields"), &body)
    }

    fn notes(&self) -> String {
        self.place
            .sql("select coalesce(group_concat(note, ' | '), '') from (select note from reviews order by id)")
    }
}

#[test]
fn an_answer_is_corrected_and_the_old_one_stays_in_the_history_and_the_audit_log() {
    let site = site();
    let body = json!({ "values": { "company": " Sample  Brow Studio ", "phone": "201 555 0199" }, "reason": " Misspelled " });
    let anonymous = site.server.send(
        "PATCH",
        "/api/speaker-applications/1/fields",
        &[("content-type", "application/json")],
        &body.to_string(),
    );
    assert_eq!(anonymous.status, 401);
    let reply = site.call("PATCH", "/api/speaker-applications/1/fields", &body);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let record = reply.json();
    assert_eq!(record["company"], "Sample  Brow Studio");
    assert_eq!(
        (&record["phone"], &record["phoneNormalised"]),
        (&json!("201 555 0199"), &json!("+12015550199"))
    );
    assert_eq!(record["topicProposal"], whole(Kind::SpeakerApplications)["topicProposal"], "others stay");
    let note = "Phone: +1 201-555-0101 → 201 555 0199\nCompany or business name: Sample Lash Studio → Sample  Brow Studio\nReason: Misspelled";
    let last = record["history"].as_array().expect("a list").last().expect("a line").clone();
    assert_eq!((&last["note"], &last["actor"]), (&json!(note), &json!("organiser")));
    let audited = "select detail from audit_log where action = 'answers corrected'";
    let audited: Value = serde_json::from_str(&site.place.sql::<String>(audited)).expect("JSON");
    assert_eq!(
        audited["values"]["company"],
        json!({ "from": "Sample Lash Studio", "to": "Sample  Brow Studio" })
    );
    // The list and the search know the new answer.
    let found = site.get("/api/speaker-applications?search=brow%20studio").json();
    assert_eq!(found["total"], 1);
    // The same again changes nothing.
    let before =
        site.place.sql::<i64>("select (select count(*) from reviews) + (select count(*) from audit_log)");
    let again = site.call("PATCH", "/api/speaker-applications/1/fields", &body);
    assert_eq!((again.status, again.header("etag")), (200, reply.header("etag")));
    let after =
        site.place.sql::<i64>("select (select count(*) from reviews) + (select count(*) from audit_log)");
    assert_eq!(before, after);
    // Of her, neither the old nor the new answer stays.
    site.place.done(&["person", "erase", "ada@example.com", "--yes"]);
    let left = "select count(*) from audit_log where detail like '%Studio%' or detail like '%0199%'";
    assert_eq!(site.place.sql::<i64>(left), 0);
}

#[test]
fn every_kind_is_corrected_by_its_own_rules() {
    let site = site();
    for kind in FREE_KINDS {
        let (good, bad, field) = match kind {
            Kind::SpeakerApplications => {
                (json!({ "expertise": "business" }), json!({ "expertise": "magic" }), "expertise")
            }
            Kind::JudgeApplications => {
                (json!({ "availability": "march-28" }), json!({ "experience": "short" }), "experience")
            }
            Kind::SponsorApplications => (
                json!({ "productCategories": ["Lash Extensions"] }),
                json!({ "productCategories": ["Cars"] }),
                "productCategories",
            ),
            Kind::ProfessionalDemoRegistrations => {
                (json!({ "portfolio": null }), json!({ "portfolio": "example" }), "portfolio")
            }
            Kind::WaitlistSignups => (json!({ "wantToCompete": false }), json!({ "name": "" }), "name"),
            Kind::SponsorInquiries => {
                (json!({ "message": "Line one\r\nline two" }), json!({ "company": null }), "company")
            }
            Kind::CompetitionEntries => continue,
        };
        let wrong = site.correct(kind, bad);
        assert_eq!(wrong.status, 422, "{kind}: {}", wrong.text());
        assert!(wrong.json()["errors"][field].is_string(), "{kind}: {}", wrong.text());
        let reply = site.correct(kind, good.clone());
        assert_eq!(reply.status, 200, "{kind}: {}", reply.text());
    }
    assert_eq!(
        site.place.sql::<Option<String>>("select portfolio from professional_demo_registrations"),
        None
    );
    assert_eq!(site.place.sql::<String>("select message from sponsor_inquiries"), "Line one\nline two");
}

#[test]
fn what_cannot_be_corrected_is_refused_and_changes_nothing() {
    let site = site();
    let path = "/api/speaker-applications/1/fields";
    let long = "r".repeat(60 * 1024);
    for (path, body, status) in [
        (path, json!({ "values": { "company": "New" } }), 422),
        (path, json!({ "values": { "company": "New" }, "reason": "  " }), 422),
        (path, json!({ "values": { "company": "New" }, "reason": long }), 422),
        (path, json!({ "values": { "company": "New" }, "reason": "a\u{1b}b" }), 422),
        (path, json!({ "values": { "company": "New" }, "reason": 7 }), 400),
        (path, json!({ "values": { "company": 7 }, "reason": "r" }), 400),
        (path, json!({ "values": { "status": "accepted" }, "reason": "r" }), 422),
        (path, json!({ "values": { "email": "ada@example" }, "reason": "r" }), 422),
        (path, json!({ "values": { "termsAccepted": false }, "reason": "r" }), 422),
        (path, json!({ "values": [], "reason": "r" }), 400),
        (path, json!({ "reason": "r" }), 422),
        (path, json!([]), 400),
        ("/api/speaker-applications/9/fields", json!({ "values": { "company": "New" }, "reason": "r" }), 404),
    ] {
        let reply = site.call("PATCH", path, &body);
        assert_eq!(
            reply.status,
            status,
            "{path} {}: {}",
            &body.to_string()[..60.min(body.to_string().len())],
            reply.text()
        );
    }
    assert_eq!(site.notes(), "");
    assert_eq!(site.place.sql::<String>("select company from speaker_applications"), "Sample Lash Studio");
}

#[test]
fn markup_in_an_answer_stays_text_in_the_mail_that_says_what_was_changed() {
    let site = site();
    let values = json!({ "company": "<script>alert(1)</script> {{ name }} evil.example", "instagram": null });
    let preview =
        site.call("POST", "/api/speaker-applications/1/fields/preview", &json!({ "values": values }));
    assert_eq!(preview.status, 200, "{}", preview.text());
    assert_eq!(preview.json()["changes"][0]["field"], "instagram");
    let told = preview.json()["mail"]["text"].as_str().expect("a text").to_owned();
    assert_eq!(site.notes(), "", "a preview changes nothing");
    let body = json!({ "values": values, "reason": "Asked by phone", "mail": true });
    assert_eq!(site.call("PATCH", "/api/speaker-applications/1/fields", &body).status, 200);
    let mail = "cause like 'correction/speaker-applications/1/%'";
    assert_eq!(site.place.mail_text(mail), told);
    assert!(told.contains("Company or business name: <script>alert(1)</script> {{ name }} evil.\u{200B}example (before: Sample Lash Studio)"), "{told}");
    assert!(told.contains("Instagram: (empty) (before: @ada)"), "{told}");
    assert!(!told.contains("Asked by phone"), "the reason is the organiser's own: {told}");
    let html = site.place.mail_html(mail);
    assert!(html.contains("&lt;script&gt;") && !html.contains("<script>"), "{html}");
    // No change, no mail.
    assert_eq!(site.call("PATCH", "/api/speaker-applications/1/fields", &body).status, 200);
    assert_eq!(site.place.sql::<i64>(&format!("select count(*) from outbox where {mail}")), 1);
}

#[test]
fn an_address_that_somebody_else_has_learns_nothing_old_and_merges_nothing() {
    let site = site();
    // The address is the judge's.
    let values = json!({ "email": "dana@example.com", "company": "Other Studio" });
    let body = json!({ "values": values, "reason": "Typo", "mail": true });
    let reply = site.call("PATCH", "/api/speaker-applications/1/fields", &body);
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert!(!reply.text().contains("Dana"), "nothing of the other person: {}", reply.text());
    let told = site.place.mail_text("cause like 'correction/%'");
    assert!(told.contains("Company or business name: Other Studio\n"), "{told}");
    assert!(!told.contains("ada@example.com") && !told.contains("before:"), "{told}");
    let waiting = "select recipient from outbox where state = 'waiting' and cause like 'correction/%'";
    assert_eq!(site.place.sql::<String>(waiting), "dana@example.com");
    for table in ["speaker_applications", "judge_applications"] {
        assert_eq!(site.place.sql::<i64>(&format!("select count(*) from {table}")), 1);
    }
    assert!(
        site.notes()
            .contains("Email address corrected from ada@example.com to dana@example.com.\nReason: Typo")
    );
    assert_eq!(site.place.sql::<String>("select name from judge_applications"), "Dana Sample");
}

#[test]
fn a_change_that_would_cost_more_or_less_is_refused_with_the_difference() {
    let site = paid_site::PaidSite::start();
    let entry = entry_of_two("gia@example.com");
    let intent = site.create_intent("key-1", &entry);
    site.stripe.control("pay", &json!({ "payment_intent": intent }));
    assert_eq!(site.save(&entry, &intent).status, 201);
    let cookie = site.cookie();
    let correct = |values: Value| {
        let body = json!({ "values": values, "reason": "She asked" });
        site.server.call(&cookie, "PATCH", "/api/competition-entries/1/fields", &body)
    };
    let paid =
        "select payment_amount_cents || ' ' || payment_status || ' ' || quote from competition_entries";
    let before = site.place.sql::<String>(paid);
    let fewer = correct(json!({ "additionalCategories": 0 }));
    assert_eq!(fewer.status, 422);
    let told = fewer.json()["errors"]["additionalCategories"].as_str().expect("a message").to_owned();
    assert!(told.contains("cost $591.84 and would cost $484.92, $106.92 less"), "{told}");
    assert!(told.contains("refund the difference"), "{told}");
    let more = correct(
        json!({ "additionalCategories": 2, "additionalCategory2": "lash-lift", "additionalCategory2Sub": "Standard Lash Lift" }),
    );
    let told = more.json()["errors"]["additionalCategories"].as_str().expect("a message").to_owned();
    assert!(more.status == 422 && told.contains(" more;") && told.contains("enter again"), "{told}");
    let moved = correct(json!({ "taxLocation": "texas" }));
    assert_eq!(moved.status, 422);
    assert!(moved.json()["errors"]["taxLocation"].is_string(), "{}", moved.text());
    let twice =
        correct(json!({ "additionalCategory1": "lash-extensions", "additionalCategory1Sub": "Classic" }));
    assert_eq!(twice.status, 422, "the same category twice: {}", twice.text());
    assert_eq!(
        correct(json!({ "primaryCategory": "brows" })).status,
        422,
        "its subcategory is another category's"
    );
    // Another category at the same price.
    let other = correct(json!({ "primaryCategory": "lash-lift", "subCategory": "Standard Lash Lift" }));
    assert_eq!(other.status, 200, "{}", other.text());
    assert_eq!(site.place.sql::<String>(paid), before, "no money moved");
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn a_second_organisers_save_is_refused_and_shows_what_is_there_now() {
    let site = site();
    let path = "/api/speaker-applications/1";
    let opened = site.get(path);
    let tag = opened.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
    let company = |name: &str| json!({ "values": { "company": name }, "reason": "r" });
    let fields = format!("{path}/fields");
    let first = site.call_if(&tag, "PATCH", &fields, &company("First Studio"));
    assert_eq!(first.status, 200, "{}", first.text());
    let newer = first.header("etag").to_owned();
    assert_ne!(newer, tag);
    for (method, target, body) in [
        ("PATCH", fields.as_str(), company("Second Studio")),
        ("PATCH", path, json!({ "status": "accepted", "mail": true })),
        ("POST", "/api/speaker-applications/1/address", json!({ "email": "other@example.com" })),
    ] {
        let late = site.call_if(&tag, method, target, &body);
        assert_eq!(late.status, 412, "{target}: {}", late.text());
        assert_eq!(late.header("content-type"), "application/problem+json");
        assert_eq!(late.header("etag"), newer);
        assert_eq!(late.json()["current"]["company"], "First Studio");
        assert_eq!(late.json()["current"]["history"].as_array().expect("a list").len(), 1);
    }
    assert_eq!(
        site.place.sql::<String>("select status || company from speaker_applications"),
        "newFirst Studio"
    );
    // With the tag of what was shown, one of several, any, or none, it is saved.
    let mut tag = newer;
    for given in ["\"other\", {}", "*", ""] {
        let saved = site.call_if(&given.replace("{}", &tag), "PATCH", path, &json!({ "note": "n" }));
        assert_eq!(saved.status, 200, "{given}: {}", saved.text());
        assert_ne!(saved.header("etag"), tag, "a note is a change");
        tag = saved.header("etag").to_owned();
    }
    assert_eq!(site.call_if("W/\"x\"", "PATCH", path, &json!({ "note": "n" })).status, 412);
    assert_eq!(site.call_if("x", "PATCH", path, &json!({ "note": "n" })).status, 400);
    assert_eq!(
        site.call_if(&tag, "PATCH", "/api/speaker-applications/9", &json!({ "note": "n" })).status,
        404
    );
    // A mail that goes out meanwhile is no change of the record.
    site.place.execute("update outbox set state = 'sent', sent_at = created_at");
    assert_eq!(site.get(path).header("etag"), tag);
}

#[test]
fn of_two_organisers_who_save_at_once_one_is_told() {
    let site = site();
    let tag = site.get("/api/waitlist-signups/1").header("etag").to_owned();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let saves: Vec<_> = (0..8)
            .map(|number| {
                let (site, tag) = (&site, tag.as_str());
                scope.spawn(move || {
                    let body = json!({ "values": { "name": format!("Bea {number}") }, "reason": "r" });
                    site.call_if(tag, "PATCH", "/api/waitlist-signups/1/fields", &body).status
                })
            })
            .collect();
        saves.into_iter().map(|save| save.join().expect("a status")).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 412).count(), 7, "{statuses:?}");
    assert_eq!(site.place.sql::<i64>("select count(*) from reviews"), 1);
}
