//! What changes while judges score: nominations, their photos, the panel, and conflicts.

use serde_json::{Value, json};

use super::judging_site::{JudgingSite, code};
use crate::support::{column, rows};

#[test]
fn points_of_a_nomination_that_may_be_ready_again_are_kept_for_later() {
    let site = JudgingSite::with_nominations(1);
    let [mona, nora] = ["Mona", "Nora"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[]).status, 200);
    let token = site.token(&mona, &code(0));
    let set_state = |state: &str| {
        site.place().execute_with("update nominations set state = ?", [state]);
    };
    let change = json!([{ "id": "offline", "criterion": "overall", "points": 7 }]);
    for (state, status) in [
        ("open", 409),
        ("handed_in", 409),
        ("returned", 409),
        ("withdrawn", 409),
        ("forfeited", 409),
        ("disqualified", 404),
    ] {
        set_state(state);
        for refused in [site.put(&mona, &token, &change), site.sheet(&mona, "GET", &token, "", &Value::Null)]
        {
            let is_kept = refused.json()["code"] == "not_being_judged";
            assert_eq!((refused.status, is_kept), (status, status == 409), "{state}: {}", refused.text());
            assert!(!refused.text().contains(state), "{}", refused.text());
        }
        assert_eq!(site.put(&nora, &token, &change).status, 404, "another judge's sheet");
    }
    set_state("ready");
    assert_eq!(site.put(&mona, &token, &change).status, 200);
    // A sheet that a conflict has closed is not distinguishable from one that never was.
    set_state("returned");
    site.place().execute(
        "insert into judging_conflicts (judge_id, nomination_id, source, reason, created_at) values (1, 1, 'competitor', 'x', '')",
    );
    assert_eq!(site.put(&mona, &token, &change).status, 404);
}

#[test]
fn saving_the_panel_keeps_the_sheets_that_reserves_still_need() {
    let site = JudgingSite::with_nominations(2);
    let [mona, nora, rita, sara] = ["Mona", "Nora", "Rita", "Sara"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    let conflict = json!({ "judge": nora.id, "code": code(0), "reason": "Her sister." });
    assert_eq!(site.act("conflicts", &conflict).status, 200);
    let token = site.token(&rita, &code(0));
    assert_eq!(site.set_panel(&[&mona, &nora], &[&sara, &rita]).status, 200);
    assert_eq!((site.token(&rita, &code(0)), site.work(&sara).len()), (token.clone(), 0));
    // As a judge she keeps it too, and another reserve steps in.
    assert_eq!(site.set_panel(&[&mona, &nora, &rita], &[&sara]).status, 200);
    assert_eq!((site.token(&rita, &code(0)), site.work(&rita).len()), (token, 2));
    assert_eq!((site.work(&sara).len(), site.work(&nora).len()), (1, 1));
    // Nobody needs it when the judge has left the panel.
    assert_eq!(site.set_panel(&[&mona, &rita], &[&sara]).status, 200);
    assert_eq!((site.work(&sara).len(), site.work(&rita).len()), (0, 2));
}

#[test]
fn a_judge_who_is_removed_leaves_no_sheets_to_reserves() {
    let site = JudgingSite::with_nominations(2);
    let [mona, nora, rita] = ["Mona", "Nora", "Rita"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    let conflict = json!({ "judge": nora.id, "code": code(0), "reason": "Her sister." });
    assert_eq!(site.act("conflicts", &conflict).status, 200);
    assert_eq!(site.codes(&rita), [code(0)]);
    site.organise("DELETE", &format!("/api/judges/{}", nora.id), &Value::Null).expect(204);
    assert_eq!(site.work(&rita), [""; 0]);
}

#[test]
fn whom_a_judge_has_named_stays_hidden_when_the_judge_leaves_the_panel() {
    let site = JudgingSite::with_nominations(2);
    let [mona, nora] = ["Mona", "Nora"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[]).status, 200);
    let token = site.token(&nora, &code(0));
    let names = site.send("GET", "/api/judge/conflicts", &nora.cookie, &Value::Null).json();
    let people = names["categories"][0]["people"].as_array().expect("people").clone();
    let known = people.iter().find(|person| person["name"] == "Artist Canary 0").expect("a person");
    let body = json!({ "tokens": [known["token"]], "reason": "I trained her." });
    assert_eq!(site.send("POST", "/api/judge/conflicts", &nora.cookie, &body).status, 200);
    site.set_panel(&[&mona], &[]).expect(200);
    assert_eq!(site.work(&nora), [""; 0]);
    assert_eq!(site.sheet(&nora, "GET", &token, "", &Value::Null).status, 404);
}

#[test]
fn a_sheet_does_not_count_once_a_conflict_is_found() {
    let site = JudgingSite::with_nominations(2);
    let [mona, nora, rita] = ["Mona", "Nora", "Rita"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    let comment = json!([{ "id": "comment", "comment": "Comment of a friend." }]);
    assert_eq!(site.put(&nora, &site.token(&nora, &code(0)), &comment).status, 200);
    for number in 0..2 {
        site.score(&mona, &code(number), 90);
        site.score(&nora, &code(number), 60);
    }
    assert_eq!(site.detail()["blockers"], json!([]));
    // Nora has the phone of the first entrant.
    let body = json!({ "phone": "+1 201-555-0200" });
    assert_eq!(site.organise("PATCH", &format!("/api/judges/{}", nora.id), &body).status, 200);
    let blockers = site.detail()["blockers"].to_string();
    assert!(blockers.contains("Rita has not confirmed LE-101"), "{blockers}");
    site.score(&rita, &code(0), 80);
    let post = |call: &str| site.act(call, &json!({}));
    let sealed = post("seal").json();
    assert_eq!(
        column(&sealed["results"], "points"),
        ["85.00", "75.00"],
        "Mona's and Rita's, then Mona's and Nora's"
    );
    assert_eq!(post("publish").status, 200);
    let artist = site.portal.sign_in("artist-0@example.com");
    assert_eq!(
        site.send("GET", "/api/artist/nominations/1/score-sheet", &artist, &Value::Null).expect(200).json()["comments"],
        json!([])
    );
}

#[test]
fn nobody_waits_for_the_second_look_of_a_judge_with_a_conflict() {
    let site = JudgingSite::with_nominations(1);
    let [mona, nora] = ["Mona", "Nora"].map(|name| site.judge(name));
    site.set_panel(&[&mona, &nora], &[]).expect(200);
    site.score(&mona, &code(0), 90);
    site.score(&nora, &code(0), 60);
    let named = json!({ "judge": nora.id, "code": code(0) });
    site.act("second-looks", &named).expect(200);
    // Nora has the phone of the entrant.
    let body = json!({ "phone": "+1 201-555-0200" });
    site.organise("PATCH", &format!("/api/judges/{}", nora.id), &body).expect(200);
    assert_eq!(site.detail()["blockers"], json!([]));
    site.act("second-looks/cancel", &named).expect(200);
    site.act("second-looks", &named).expect_text(409, "This judge has a conflict with LE-101");
    site.act("seal", &json!({})).expect(200);
    assert_eq!(column(&site.detail()["results"], "points"), ["90.00"]);
}

#[test]
fn a_photo_that_is_replaced_ends_a_second_look() {
    let (site, mona) = JudgingSite::with_judge(1);
    site.score(&mona, &code(0), 90);
    let named = json!({ "judge": mona.id, "code": code(0), "reason": "Her sister." });
    let post = |call: &str| site.act(call, &named);
    assert_eq!(post("second-looks").status, 200);
    post("conflicts").expect_text(409, "Take the second look back first");
    site.add_photo();
    assert_eq!(site.work(&mona)[0]["state"], "saved");
    assert_eq!(site.detail()["secondLooks"], json!([]));
    assert_eq!(post("second-looks/cancel").status, 409, "the judge has not seen the new photo");
}

#[test]
fn neither_ties_nor_conflicts_show_before_they_should() {
    let site = JudgingSite::with_nominations(2);
    let [mona, nora, olga] = ["Mona", "Nora", "Olga"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora, &olga], &[]).status, 200);
    let token = site.token(&olga, &code(0));
    site.sheet(&olga, "POST", &token, "/recuse", &json!({ "reason": "I trained her." })).expect(200);
    for number in 0..2 {
        site.score(&mona, &code(number), 80);
    }
    site.score(&nora, &code(0), 80);
    let panel = || site.send("GET", "/api/judge/panel", &mona.cookie, &Value::Null).json();
    let expected = json!([["Mona", code(0)], ["Nora", code(0)], ["Mona", code(1)]]);
    assert_eq!(rows(&panel()["categories"][0]["sheets"], &["name", "code"]), expected);
    // Without a conflict the points are equal from here on, but the places are not final.
    let removed = json!({ "judge": olga.id, "code": code(0), "reason": "Another person." });
    assert_eq!(site.act("conflicts/remove", &removed).status, 200);
    site.score(&nora, &code(1), 80);
    assert_eq!(site.detail()["ties"], json!([]));
    for number in 0..2 {
        site.score(&olga, &code(number), 80);
    }
    assert_eq!(site.detail()["ties"], json!([{ "codes": [code(0), code(1)], "place": 1 }]));
}
