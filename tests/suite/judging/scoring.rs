//! What a judge may save, and what not.

use serde_json::{Value, json};

use super::judging_site::{JudgingSite, code};
use crate::support::column;

#[test]
fn bad_input_changes_nothing_and_names_what_is_wrong() {
    let site = JudgingSite::with_nominations(2);
    let (mona, nora) = (site.judge("Mona"), site.judge("Nora"));
    assert_eq!(site.set_panel(&[&mona, &nora], &[]).status, 200);
    let token = site.token(&mona, &code(0));
    let count = || site.place().sql::<i64>("select count(*) from score_log");
    let good = json!({ "id": "good", "criterion": "overall", "points": 8 });
    for (name, change, status, field) in [
        (
            "off the step",
            json!({ "id": "1", "criterion": "overall", "points": 8.5 }),
            422,
            "changes[1].points",
        ),
        (
            "over the maximum",
            json!({ "id": "1", "criterion": "overall", "points": 11 }),
            422,
            "changes[1].points",
        ),
        ("below 0", json!({ "id": "1", "criterion": "overall", "points": -1 }), 422, "changes[1].points"),
        ("unknown", json!({ "id": "1", "criterion": "beauty", "points": 1 }), 422, "changes[1].criterion"),
        (
            "penalty over its maximum",
            json!({ "id": "1", "penalty": "mark", "points": 6 }),
            422,
            "changes[1].points",
        ),
        ("no id", json!({ "criterion": "overall", "points": 1 }), 400, ""),
        ("an empty id", json!({ "id": "", "criterion": "overall", "points": 1 }), 422, "changes[1].id"),
        ("points as a text", json!({ "id": "1", "criterion": "overall", "points": "8" }), 400, ""),
        ("a long comment", json!({ "id": "1", "comment": "x".repeat(2001) }), 422, "changes[1].comment"),
        ("two things", json!({ "id": "1", "criterion": "overall", "penalty": "mark", "points": 1 }), 400, ""),
        ("one id, two values", json!({ "id": "good", "criterion": "overall", "points": 7 }), 409, ""),
    ] {
        let reply = site.put(&mona, &token, &json!([good, change]));
        assert_eq!(reply.status, status, "{name}: {}", reply.text());
        assert!(field.is_empty() || reply.json()["errors"][field].is_string(), "{name}: {}", reply.text());
        assert_eq!(count(), 0, "{name}: all or none");
    }
    assert_eq!(site.put(&nora, &token, &json!([good])).status, 404, "another judge's sheet");
    assert_eq!(site.send("GET", &format!("/api/judge/sheets/{token}"), "", &Value::Null).status, 401);
    // A device whose clock is a year ahead.
    let change = json!({ "id": "good", "criterion": "overall", "points": 8, "at": "2099-01-01T00:00:00Z", "device": "tablet" });
    let saved = site.put(&mona, &token, &json!([change, { "id": "c", "comment": "Even fans." }]));
    assert_eq!((saved.status, &saved.json()["state"]), (200, &json!("saved")), "{}", saved.text());
    assert_eq!(saved.json()["scores"], json!([{ "criterion": "overall", "points": 8.0 }]));
    assert_eq!(saved.json()["comment"], "Even fans.");
    let gaps = site.sheet(&mona, "POST", &token, "/confirm", &json!({})).expect(422);
    assert_eq!(gaps.json()["errors"].as_object().expect("errors").len(), 8, "{}", gaps.text());
}

#[test]
fn a_change_that_comes_again_undoes_nothing_newer_and_a_confirmed_sheet_is_locked() {
    let (site, mona) = JudgingSite::with_judge(1);
    let token = site.token(&mona, &code(0));
    let change = |id: &str, points: u32| json!([{ "id": id, "criterion": "overall", "points": points }]);
    // The log has no negative zero.
    site.put(&mona, &token, &json!([{ "id": "zero", "criterion": "overall", "points": -0.0 }])).expect(200);
    assert_eq!(site.put(&mona, &token, &change("a", 5)).status, 200);
    assert_eq!(site.put(&mona, &token, &change("b", 7)).status, 200);
    let again = site.put(&mona, &token, &change("a", 5));
    assert_eq!((again.status, &again.json()["scores"][0]["points"]), (200, &json!(7.0)));
    assert_eq!(site.put(&mona, &token, &change("a", 6)).status, 409);
    site.score(&mona, &code(0), 80);
    assert_eq!(site.put(&mona, &token, &change("c", 5)).status, 423);
    assert_eq!(site.put(&mona, &token, &change("b", 7)).status, 200, "an old one, which changes nothing");
    assert_eq!(site.sheet(&mona, "POST", &token, "/recuse", &json!({ "reason": "x" })).status, 423);
    assert_eq!(site.sheet(&mona, "POST", &token, "/confirm", &Value::Null).status, 200);
    // The head judge reopens it with a reason.
    let body = |reason: &str| json!({ "category": "lash-extensions", "subCategory": "Volume", "judge": mona.id, "code": code(0), "reason": reason });
    assert_eq!(site.send("POST", "/api/judge/reopen", &mona.cookie, &body(" ")).status, 422);
    site.send("POST", "/api/judge/reopen", &mona.cookie, &body("Mixed up two codes.")).expect(200);
    assert_eq!(site.put(&mona, &token, &change("d", 9)).status, 200);
}

#[test]
fn the_first_score_locks_the_rubric() {
    let (site, mona) = JudgingSite::with_judge(1);
    let token = site.token(&mona, &code(0));
    let content = crate::portal::portal_site::content();
    let replace = |from: &str, to: &str| {
        crate::support::content::import(site.place(), &content.replacen(from, to, 1));
        crate::support::wait_for("the new content", || {
            let sheet = site.sheet(&mona, "GET", &token, "", &Value::Null).json();
            let text = site.portal.server.get("/api/judge/session", &[("cookie", &mona.cookie)]).text();
            (sheet.to_string().contains(to) || text.contains(to)).then_some(())
        });
    };
    let seen = site.sheet(&mona, "GET", &token, "", &Value::Null).json()["rubricVersion"].clone();
    // Before the first score the sheet follows the content.
    replace("Overall impression", "First impression");
    // Points that were given under the former one, without a connection, do not count under this one.
    let change = |id: &str, version: &Value| {
        json!([{ "id": id, "criterion": "overall", "points": 5, "rubricVersion": version },
            { "id": format!("{id}-comment"), "comment": "Even fans.", "rubricVersion": version }])
    };
    let refused = site.put(&mona, &token, &change("old", &seen)).expect(422).json()["errors"].clone();
    let named: Vec<&String> = refused.as_object().expect("errors").keys().collect();
    assert_eq!(named, ["changes[0].rubricVersion"], "a comment is none");
    let seen = site.sheet(&mona, "GET", &token, "", &Value::Null).json()["rubricVersion"].clone();
    site.put(&mona, &token, &change("new", &seen)).expect(200);
    site.put(&mona, &token, &json!([{ "id": "1", "criterion": "overall", "points": 5 }])).expect(200);
    let sheet = site.sheet(&mona, "GET", &token, "", &Value::Null).json();
    assert_eq!(sheet["criteria"][0]["label"], "First impression");
    // Afterwards it does not. The terms show that the new content is there.
    crate::support::content::import(
        site.place(),
        &content.replacen("Overall impression", "Second impression", 1).replacen(
            "I score every entry",
            "We score every entry",
            1,
        ),
    );
    crate::support::wait_for("the new content", || {
        let session = site.portal.server.get("/api/judge/session", &[("cookie", &mona.cookie)]).text();
        session.contains("We score every entry").then_some(())
    });
    let after = site.sheet(&mona, "GET", &token, "", &Value::Null).json();
    assert_eq!((&after["criteria"], &after["rubricVersion"]), (&sheet["criteria"], &sheet["rubricVersion"]));
    assert_eq!(site.detail()["rubricLocked"], true);
}

#[test]
fn conflicts_are_computed_declared_and_said_on_the_spot_and_a_reserve_steps_in() {
    let site = JudgingSite::with_nominations(4);
    let judges = ["Mona", "Nora", "Olga"].map(|name| site.judge(name));
    let reserve = site.judge("Rita");
    let [mona, nora, olga] = &judges;
    // Nora has the phone of the first entrant.
    let body = json!({ "phone": "+1 201-555-0200" });
    assert_eq!(site.organise("PATCH", &format!("/api/judges/{}", nora.id), &body).status, 200);
    assert_eq!(site.set_panel(&[mona, nora, olga], &[&reserve]).status, 200);
    assert_eq!(site.codes(mona).len(), 4);
    assert_eq!(site.codes(nora), [code(1), code(2), code(3)], "a computed conflict");
    assert_eq!(site.codes(&reserve), [code(0)], "the reserve steps in");
    // Mona knows the second competitor by name.
    let names = site.send("GET", "/api/judge/conflicts", &mona.cookie, &Value::Null);
    assert!(!names.text().contains("LE-1"), "names come without codes: {}", names.text());
    let people = names.json()["categories"][0]["people"].as_array().expect("people").clone();
    let known = people.iter().find(|person| person["name"] == "Artist Canary 1").expect("a person");
    let body = json!({ "tokens": [known["token"]], "reason": "I trained her." });
    assert_eq!(site.send("POST", "/api/judge/conflicts", &mona.cookie, &body).status, 200);
    assert_eq!(site.codes(mona), [code(0), code(2), code(3)]);
    assert_eq!(site.codes(&reserve), [code(0), code(1)]);
    // Olga recognises the third one, and abstains from the fourth.
    let (third, fourth) = (site.token(olga, &code(2)), site.token(olga, &code(3)));
    assert_eq!(site.sheet(olga, "POST", &third, "/recuse", &json!({})).status, 422);
    let recused = site.sheet(olga, "POST", &third, "/recuse", &json!({ "reason": "I recognise this work." }));
    assert_eq!((recused.status, &recused.json()["state"]), (200, &json!("recused")));
    assert_eq!(recused.json()["criteria"], json!([]));
    let body = json!({ "reason": "Not my field.", "conflict": false });
    assert_eq!(site.sheet(olga, "POST", &fourth, "/recuse", &body).status, 200);
    // Sent again, because the answer was lost on its way.
    let rows = || site.place().sql::<i64>("select count(*) from score_log");
    let before = rows();
    let again = site.sheet(olga, "POST", &third, "/recuse", &json!({ "reason": "I recognise this work." }));
    assert_eq!((again.status, again.json()), (200, recused.json()));
    assert_eq!(site.sheet(olga, "POST", &fourth, "/recuse", &body).status, 200);
    assert_eq!(rows(), before);
    assert_eq!(site.codes(&reserve).len(), 4);
    let detail = site.detail();
    let of_olga = detail["progress"]
        .as_array()
        .expect("judges")
        .iter()
        .find(|one| one["judge"] == olga.id)
        .expect("one");
    assert_eq!(
        (&of_olga["counts"]["conflict"], &of_olga["counts"]["abstained"], &of_olga["counts"]["open"]),
        (&json!(1), &json!(1), &json!(2))
    );
    assert_eq!(column(&detail["conflicts"], "source"), ["computed", "judge", "recused"]);
    // Once a judge has scored, names are closed.
    let token = site.token(mona, &code(0));
    site.put(mona, &token, &json!([{ "id": "1", "criterion": "overall", "points": 5 }])).expect(200);
    let other = people.iter().find(|person| person["name"] == "Artist Canary 3").expect("a person");
    let body = json!({ "tokens": [other["token"]], "reason": "x" });
    assert_eq!(site.send("POST", "/api/judge/conflicts", &mona.cookie, &body).status, 423);
}

#[test]
fn a_judge_who_becomes_a_reserve_gives_back_the_sheets_that_were_not_begun() {
    let site = JudgingSite::with_nominations(2);
    let [mona, nora, olga] = ["Mona", "Nora", "Olga"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora, &olga], &[]).status, 200);
    for judge in [&mona, &nora] {
        for number in 0..2 {
            site.score(judge, &code(number), 80);
        }
    }
    let reserve = || site.set_panel(&[&mona, &nora], &[&olga]);
    assert_eq!(reserve().status, 200);
    assert_eq!((site.work(&olga).len(), &site.detail()["blockers"]), (0, &json!([])));
    // As a judge again she has all sheets again.
    assert_eq!(site.set_panel(&[&mona, &nora, &olga], &[]).status, 200);
    assert_eq!(site.work(&olga).len(), 2);
    let token = site.token(&olga, &code(1));
    let change = json!([{ "id": "1", "criterion": "overall", "points": 5 }]);
    assert_eq!(site.put(&olga, &token, &change).status, 200);
    reserve().expect_text(409, "Olga has begun to score (LE-102), so they cannot become a reserve.");
    assert_eq!(site.work(&olga).len(), 2, "nothing was changed");
    // This also holds for the head judge.
    site.act("panel", &json!({ "judges": [nora.id, olga.id], "head": nora.id, "reserves": [mona.id] }))
        .expect_text(409, "Mona");
    // A reserve who stepped in, and became a judge, may be a reserve again with that sheet.
    let site = JudgingSite::with_nominations(2);
    let [mona, nora, rita] = ["Mona", "Nora", "Rita"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    let conflict = json!({ "judge": nora.id, "code": code(0), "reason": "Her sister." });
    assert_eq!(site.act("conflicts", &conflict).status, 200);
    site.score(&rita, &code(0), 80);
    assert_eq!(site.set_panel(&[&mona, &nora, &rita], &[]).status, 200);
    assert_eq!(site.work(&rita).len(), 2);
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    assert_eq!(site.work(&rita).len(), 1);
}

#[test]
fn whoever_competes_cannot_judge_and_a_shared_salon_needs_a_second_word() {
    let site = JudgingSite::with_nominations(1);
    let invite = |body: &Value| site.organise("POST", "/api/judges", body);
    invite(&json!({ "name": "Ada", "email": "ARTIST-0@example.com" })).expect_text(
        409,
        "This person has an entry, and a judge cannot compete. Withdraw the entry or remove the judge first.",
    );
    site.place().execute(
        "insert into judge_applications (created_at, status, name, email, phone, company, expertise, experience, availability,
                 terms_accepted, photography_consent)
             values ('2026-01-01T00:00:00.000Z', 'accepted', 'Jo Judge', 'jo@example.org', '', 'CANARY Studio-0', 'makeup', 'x', 'x', 1, 1)",
    );
    let listed = site.organise("GET", "/api/judges", &Value::Null).json();
    assert_eq!(listed["applications"][0]["invited"], false);
    let body = json!({ "name": "Jo Judge", "email": "jo@example.org" });
    let warned = invite(&body).expect(422);
    assert!(
        warned.json()["errors"]["anyway"].as_str().expect("a warning").contains("same business"),
        "{}",
        warned.text()
    );
    let mut anyway = body;
    anyway["anyway"] = true.into();
    assert_eq!(invite(&anyway).status, 201);
    let logged = "select json_extract(detail, '$.warnings') from audit_log where action = 'judge invited'";
    assert_eq!(site.place().sql::<i64>(logged), 1);
    assert_eq!(invite(&anyway).status, 409, "a judge already");
    for (body, field) in [
        (json!({ "name": "", "email": "x@example.org" }), "name"),
        (json!({ "name": "X", "email": "x" }), "email"),
    ] {
        invite(&body).expect_field(field);
    }
    for (body, field) in [
        (json!({ "judges": [], "head": 1 }), "judges"),
        (json!({ "judges": [77], "head": 77 }), "judges"),
        (json!({ "judges": [1], "head": 2 }), "head"),
        (json!({ "judges": [1], "head": 1, "reserves": [1] }), "reserves"),
    ] {
        site.act("panel", &body).expect_field(field);
    }
    // She enters after the invitation, which the entry form cannot refuse.
    site.place().execute("update competition_entries set email = 'JO@example.org'");
    let judge = site.organise("GET", "/api/judges", &Value::Null).json()["items"][0].clone();
    assert!(judge["warnings"].to_string().contains("has an entry: a judge cannot also compete"), "{judge}");
    let attention = site.organise("GET", "/api/attention", &Value::Null).text();
    let sentence = "Jo Judge is a judge and also has an entry. Remove the judge or withdraw the entry.";
    assert!(attention.contains(sentence), "{attention}");
    site.act("panel", &json!({ "judges": [1], "head": 1 })).expect_text(422, "has an entry");
    site.organise("PATCH", "/api/judges/1", &json!({ "name": "Jo" })).expect(409);
    // With another address it is the name and the phone that tell.
    let another = "update competition_entries set email = 'private@example.com', name = 'Jo Judge';
         update judges set phone = '+1 201-555-0200'";
    site.place().execute(another);
    let attention = site.organise("GET", "/api/attention", &Value::Null).text();
    assert!(attention.contains(sentence), "{attention}");
    assert_eq!(site.organise("GET", "/api/judging/lash-extensions/Volumes", &Value::Null).status, 404);
    assert_eq!(
        site.organise("GET", "/api/judging/makeup/Editorial%2FCreative", &Value::Null).json()["state"],
        "no_panel"
    );
}
