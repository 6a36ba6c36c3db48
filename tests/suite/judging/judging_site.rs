//! A site with an open portal, nominations that are ready, judges that are signed in, and a panel.

use serde_json::{Value, json};
use showcase::store::portal::access::Audience;

use crate::portal::portal_site::{Portal, link_of_email};
use crate::support::{Place, Reply, column, wait_for};

/// The competition of the nominations.
pub const PATH: &str = "/api/judging/lash-extensions/Volume";

pub struct JudgingSite {
    pub portal: Portal,
    /// The organiser's cookie.
    pub organiser: String,
}

/// A signed-in judge who has accepted the terms.
pub struct Judge {
    pub id: i64,
    pub cookie: String,
}

impl JudgingSite {
    /// A site with so many ready nominations to Lash Extensions - Volume.
    pub fn with_nominations(count: usize) -> JudgingSite {
        JudgingSite::with(count, "")
    }

    /// As [`JudgingSite::with_nominations`], with one judge, who is the whole panel.
    pub fn with_judge(count: usize) -> (JudgingSite, Judge) {
        let site = JudgingSite::with_nominations(count);
        let mona = site.judge("Mona");
        site.set_panel(&[&mona], &[]).expect(200);
        (site, mona)
    }

    /// As [`JudgingSite::with_nominations`], with more lines in its configuration.
    pub fn with(count: usize, more: &str) -> JudgingSite {
        let portal = Portal::with(more);
        let organiser = portal.site.cookie();
        let site = JudgingSite { portal, organiser };
        for number in 0..count {
            site.enter(number);
        }
        site
    }

    /// A paid entry whose nomination is ready. Paying takes too long for twelve of them.
    pub fn enter(&self, number: usize) {
        let email = format!("artist-{number}@example.com");
        let name = format!("Artist Canary {number}");
        let phone = format!("+1 201-555-{:04}", 200 + number);
        let studio = format!("Canary Studio {number}");
        let entry_id = self.place().insert_entry(&[
            ("name", &name),
            ("email", &email),
            ("phone", &phone),
            ("business_name", &studio),
        ]);
        let sql = "insert into nominations (created_at, entry_id, code, category, sub_category, state)
             values ('2026-01-01T00:00:00.000Z', ?, ?, 'lash-extensions', 'Volume', 'ready')";
        self.place().execute_with(sql, (entry_id, code(number)));
        let sql = "insert into releases (nomination_id, key) select id, 'key-' || id from nominations where entry_id = ?";
        self.place().execute_with(sql, [entry_id]);
    }

    /// Another photo of the first nomination, which no judge has seen. A change by the organiser gives it out.
    pub fn add_photo(&self) {
        self.store_photo();
        assert_eq!(self.organise("POST", "/api/outbox/retry", &json!({})).status, 200);
    }

    pub fn store_photo(&self) {
        let sql = "insert into media (created_at, nomination_id, slot, width, height, bytes, sha256, thumbnail_bytes, thumbnail_sha256)
             values ('2026-01-01T00:00:00.000Z', 1, 'left', 1, 1, 1, 'x', 1, 'x')";
        self.place().execute(sql);
    }

    pub fn place(&self) -> &Place {
        &self.portal.place
    }

    /// A request with a cookie.
    pub fn send(&self, method: &str, path: &str, cookie: &str, body: &Value) -> Reply {
        self.portal.server.call(cookie, method, path, body)
    }

    /// A request of the organiser.
    pub fn organise(&self, method: &str, path: &str, body: &Value) -> Reply {
        self.send(method, path, &self.organiser, body)
    }

    /// A call of the organiser about the competition.
    pub fn act(&self, call: &str, body: &Value) -> Reply {
        self.organise("POST", &format!("{PATH}/{call}"), body)
    }

    /// The organiser's view of the competition.
    pub fn detail(&self) -> Value {
        let reply = self.organise("GET", PATH, &Value::Null).expect(200);
        reply.json()
    }

    /// Invites a judge, who signs in with the emailed link and accepts the terms.
    pub fn judge(&self, name: &str) -> Judge {
        let email = format!("{}@example.org", name.to_lowercase());
        let reply =
            self.organise("POST", "/api/judges", &json!({ "name": name, "email": email })).expect(201);
        let id = reply.json()["id"].as_i64().expect("an id");
        let cookie = self.sign_in(&email);
        let terms = self.send("GET", "/api/judge/terms", &cookie, &Value::Null).json();
        let accepted = json!({ "accepted": true, "version": terms["version"] });
        assert_eq!(self.send("POST", "/api/judge/terms", &cookie, &accepted).status, 200);
        Judge { id, cookie }
    }

    /// Signs a judge in with the newest email.
    pub fn sign_in(&self, email: &str) -> String {
        let link = wait_for("the email", || link_of_email(self.place(), Audience::Judges, email));
        let reply =
            self.portal.server.post("/api/judge/session", &json!({ "token": link.token })).expect(204);
        let cookie = reply.header("set-cookie");
        assert!(cookie.starts_with("showcase_judge="), "{cookie}");
        cookie.split(';').next().expect("a pair").to_owned()
    }

    /// Sets the panel: the first one is the head.
    pub fn set_panel(&self, judges: &[&Judge], reserves: &[&Judge]) -> Reply {
        let ids = |judges: &[&Judge]| judges.iter().map(|judge| judge.id).collect::<Vec<_>>();
        let body = json!({ "judges": ids(judges), "head": judges[0].id, "reserves": ids(reserves) });
        self.act("panel", &body)
    }

    /// A judge's items of work.
    pub fn work(&self, judge: &Judge) -> Vec<Value> {
        let reply = self.send("GET", "/api/judge/work", &judge.cookie, &Value::Null).expect(200);
        reply.json()["items"].as_array().expect("a list").clone()
    }

    /// The codes of a judge's items of work, in order.
    pub fn codes(&self, judge: &Judge) -> Vec<String> {
        let codes = column(&self.work(judge).into(), "code").into_iter();
        let mut codes: Vec<String> = codes.map(|code| code.as_str().expect("a code").to_owned()).collect();
        codes.sort();
        codes
    }

    /// Lets the site name a judge as its content does.
    pub fn name_as_head(&self, judge: &Judge) {
        let body = json!({ "publicName": "Head Judge" });
        self.organise("PATCH", &format!("/api/judges/{}", judge.id), &body).expect(200);
    }

    /// The token of a judge's sheet for a code.
    pub fn token(&self, judge: &Judge, code: &str) -> String {
        let items = self.work(judge);
        let item =
            items.iter().find(|item| item["code"] == code).unwrap_or_else(|| panic!("{code}: {items:?}"));
        item["token"].as_str().expect("a token").to_owned()
    }

    /// A call about a sheet.
    pub fn sheet(&self, judge: &Judge, method: &str, token: &str, call: &str, body: &Value) -> Reply {
        self.send(method, &format!("/api/judge/sheets/{token}{call}"), &judge.cookie, body)
    }

    /// Saves changes.
    pub fn put(&self, judge: &Judge, token: &str, changes: &Value) -> Reply {
        self.sheet(judge, "PUT", token, "/scores", &json!({ "changes": changes }))
    }

    /// Gives a sheet this total, and confirms it.
    pub fn score(&self, judge: &Judge, code: &str, total: u64) {
        let token = self.token(judge, code);
        let sheet = self.sheet(judge, "GET", &token, "", &Value::Null).json();
        let mut left = total;
        let changes: Vec<Value> = sheet["criteria"]
            .as_array()
            .expect("criteria")
            .iter()
            .map(|criterion| {
                let points = left.min(criterion["max"].as_u64().expect("a number"));
                left -= points;
                json!({ "id": format!("{token}-{}-{total}", criterion["key"]), "criterion": criterion["key"], "points": points })
            })
            .collect();
        assert_eq!(left, 0, "{total} points");
        self.put(judge, &token, &json!(changes)).expect(200);
        assert_eq!(
            self.sheet(judge, "POST", &token, "/confirm", &json!({})).expect(200).json()["state"],
            "confirmed"
        );
    }
}

/// The code of a nomination.
pub fn code(number: usize) -> String {
    format!("LE-{}", 101 + number)
}
