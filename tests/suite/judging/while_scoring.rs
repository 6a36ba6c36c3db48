//! What changes while judges score: nominations, their photos, the panel, and conflicts.

use serde_json::{Value, json};

use super::judging_site::{JudgingSite, PATH, code};
use crate::support::open;

#[test]
fn points_of_a_nomination_that_may_be_ready_again_are_kept_for_later() {
    let site = JudgingSite::with_nominations(1);
    let [mona, nora] = ["Mona", "Nora"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[]).status, 200);
    let token = site.token(&mona, &code(0));
    let connection = open(&site.place().database());
    let set_state = |state: &str| {
        connection.execute("update nominations set state = ?", [state]).expect("a state");
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
    connection
        .execute_batch(
            "insert into judging_conflicts (judge_id, nomination_id, source, reason, created_at) values (1, 1, 'competitor', 'x', '')",
        )
        .expect("a conflict");
    assert_eq!(site.put(&mona, &token, &change).status, 404);
}

#[test]
fn saving_the_panel_keeps_the_sheets_that_reserves_still_need() {
    let site = JudgingSite::with_nominations(2);
    let [mona, nora, rita, sara] = ["Mona", "Nora", "Rita", "Sara"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    let conflict = json!({ "judge": nora.id, "code": code(0), "reason": "Her sister." });
    assert_eq!(site.organise("POST", &format!("{PATH}/conflicts"), &conflict).status, 200);
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
