//! A model may sign the release on paper: the competitor sends a photo of it, and the organiser confirms that.

use serde_json::{Value, json};

use crate::portal::portal_site::{Portal, photo, signed_release};
use crate::support::{Reply, text};

/// A competitor whose photos are all there, and the organiser.
struct Fixture {
    portal: Portal,
    artist: String,
    organiser: String,
}

impl Fixture {
    fn open() -> Fixture {
        let (portal, artist) = Portal::with_artist();
        portal.nomination(&artist);
        let organiser = portal.site.cookie();
        portal.upload_all(&artist);
        Fixture { portal, artist, organiser }
    }

    fn upload(&self, slot: &str) -> u16 {
        // A paper may be small.
        let file = if slot == "release" { photo(400, 300) } else { photo(700, 500) };
        self.portal.upload(&self.artist, 1, slot, &file).status
    }

    fn begin(&self, slot: &str) -> u16 {
        self.portal.begin(&self.artist, 1, slot, 100).status
    }

    /// The competitor's view.
    fn own(&self) -> Value {
        self.portal.nomination(&self.artist)
    }

    fn hand_in(&self) -> Reply {
        self.portal.hand_in(&self.artist)
    }

    fn remove_paper(&self) -> u16 {
        let id = self.own()["release"]["paper"]["media"]["id"].clone();
        self.portal.send("DELETE", &format!("media/{id}"), &self.artist, &Value::Null).status
    }

    fn sign_on_phone(&self) -> Reply {
        let key = self.own()["release"]["key"].as_str().expect("a key").to_owned();
        self.portal.server.post(&format!("/api/releases/{key}"), &signed_release())
    }

    /// A call of the organiser about the nomination.
    fn organise(&self, call: &str, body: &Value) -> Reply {
        let method = if body.is_null() { "GET" } else { "POST" };
        self.portal.server.call(&self.organiser, method, &format!("/api/nominations/1{call}"), body)
    }

    fn confirm(&self) -> Reply {
        self.organise("/confirm-release", &json!({ "name": "Mia Model", "adult": true }))
    }

    fn return_paper(&self) -> Reply {
        self.organise("/return", &json!({ "slots": ["release"], "reason": "Signed paper: It is cut off." }))
    }
}

#[test]
fn a_signed_paper_is_handed_in_confirmed_by_the_organiser_and_then_ready() {
    let fixture = Fixture::open();
    assert_eq!(fixture.own()["missing"], json!(["release"]));
    assert_eq!(fixture.confirm().status, 404, "there is no paper");
    for _ in 0..2 {
        assert_eq!(fixture.upload("release"), 204, "the second paper takes the place of the first");
    }
    let papers = "select count(*) from media where slot = 'release'";
    assert_eq!(fixture.portal.place.sql::<i64>(papers), 1);
    let own = fixture.own();
    assert_eq!((&own["missing"], &own["release"]["signed"]), (&json!([]), &json!(false)));
    assert!(own["slots"].as_array().expect("a list").iter().all(|slot| slot["key"] != "release"));
    assert_eq!(fixture.remove_paper(), 204);
    assert_eq!(fixture.own()["missing"], json!(["release"]));
    assert_eq!(fixture.upload("release"), 204);
    fixture.confirm().expect_text(409, "is not handed in");

    assert_eq!(fixture.hand_in().json()["state"], "handed_in");
    assert_eq!((fixture.begin("release"), fixture.remove_paper()), (423, 423));
    let paper = fixture.organise("/photos/release?size=thumbnail", &Value::Null);
    assert_eq!((paper.status, paper.header("content-type")), (200, "image/jpeg"));
    fixture.organise("/ready", &json!({})).expect_field("release");

    for (body, field) in [
        (json!({ "adult": true }), "name"),
        (json!({ "name": "Mia Model", "adult": false }), "guardian"),
        (json!({ "name": "Mia Model" }), "guardian"),
    ] {
        fixture.organise("/confirm-release", &body).expect_field(field);
    }
    let minor = json!({ "name": " Mia Model ", "adult": false, "guardian": "Gus Guardian" });
    let confirmed = fixture.organise("/confirm-release", &minor).expect(200);
    let release = &confirmed.json()["release"];
    assert_eq!((&release["signed"], &release["confirmedBy"]), (&json!(true), &json!("organiser")));
    assert_eq!(fixture.confirm().status, 200, "a second time changes nothing");
    let stored = "select name || '/' || adult || '/' || guardian || '/' || confirmed_by from releases";
    assert_eq!(fixture.portal.place.sql::<String>(stored), "Mia Model/0/Gus Guardian/organiser");
    let own = fixture.own();
    assert_eq!(own["release"]["signed"], json!(true));
    let link = format!("/api/releases/{}", own["release"]["key"].as_str().expect("a key"));
    let read = fixture.portal.server.get(&link, &[]).json();
    assert!(read["signed"] == true && read["text"].as_str().expect("a text").contains("I am the model"));
    let logged = "select count(*) from audit_log where action = 'nomination release confirmed'
         and detail not like '%Mia%'";
    assert_eq!(fixture.portal.place.sql::<i64>(logged), 1);
    let history = "select count(*) from reviews where note like 'Nomination % release confirmed'";
    assert_eq!(fixture.portal.place.sql::<i64>(history), 1);
    let csv = fixture
        .portal
        .server
        .get("/api/export/csv?kind=nominations", &[("cookie", &fixture.organiser)])
        .text();
    assert!(csv.trim_end().ends_with(",\"organiser\"") && csv.contains("\"releaseConfirmedBy\""), "{csv}");
    assert_eq!(fixture.organise("/ready", &json!({})).json()["state"], "ready");
}

#[test]
fn a_returned_paper_opens_nothing_else_and_takes_its_confirmation_back() {
    let fixture = Fixture::open();
    fixture.organise("/return", &json!({ "slots": ["release"], "reason": "None came." })).expect(422);
    assert_eq!(fixture.upload("release"), 204);
    assert_eq!(fixture.hand_in().status, 200);
    for is_confirmed in [false, true] {
        if is_confirmed {
            assert_eq!(fixture.confirm().status, 200);
        }
        let returned = fixture.return_paper();
        assert_eq!((returned.status, &returned.json()["state"]), (200, &json!("returned")));
        let own = fixture.own();
        assert_eq!((&own["missing"], &own["release"]["signed"]), (&json!(["release"]), &json!(false)));
        assert_eq!(own["reason"], "Signed paper: It is cut off.");
        assert_eq!((fixture.begin("release"), fixture.begin("left")), (201, 423));
        let errors = fixture.hand_in().json()["errors"].clone();
        assert_eq!(errors, json!({ "release": "The photo 'Signed paper' has to be replaced" }));
        assert_eq!(fixture.confirm().status, 409, "the paper may still be replaced");
        assert_eq!(fixture.upload("release"), 204);
        assert_eq!(fixture.hand_in().json()["state"], "handed_in");
    }
    let mail = fixture.portal.place.mail_text("cause like 'nomination-returned/1/%'");
    assert!(mail.contains("- Signed paper"), "{mail}");
    let name = "select count(name) from releases";
    assert_eq!(fixture.portal.place.sql::<i64>(name), 0, "what was read on the other paper is gone");
}

#[test]
fn a_signature_on_the_phone_takes_the_place_of_the_paper() {
    let fixture = Fixture::open();
    assert_eq!(fixture.upload("release"), 204);
    let upload = fixture.portal.begun(&fixture.artist, 1, "release", 100);
    assert_eq!(fixture.hand_in().status, 200);
    assert_eq!(fixture.sign_on_phone().status, 200);
    let release = fixture.own()["release"].clone();
    assert_eq!((&release["signed"], &release["paper"]["media"]), (&json!(true), &Value::Null));
    assert_eq!(fixture.confirm().status, 200, "there is nothing to confirm any more");
    let by = "select count(confirmed_by) from releases where signature = 'Mia Model'";
    assert_eq!(fixture.portal.place.sql::<i64>(by), 0);
    // The nomination may open again, but its release is settled.
    fixture.portal.place.execute("update nominations set state = 'open'");
    assert_eq!(fixture.own()["release"]["paper"]["open"], false, "the page offers what is taken");
    assert_eq!((fixture.begin("release"), fixture.begin("left")), (423, 201));
    assert_eq!(fixture.portal.append(&fixture.artist, &upload, 0, &[0; 100]).status, 423);
    assert_eq!(fixture.return_paper().status, 409, "it is open");
}

#[test]
fn a_release_that_was_signed_on_a_phone_can_be_read_and_asked_for_again() {
    let fixture = Fixture::open();
    let unsigned = fixture.organise("", &Value::Null).json()["release"].clone();
    assert_eq!((&unsigned["name"], &unsigned["adult"]), (&Value::Null, &Value::Null));
    assert_eq!(fixture.sign_on_phone().status, 200);
    assert_eq!(fixture.hand_in().status, 200);
    let read = fixture.organise("", &Value::Null).json()["release"].clone();
    assert_eq!(
        (&read["name"], &read["adult"], &read["guardian"]),
        (&json!("Mia Model"), &json!(true), &Value::Null)
    );
    let body = json!({ "slots": ["release"], "reason": "Model release: She is not of age." });
    assert_eq!(fixture.organise("/return", &body).expect(200).json()["release"]["signed"], false);
    let mail = fixture.portal.place.mail_text("cause like 'nomination-returned/1/%'");
    assert!(mail.contains("- Model release\n"), "{mail}");
    let errors = fixture.hand_in().expect(422).json()["errors"].clone();
    assert_eq!(errors, json!({ "release": "Your model has not signed the release yet" }));
    fixture.organise("/ready", &json!({})).expect_field("release");
    assert_eq!(fixture.sign_on_phone().status, 200);
    assert_eq!(fixture.hand_in().json()["state"], "handed_in");
}

#[test]
fn a_returned_paper_that_is_signed_on_the_phone_instead_can_be_handed_in() {
    let fixture = Fixture::open();
    assert_eq!(fixture.upload("release"), 204);
    assert_eq!(fixture.hand_in().status, 200);
    assert_eq!(fixture.return_paper().status, 200);
    assert_eq!(fixture.sign_on_phone().status, 200);
    let own = fixture.own();
    let slots = own["slots"].as_array().expect("a list").iter().chain([&own["release"]["paper"]]);
    assert!(slots.into_iter().all(|slot| slot["open"] == false), "nothing else was asked for: {own}");
    assert_eq!((&own["missing"], &own["canHandIn"]), (&json!([]), &json!(true)));
    assert_eq!(fixture.hand_in().json()["canHandIn"], false);
}

#[test]
fn a_paper_is_the_competitors_own_and_is_exported_and_erased_with_them() {
    let fixture = Fixture::open();
    fixture.portal.enter("bea@example.com");
    let bea = fixture.portal.sign_in("bea@example.com");
    assert_eq!(fixture.portal.begin(&bea, 1, "release", 100).status, 404, "somebody else's nomination");
    assert_eq!(fixture.upload("release"), 204);
    // The same as each photo of the first nomination.
    let other = fixture.portal.nomination(&bea)["id"].as_i64().expect("an id");
    assert_eq!(fixture.portal.upload(&bea, other, "release", &photo(700, 500)).status, 204);
    assert_eq!(fixture.portal.send("DELETE", "media/6", &bea, &Value::Null).status, 404);
    let slots = fixture.organise("", &Value::Null).json()["slots"].clone();
    for slot in slots.as_array().expect("a list") {
        assert_eq!(slot["media"]["alike"], json!([]), "a paper is not compared");
    }
    assert_eq!(fixture.portal.begin(&fixture.artist, 1, "release", 0).status, 422);
    assert_eq!(fixture.hand_in().status, 200);
    assert_eq!(fixture.confirm().status, 200);
    let exported = fixture.portal.place.run(&["person", "export", "ada@example.com"]);
    let exported = text(&exported.stdout);
    for part in ["\"slot\": \"release\"", "\"name\": \"Mia Model\"", "\"confirmedBy\": \"organiser\""] {
        assert!(exported.contains(part), "{part}: {exported}");
    }
    fixture.portal.place.done(&["person", "erase", "ada@example.com", "--yes"]);
    let left = "select (select count(*) from media where nomination_id = 1)
         + (select count(*) from releases where name is not null)";
    assert_eq!(fixture.portal.place.sql::<i64>(left), 0);
}

#[test]
fn a_paper_counts_as_the_release_in_the_daily_report_and_is_due_with_the_photos() {
    let fixture = Fixture::open();
    let report = || fixture.portal.place.done(&["report", "daily", "--print"]);
    assert!(report().contains("Missing most: the model's release (1)."), "{}", report());
    assert_eq!(fixture.upload("release"), 204);
    assert!(!report().contains("the model's release"), "{}", report());
    fixture.portal.place.execute("update nominations set extended_until = '2020-01-01T00:00:00.000Z'");
    assert_eq!((fixture.begin("release"), fixture.remove_paper()), (423, 423));
}
