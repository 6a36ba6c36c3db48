//! What competitors say about judges, and what becomes of a judge's details.

use serde_json::{Value, json};

use super::judging_site::{Judge, JudgingSite, PATH, code};
use crate::support::{Reply, column, wait_for};

/// Accepts or rejects what the competitor with this nomination said about a judge.
fn decide_request(site: &JudgingSite, judge: &Judge, number: usize, accepted: bool, reason: &str) -> Reply {
    let detail = site.detail();
    let requests = detail["requests"].as_array().expect("a list");
    let is_it = |request: &&Value| request["code"] == code(number) && request["judge"] == judge.id;
    let id = requests.iter().find(is_it).map_or("0-0", |request| request["id"].as_str().expect("an id"));
    let path = format!("relations/{id}/{}", if accepted { "accept" } else { "reject" });
    site.act(&path, &json!({ "reason": reason }))
}

#[test]
fn a_judge_whom_a_competitor_names_does_not_score_them_and_learns_nothing() {
    let site = JudgingSite::with_nominations(3);
    let [mona, nora, rita] = ["Mona", "Nora", "Rita"].map(|name| site.judge(name));
    // The site names Mona otherwise than the organiser does.
    let body = json!({ "publicName": " Head Judge" });
    let changed = site.organise("PATCH", &format!("/api/judges/{}", mona.id), &body);
    assert_eq!((changed.status, &changed.json()["publicName"]), (200, &json!("Head Judge")));
    let artists: Vec<String> =
        (0..3).map(|number| site.portal.sign_in(&format!("artist-{number}@example.com"))).collect();
    let path = "/api/artist/relations";
    assert_eq!(site.send("GET", path, &mona.cookie, &Value::Null).status, 401);
    let before = site.send("GET", path, &artists[0], &Value::Null);
    assert_eq!(before.json(), json!({ "judges": ["Head Judge"], "items": [] }), "{}", before.text());
    let put =
        |artist: usize, items: Value| site.send("PUT", path, &artists[artist], &json!({ "items": items }));
    let trained = json!({ "judge": "Head Judge", "kind": "trained_by", "note": " Canary course in 2023 " });
    for (items, status, field) in [
        (json!([{ "judge": "Somebody", "kind": "trained_by" }]), 422, "items[0].judge"),
        (json!([{ "judge": "Coming Soon", "kind": "trained_by" }]), 422, "items[0].judge"),
        (json!([{ "judge": "Head Judge", "kind": "likes" }]), 422, "items[0].kind"),
        (json!([trained, { "judge": "Head Judge", "kind": "trained_by" }]), 422, "items[1].judge"),
        (
            json!([{ "judge": "Head Judge", "kind": "works_for", "note": "x".repeat(501) }]),
            422,
            "items[0].note",
        ),
        (json!(vec![json!({ "judge": "Head Judge", "kind": "works_for" }); 21]), 422, "items"),
        (json!([{ "judge": 7, "kind": "works_for" }]), 400, ""),
        (json!("x"), 400, ""),
    ] {
        let reply = put(0, items.clone());
        assert_eq!(reply.status, status, "{items}: {}", reply.text());
        assert!(field.is_empty() || reply.json()["errors"][field].is_string(), "{items}: {}", reply.text());
    }
    let declared = put(0, json!([trained]));
    assert_eq!(
        (declared.status, &declared.json()["items"][0]["note"]),
        (200, &json!("Canary course in 2023"))
    );

    // Before there is a panel.
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    assert_eq!((site.codes(&mona), site.codes(&rita)), (vec![code(1), code(2)], vec![code(0)]));
    let conflict = site.detail()["conflicts"][0].clone();
    assert_eq!(
        (&conflict["source"], &conflict["reason"]),
        (&json!("competitor"), &json!("Trained by this judge: Canary course in 2023"))
    );
    // Once a judge has given points, the organiser decides.
    let token = site.token(&mona, &code(1));
    let change = json!([{ "id": "1", "criterion": "overall", "points": 5 }]);
    assert_eq!(site.put(&mona, &token, &change).status, 200);
    site.score(&mona, &code(2), 80);
    for artist in [1, 2] {
        assert_eq!(put(artist, json!([{ "judge": "Head Judge", "kind": "related_to" }])).status, 200);
    }
    assert_eq!((site.codes(&mona), site.codes(&rita)), (vec![code(1), code(2)], vec![code(0)]));
    let detail = site.detail();
    assert_eq!(detail["conflicts"].as_array().map(Vec::len), Some(1));
    let requested: Vec<&Value> =
        (0..2).map(|number| &detail["requests"][number]["relations"][0]["state"]).collect();
    assert_eq!(requested, [&json!("requested"), &json!("requested")], "{detail}");
    let decide = |number: usize, accepted: bool, reason: &str| {
        decide_request(&site, &mona, number, accepted, reason).status
    };
    assert_eq!((decide(1, true, " "), decide(0, true, "Yes.")), (422, 404), "no reason; nothing asked");
    assert_eq!(decide(2, true, "Yes."), 409, "a confirmed sheet is reopened first");
    assert_eq!((decide(1, true, "Sisters."), decide(2, false, "Told in May already.")), (200, 200));
    assert_eq!(decide(1, true, "Sisters."), 404, "decided already");
    assert_eq!(site.put(&mona, &token, &change).status, 404);
    assert_eq!((site.codes(&mona), site.codes(&rita)), (vec![code(2)], vec![code(0), code(1)]));
    let detail = site.detail();
    assert_eq!((&detail["conflicts"].as_array().map(Vec::len), &detail["requests"]), (&Some(2), &json!([])));
    let told =
        |artist: usize| site.send("GET", path, &artists[artist], &Value::Null).json()["items"][0].clone();
    assert_eq!((&told(1)["state"], &told(1)["answer"]), (&Value::Null, &json!("Sisters.")));
    assert_eq!((&told(2)["state"], &told(2)["answer"]), (&json!("rejected"), &json!("Told in May already.")));
    let listed = site.organise("GET", "/api/nominations", &Value::Null).json();
    let said: Vec<&Value> = (0..3).map(|number| &listed["items"][number]["relations"][0]["kind"]).collect();
    assert_eq!(said, [&json!("trained_by"), &json!("related_to"), &json!("related_to")]);
    assert_eq!(put(0, json!([])).status, 409, "the panel follows from it");
    assert_eq!(put(2, json!([])).status, 200, "nothing does");

    let mut answers = String::new();
    for path in ["/api/judge/session", "/api/judge/work", "/api/judge/conflicts", "/api/judge/panel"] {
        answers += &site.send("GET", path, &mona.cookie, &Value::Null).text();
    }
    answers += &site.sheet(&mona, "GET", &site.token(&mona, &code(2)), "", &Value::Null).text();
    let own = site.place().run(&["person", "export", "mona@example.org"]);
    let own: Value = serde_json::from_slice(&own.stdout).expect("JSON");
    assert_eq!(column(&own["judge"]["sheets"], "code"), [code(2)], "{own}");
    assert_eq!(own["judge"]["publicName"], "Head Judge");
    answers += &own["judge"].to_string();
    for word in ["course", "rained", "elated", "\"declared\":true"] {
        assert!(!answers.contains(word), "{word}: {answers}");
    }

    let exported = site.place().run(&["person", "export", "artist-0@example.com"]);
    let exported: Value = serde_json::from_slice(&exported.stdout).expect("JSON");
    assert_eq!(exported["relations"], json!([declared.json()["items"][0]]));
    let nomination = &exported["registrations"]["competitionEntries"][0]["nominations"][0];
    assert_eq!((&nomination["code"], &nomination["scoreSheet"]), (&json!(code(0)), &Value::Null));
    site.place().done(&["person", "erase", "artist-0@example.com", "--yes"]);
    assert_eq!(site.place().sql::<i64>("select count(*) from relations"), 2, "the rejected one stays");
    site.place().done(&["person", "erase", "mona@example.org", "--yes"]);
    assert_eq!(site.place().sql::<i64>("select count(*) from relations"), 0, "nor what is about the judge");
}

#[test]
fn naming_the_whole_panel_or_after_the_deadline_is_the_organisers_to_decide() {
    let site = JudgingSite::with_nominations(2);
    let [mona, nora, rita] = ["Mona", "Nora", "Rita"].map(|name| site.judge(name));
    site.name_as_head(&mona);
    site.name_as_head(&nora);
    let artists = [0, 1].map(|number| site.portal.sign_in(&format!("artist-{number}@example.com")));
    let put = |artist: usize| {
        let items = json!({ "items": [{ "judge": "Head Judge", "kind": "works_for" }] });
        site.send("PUT", "/api/artist/relations", &artists[artist], &items).json()
    };
    assert_eq!(put(0)["items"][0]["state"], Value::Null, "in time");
    // Whom she means is not known while no judge has the name that the site shows.
    let unknown = || {
        let attention = site.organise("GET", "/api/attention", &Value::Null).text();
        attention.contains("A competitor knows the judge Head Judge, but no invited judge has this name.")
    };
    assert!(!unknown());
    let rename = |name: &str| {
        let sql = format!("update judges set public_name = '{name}' where public_name is not null");
        site.place().execute(&sql);
    };
    rename("Dr. Somebody");
    assert!(unknown());
    rename("Head Judge");
    assert_eq!(site.set_panel(&[&mona, &nora], &[]).status, 200);
    let detail = site.detail();
    assert_eq!((&detail["conflicts"], &detail["requests"].as_array().map(Vec::len)), (&json!([]), &Some(2)));
    let attention = site.organise("GET", "/api/attention", &Value::Null).text();
    assert!(attention.contains("knows a judge"), "{attention}");
    let decide = |judge: &Judge, artist: usize, accepted: bool| {
        decide_request(&site, judge, artist, accepted, "Her employer.")
    };
    assert_eq!(decide(&mona, 0, true).status, 200);
    decide(&nora, 0, true).expect_text(409, "Nobody would be left");
    for judge in [&mona, &nora] {
        site.score(judge, &code(1), 80);
    }
    site.score(&nora, &code(0), 70);
    assert_eq!(site.detail()["blockers"], json!([]), "naming the panel blocks no seal");

    site.place().execute("update nominations set extended_until = '2026-01-01T00:00:00.000Z'");
    assert_eq!(put(1)["items"][0]["state"], "requested");
    assert_eq!(site.detail()["conflicts"].as_array().map(Vec::len), Some(1), "nothing changed at once");
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    assert_eq!(decide(&mona, 1, false).status, 200);
    assert_eq!(put(1)["items"][0]["state"], "rejected", "sent again, it stays decided");
    let removed = site.send("PUT", "/api/artist/relations", &artists[1], &json!({ "items": [] })).expect(200);
    assert_eq!(removed.json()["items"][0]["state"], "rejected", "it stays with the decision");
    assert_eq!(put(1)["items"][0]["state"], "rejected", "nor is it asked again");
    assert_eq!(column(&site.detail()["requests"], "code"), [code(0)]);
}

#[test]
fn a_request_that_nobody_decided_ends_with_the_seal() {
    let (site, mona) = JudgingSite::with_judge(1);
    site.name_as_head(&mona);
    let artist = site.portal.sign_in("artist-0@example.com");
    let path = "/api/artist/relations";
    let items = json!({ "items": [{ "judge": "Head Judge", "kind": "works_for" }] });
    let told = site.send("PUT", path, &artist, &items).expect(200).json();
    assert_eq!(told["items"][0]["state"], "requested", "there is no other judge");
    site.score(&mona, &code(0), 80);
    site.act("seal", &json!({})).expect(200);
    let told = site.send("GET", path, &artist, &Value::Null).json()["items"][0].clone();
    assert_eq!((&told["state"], &told["answer"]), (&json!("rejected"), &Value::Null));
}

#[test]
fn the_organiser_removes_a_conflict_that_was_a_mistake() {
    let site = JudgingSite::with_nominations(3);
    let [mona, nora, rita] = ["Mona", "Nora", "Rita"].map(|name| site.judge(name));
    site.name_as_head(&mona);
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    let conflict = |call: &str, judge: &Judge, number: usize, reason: &str| {
        let body = json!({ "judge": judge.id, "code": code(number), "reason": reason });
        site.act(&format!("conflicts{call}"), &body)
    };
    let remove = |judge: &Judge, number: usize| conflict("/remove", judge, number, "Mixed up two names.");
    let state = |judge: &Judge, number: usize| {
        let items = site.work(judge);
        items.iter().find(|item| item["code"] == code(number)).map(|item| item["state"].clone())
    };
    let recuse = |judge: &Judge, number: usize, is_conflict: bool| {
        let body = json!({ "reason": "I recognise it.", "conflict": is_conflict });
        site.sheet(judge, "POST", &site.token(judge, &code(number)), "/recuse", &body).expect(200);
    };
    assert_eq!(remove(&mona, 0).status, 422, "there is none");

    // A sheet with points is saved again, and the reserve gives back the one that was not begun.
    let change = json!([{ "id": "1", "criterion": "overall", "points": 5 }]);
    assert_eq!(site.put(&mona, &site.token(&mona, &code(0)), &change).status, 200);
    recuse(&mona, 0, true);
    assert_eq!(site.codes(&rita), [code(0)]);
    assert_eq!(conflict("/remove", &mona, 0, " ").status, 422, "no reason");
    assert_eq!(remove(&mona, 0).expect(200).json()["conflicts"], json!([]));
    assert_eq!((state(&mona, 0), site.codes(&rita)), (Some(json!("saved")), vec![]));
    let sheet = site.sheet(&mona, "GET", &site.token(&mona, &code(0)), "", &Value::Null).json();
    assert_eq!(sheet["scores"], json!([{ "criterion": "overall", "points": 5.0 }]));
    // Sheets without points are open again, also after an abstention.
    recuse(&nora, 0, true);
    recuse(&nora, 1, false);
    assert_eq!(site.codes(&rita), [code(0), code(1)]);
    for number in [0, 1] {
        remove(&nora, number).expect(200);
        assert_eq!(state(&nora, number), Some(json!("open")));
    }
    assert_eq!(site.codes(&rita), [""; 0]);
    let audit = site.organise("GET", "/api/audit", &Value::Null).text();
    assert!(audit.contains("judging conflict removed") && !audit.contains("Mixed up"), "{audit}");
    let kept = "select count(*) from sheets where reason = 'Mixed up two names.'";
    assert_eq!(site.place().sql::<i64>(kept), 3, "the reason stays on the sheet");
    // The log also explains an open sheet that was given back and given out again.
    assert_eq!(site.set_panel(&[&mona], &[&rita]).status, 200);
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    // The organiser's own. A reserve who has begun keeps the sheet.
    assert_eq!(conflict("", &nora, 2, "Her sister.").status, 200);
    assert_eq!(site.put(&rita, &site.token(&rita, &code(2)), &change).status, 200);
    assert_eq!((remove(&nora, 2).status, state(&nora, 2)), (200, Some(json!("open"))));
    assert_eq!(state(&rita, 2), Some(json!("saved")));

    // What a competitor declared does not count for this nomination any more, or it would be found again.
    let artist = site.portal.sign_in("artist-1@example.com");
    let relations = "/api/artist/relations";
    let declared = json!({ "items": [{ "judge": "Head Judge", "kind": "works_for" }] });
    assert_eq!(site.send("PUT", relations, &artist, &declared).status, 200);
    assert_eq!((state(&mona, 1), site.codes(&rita)), (None, vec![code(1), code(2)]));
    assert_eq!(remove(&mona, 1).status, 200);
    assert_eq!((state(&mona, 1), site.codes(&rita)), (Some(json!("open")), vec![code(2)]));
    let told = site.send("GET", relations, &artist, &Value::Null).json()["items"].clone();
    assert_eq!((&told[0]["state"], &told[0]["answer"]), (&json!("rejected"), &Value::Null));
    for items in [json!({ "items": [] }), declared] {
        assert_eq!(site.send("PUT", relations, &artist, &items).status, 200);
    }
    assert_eq!(state(&mona, 1), Some(json!("open")), "declared again, it stays decided");
    // What both have in common is corrected first.
    let phone = |phone: &str| {
        let body = json!({ "phone": phone });
        assert_eq!(site.organise("PATCH", &format!("/api/judges/{}", nora.id), &body).status, 200);
    };
    phone("+1 201-555-0200");
    assert_eq!(state(&nora, 0), None);
    remove(&nora, 0).expect_text(409, "the same phone number");
    phone("+1 201-555-0999");
    assert_eq!((remove(&nora, 0).status, state(&nora, 0)), (200, Some(json!("open"))));

    for (judge, number) in
        [(&mona, 0), (&mona, 1), (&mona, 2), (&nora, 0), (&nora, 1), (&nora, 2), (&rita, 2)]
    {
        site.score(judge, &code(number), 80);
    }
    assert_eq!(site.act("seal", &json!({})).status, 200);
    assert_eq!(remove(&mona, 0).status, 423);
}

#[test]
fn a_conflict_that_is_taken_back_leaves_the_declaration_for_the_other_nominations() {
    let site = JudgingSite::with_nominations(1);
    let [mona, nora] = ["Mona", "Nora"].map(|name| site.judge(name));
    site.name_as_head(&mona);
    let more = "insert into nominations (created_at, entry_id, code, category, sub_category)
             select created_at, entry_id, 'BR-900', 'brows', 'Creative' from nominations;
         insert into releases (nomination_id, key) values (2, 'key-2')";
    site.place().execute(more);
    let panel = json!({ "judges": [mona.id, nora.id], "head": nora.id, "reserves": [] });
    for path in [PATH, "/api/judging/brows/Creative"] {
        site.organise("POST", &format!("{path}/panel"), &panel).expect(200);
    }
    let artist = site.portal.sign_in("artist-0@example.com");
    let items = json!({ "items": [{ "judge": "Head Judge", "kind": "works_for" }] });
    site.send("PUT", "/api/artist/relations", &artist, &items).expect(200);
    assert_eq!(site.codes(&mona), [""; 0]);
    let conflict = json!({ "judge": mona.id, "code": code(0), "reason": "Another model." });
    site.act("conflicts/remove", &conflict).expect(200);
    assert_eq!(site.codes(&mona), [code(0)]);

    site.place().execute("update nominations set state = 'ready' where id = 2");
    site.organise("POST", "/api/outbox/retry", &json!({})).expect(200);
    assert_eq!((site.codes(&mona).len(), site.codes(&nora).len()), (1, 2));
}

#[test]
fn the_address_of_a_judge_who_was_removed_can_be_another_judges() {
    let site = JudgingSite::with_nominations(0);
    let [mona, nora] = ["Mona", "Nora"].map(|name| site.judge(name));
    site.organise("DELETE", &format!("/api/judges/{}", nora.id), &Value::Null).expect(204);
    let body = json!({ "email": "nora@example.org" });
    let changed = site.organise("PATCH", &format!("/api/judges/{}", mona.id), &body).expect(200);
    assert_eq!(changed.json()["email"], "nora@example.org");
    // An erasure by that address still finds both.
    site.place().done(&["person", "erase", "nora@example.org", "--yes"]);
    assert_eq!(site.place().sql::<i64>("select count(*) from judges where name in ('Mona', 'Nora')"), 0);
}

#[test]
fn a_judges_new_address_revokes_the_links_to_the_former_one() {
    let site = JudgingSite::with_nominations(1);
    let (mona, nora) = (site.judge("Mona"), site.judge("Nora"));
    assert_eq!(site.set_panel(&[&mona], &[]).status, 200);
    let change = |body: &Value| site.organise("PATCH", &format!("/api/judges/{}", mona.id), body);
    for (body, status, says) in [
        (json!({ "name": " " }), 422, "name"),
        (json!({ "publicName": "x".repeat(201) }), 422, "publicName"),
        (json!({ "email": "mona" }), 422, "email"),
        (json!({ "email": "NORA@example.org" }), 409, "already"),
        (json!({ "email": "artist-0@example.com" }), 409, "a judge cannot compete"),
    ] {
        let reply = change(&body);
        assert!(reply.status == status && reply.text().contains(says), "{body}: {}", reply.text());
    }
    let signed_in = |cookie: &str| {
        site.send("GET", "/api/judge/session", cookie, &Value::Null).json()["signedIn"] == true
    };
    assert_eq!(change(&json!({ "email": "MONA@example.org" })).status, 200);
    assert!(signed_in(&mona.cookie), "the same mailbox");
    let links = "select count(*) from judge_links where email = 'mona@example.org'";
    assert_eq!(site.place().sql::<i64>(links), 1);
    let changed =
        change(&json!({ "name": "Mona Sample", "publicName": "Mona S.", "email": "m@example.org" }));
    assert_eq!(
        (changed.status, &changed.json()["name"], &changed.json()["email"]),
        (200, &json!("Mona Sample"), &json!("m@example.org"))
    );
    assert!(!signed_in(&mona.cookie) && site.place().sql::<i64>(links) == 0);
    let cookie = site.sign_in("m@example.org");
    let mona = Judge { id: mona.id, cookie };
    assert_eq!(site.codes(&mona), [code(0)], "the work is as it was");
    assert_eq!(change(&json!({ "publicName": "" })).json()["publicName"], Value::Null);

    assert_eq!(change(&json!({ "name": "Mona", "email": "mona@example.org" })).status, 200);
    assert!(!signed_in(&mona.cookie));
    assert!(signed_in(&nora.cookie));
    // A judge's mailbox gets ten links a day, whoever asks.
    let links =
        "select count(*) from outbox where template = 'judge-link' and recipient = 'nora@example.org'";
    for count in 2..=12 {
        let again = site.organise("POST", &format!("/api/judges/{}/link", nora.id), &json!({}));
        assert_eq!(again.status, if count <= 10 { 202 } else { 409 }, "link {count}");
    }
    assert_eq!(site.place().sql::<i64>(links), 10);
}

#[test]
fn an_email_with_a_judge_link_says_why_it_was_sent() {
    let site = JudgingSite::with_nominations(0);
    let mona = site.judge("Mona");
    let text_of = |count: usize, recipient: &str| {
        let sql = format!(
            "select id from outbox where template = 'judge-link' and recipient = '{recipient}' order by id"
        );
        let id = wait_for("the email", || {
            let found = site.place().sql::<i64>(&format!("select count(*) from ({sql})"));
            (found >= i64::try_from(count).expect("a small number"))
                .then(|| site.place().sql::<i64>(&format!("{sql} limit 1 offset {}", count - 1)))
        });
        let mail = site.organise("GET", &format!("/api/outbox/{id}"), &Value::Null);
        mail.json()["text"].as_str().unwrap_or_else(|| panic!("{}", mail.text())).to_owned()
    };
    let ignorable = "If you did not ask for this email";
    let invited = "invited you to judge Lash & Brow Showcase";
    let first = text_of(1, "mona@example.org");
    assert!(first.contains(invited) && !first.contains(ignorable), "{first}");
    assert!(first.contains("because the organizer invited you as a judge"), "{first}");
    assert_eq!(site.organise("POST", &format!("/api/judges/{}/link", mona.id), &json!({})).status, 202);
    assert!(text_of(2, "mona@example.org").contains("sends you a new link"));
    site.portal.server.post("/api/judge/links", &json!({ "email": "mona@example.org" })).expect(202);
    let third = text_of(3, "mona@example.org");
    assert!(third.contains(ignorable) && !third.contains("invited you"), "{third}");
    assert!(third.contains("somebody entered your address on our page for judges"), "{third}");
    let change = json!({ "email": "m@example.org" });
    assert_eq!(site.organise("PATCH", &format!("/api/judges/{}", mona.id), &change).status, 200);
    let moved = text_of(1, "m@example.org");
    assert!(
        moved.contains("changed your email address to this one") && !moved.contains(ignorable),
        "{moved}"
    );
}

#[test]
fn two_devices_of_one_judge_see_the_same_sheet() {
    let (site, mona) = JudgingSite::with_judge(1);
    let token = site.token(&mona, &code(0));
    let tablet = Judge { id: mona.id, cookie: site.sign_in("mona@example.org") };
    assert_ne!(tablet.cookie, mona.cookie);
    let change = |id: &str, criterion: &str, points: u32| json!([{ "id": id, "criterion": criterion, "points": points }]);
    for (device, id, criterion, points) in [
        (&mona, "phone-1", "overall", 5),
        (&tablet, "tablet-1", "overall", 7),
        (&tablet, "tablet-2", "symmetry", 6),
        // The first one again, as a tab sends it that missed the answer.
        (&mona, "phone-1", "overall", 5),
    ] {
        assert_eq!(site.put(device, &token, &change(id, criterion, points)).status, 200, "{id}");
    }
    let seen = |judge: &Judge| site.sheet(judge, "GET", &token, "", &Value::Null).json()["scores"].clone();
    let expected =
        json!([{ "criterion": "overall", "points": 7.0 }, { "criterion": "symmetry", "points": 6.0 }]);
    assert_eq!((seen(&mona), seen(&tablet)), (expected.clone(), expected));
    // What a judge confirms is what this device has shown.
    let version =
        |judge: &Judge| site.sheet(judge, "GET", &token, "", &Value::Null).json()["version"].clone();
    let shown_on_the_phone = version(&mona);
    let confirm = |judge: &Judge, version: &Value| {
        site.sheet(judge, "POST", &token, "/confirm", &json!({ "version": version }))
    };
    assert_eq!(confirm(&mona, &json!("x")).status, 400);
    assert_eq!(confirm(&mona, &shown_on_the_phone).status, 422, "seven criteria have no points");
    site.score(&tablet, &code(0), 70);
    let reopen = || {
        let body = json!({ "category": "lash-extensions", "subCategory": "Volume", "judge": mona.id, "code": code(0), "reason": "A slip." });
        assert_eq!(site.send("POST", "/api/judge/reopen", &mona.cookie, &body).status, 200);
    };
    reopen();
    confirm(&mona, &shown_on_the_phone).expect_text(409, "another device");
    assert_eq!(confirm(&mona, &version(&mona)).json()["state"], "confirmed");
    assert_eq!(confirm(&mona, &shown_on_the_phone).json()["state"], "confirmed", "sent again");
    reopen();
    site.score(&tablet, &code(0), 80);
    assert_eq!(site.put(&mona, &token, &change("phone-2", "overall", 1)).status, 423, "confirmed elsewhere");
    assert_eq!(site.act("seal", &json!({})).status, 200);
}

#[test]
fn an_extension_of_one_nomination_does_not_open_the_others_to_new_relations() {
    for (extended, state) in [("state = 'open'", json!("requested")), ("state = 'withdrawn'", Value::Null)] {
        let site = JudgingSite::with_nominations(1);
        let mona = site.judge("Mona");
        site.name_as_head(&mona);
        let more = format!(
            "insert into nominations (created_at, entry_id, code, category, sub_category, extended_until)
                 select created_at, entry_id, 'XX-900', 'brows', 'Creative', '2026-01-01T00:00:00.000Z' from nominations;
             update nominations set {extended} where code = 'XX-900'"
        );
        site.place().execute(&more);
        let artist = site.portal.sign_in("artist-0@example.com");
        let items = json!({ "items": [{ "judge": "Head Judge", "kind": "works_for" }] });
        let told = site.send("PUT", "/api/artist/relations", &artist, &items).json();
        assert_eq!(told["items"][0]["state"], state, "{told}");
    }
}

#[test]
fn a_declaration_counts_at_once_for_each_sheet_that_the_judge_has_not_begun() {
    let site = JudgingSite::with_nominations(1);
    let [mona, nora] = ["Mona", "Nora"].map(|name| site.judge(name));
    site.name_as_head(&mona);
    let more = "insert into nominations (created_at, entry_id, code, category, sub_category, state)
         select created_at, entry_id, code_of || '-900', category_of, sub_of, 'ready' from nominations,
             (select 'BR' as code_of, 'brows' as category_of, 'Creative' as sub_of
              union all select 'MK', 'makeup', 'Natural Glam');
         insert into releases (nomination_id, key) select id, 'key-' || id from nominations where code like '%-900'";
    site.place().execute(more);
    let paths = [PATH, "/api/judging/brows/Creative", "/api/judging/makeup/Natural%20Glam"];
    let panel = json!({ "judges": [mona.id, nora.id], "head": mona.id, "reserves": [] });
    for path in paths {
        let set = site.organise("POST", &format!("{path}/panel"), &panel);
        assert_eq!(set.status, 200, "{path}: {}", set.text());
    }
    let change = json!([{ "id": "1", "criterion": "overall", "points": 5 }]);
    assert_eq!(site.put(&mona, &site.token(&mona, &code(0)), &change).status, 200);

    let artist = site.portal.sign_in("artist-0@example.com");
    let put = |items: Value| {
        let reply =
            site.send("PUT", "/api/artist/relations", &artist, &json!({ "items": items })).expect(200);
        reply.json()["items"][0].clone()
    };
    let relation = json!({ "judge": "Head Judge", "kind": "works_for" });
    let counts = || {
        paths.map(|path| {
            let detail = site.organise("GET", path, &Value::Null).json();
            ["conflicts", "requests"].map(|key| detail[key].as_array().expect("a list").len())
        })
    };
    assert_eq!(put(json!([relation]))["state"], "requested");
    assert_eq!(
        counts(),
        [[0, 1], [1, 0], [1, 0]],
        "only the sheet that was begun is the organiser's to decide"
    );
    assert_eq!((site.codes(&mona), site.codes(&nora).len()), (vec![code(0)], 3));

    // The rejection holds for the sheet that was begun, and for no other.
    assert_eq!(decide_request(&site, &mona, 0, false, "Left in 2019.").status, 200);
    assert_eq!(counts(), [[0, 0], [1, 0], [1, 0]]);
    let told = put(json!([relation]));
    assert_eq!(
        (&told["state"], &told["answer"], &told["rejectedFor"]),
        (&Value::Null, &json!("Left in 2019."), &json!([code(0)])),
        "sent again, it stays decided"
    );
    let listed = site.organise("GET", "/api/nominations", &Value::Null).json();
    let states: Vec<[&Value; 2]> = listed["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| [&one["code"], &one["relations"][0]["state"]])
        .collect();
    assert!(states.contains(&[&json!(code(0)), &json!("rejected")]), "{states:?}");
    assert!(states.contains(&[&json!("BR-900"), &Value::Null]), "{states:?}");
    // Another reason is another request.
    let related = json!({ "judge": "Head Judge", "kind": "related_to" });
    put(json!([relation, related]));
    assert_eq!(counts(), [[0, 1], [1, 0], [1, 0]]);
}
