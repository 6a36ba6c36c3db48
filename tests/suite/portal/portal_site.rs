//! A paid site with an open portal and competitors that sign in to it.

use std::ops::{Deref, DerefMut};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use showcase::store::portal::access::{self, Audience};

use crate::support::content::{edited, import};
use crate::support::paid_site::PaidSite;
use crate::support::{Place, Reply, wait_for};

/// As large as a chunk may be.
pub const CHUNK: usize = 1 << 20;

/// A server with a portal that is open until the event, which lies in the future.
pub struct Portal {
    pub site: PaidSite,
}

impl Deref for Portal {
    type Target = PaidSite;

    fn deref(&self) -> &PaidSite {
        &self.site
    }
}

impl DerefMut for Portal {
    fn deref_mut(&mut self) -> &mut PaidSite {
        &mut self.site
    }
}

/// What an email to a competitor has.
pub struct Link {
    pub token: String,
    pub code: String,
}

/// The default content with the event, and the portal's deadline before it, years ahead.
pub fn content() -> String {
    edited(&[("2026", "2056")])
}

impl Portal {
    pub fn open() -> Portal {
        Portal::with("")
    }

    /// As [`Portal::open`], with more lines in its configuration.
    pub fn with(more: &str) -> Portal {
        Portal { site: PaidSite::with_content(more, &content()) }
    }

    /// An open portal with one paid entry, and the cookie of its competitor, who is signed in.
    pub fn with_artist() -> (Portal, String) {
        let portal = Portal::open();
        portal.enter("ada@example.com");
        let cookie = portal.sign_in("ada@example.com");
        (portal, cookie)
    }

    /// Lets the content allow a video, and waits until this competitor's nomination asks for one.
    pub fn allow_videos(&self, cookie: &str) {
        import(&self.place, &content().replace("\nvideo = false", "\nvideo = true"));
        wait_for("the slot of the video", || self.slot(cookie, "video").is_object().then_some(()));
    }

    /// A slot of the competitor's first nomination; null if there is none.
    pub fn slot(&self, cookie: &str, key: &str) -> Value {
        let slots = self.nomination(cookie)["slots"].take();
        slots.as_array().expect("a list").iter().find(|slot| slot["key"] == key).cloned().unwrap_or_default()
    }

    /// A paid entry; its id.
    pub fn enter(&self, email: &str) -> i64 {
        self.buy(email).0
    }

    /// Asks for a link and waits for its email.
    pub fn ask_for_link(&self, email: &str) -> Link {
        let count = || {
            let sql = "select count(*) from outbox where template = 'artist-link'";
            self.place.sql::<i64>(sql)
        };
        let before = count();
        self.server.post("/api/artist/links", &json!({ "email": email })).expect(202);
        wait_for("the email", || (count() > before).then_some(()));
        artist_link(&self.place, email).expect("an email")
    }

    pub fn sign_in_with(&self, body: &Value) -> String {
        let reply = self.server.post("/api/artist/session", body).expect(204);
        let cookie = reply.header("set-cookie");
        assert!(
            cookie.starts_with("showcase_artist=") && cookie.contains("; HttpOnly; SameSite=Strict"),
            "{cookie}"
        );
        cookie.split(';').next().expect("a pair").to_owned()
    }

    /// The cookie of a signed-in competitor.
    pub fn sign_in(&self, email: &str) -> String {
        self.sign_in_with(&json!({ "token": self.ask_for_link(email).token }))
    }

    /// A request of a signed-in competitor.
    pub fn send(&self, method: &str, path: &str, cookie: &str, body: &Value) -> Reply {
        self.server.call(cookie, method, &format!("/api/artist/{path}"), body)
    }

    /// Begins an upload.
    pub fn begin(&self, cookie: &str, nomination: i64, slot: &str, length: usize) -> Reply {
        let (length, metadata) = (length.to_string(), upload_metadata(nomination, slot));
        let headers = [
            ("cookie", cookie),
            ("tus-resumable", "1.0.0"),
            ("upload-length", length.as_str()),
            ("upload-metadata", metadata.as_str()),
        ];
        self.server.send("POST", "/api/artist/uploads", &headers, "")
    }

    /// Where an upload goes.
    pub fn begun(&self, cookie: &str, nomination: i64, slot: &str, length: usize) -> String {
        let reply = self.begin(cookie, nomination, slot, length).expect(201);
        reply.header("location").to_owned()
    }

    pub fn append(&self, cookie: &str, upload: &str, offset: usize, chunk: &[u8]) -> Reply {
        let offset = offset.to_string();
        let headers = [
            ("cookie", cookie),
            ("tus-resumable", "1.0.0"),
            ("content-type", "application/offset+octet-stream"),
            ("upload-offset", offset.as_str()),
        ];
        self.server.send_bytes("PATCH", upload, &headers, chunk)
    }

    /// Where an upload continues.
    pub fn offset(&self, cookie: &str, upload: &str) -> usize {
        let reply = self.server.send("HEAD", upload, &[("cookie", cookie)], "").expect(200);
        reply.header("upload-offset").parse().expect("a number")
    }

    /// Uploads a whole file. Returns the answer to its last chunk, or to the first one that is refused.
    pub fn upload(&self, cookie: &str, nomination: i64, slot: &str, file: &[u8]) -> Reply {
        let upload = self.begun(cookie, nomination, slot, file.len());
        let mut last = None;
        for (number, chunk) in file.chunks(CHUNK).enumerate() {
            let reply = self.append(cookie, &upload, number * CHUNK, chunk);
            if reply.status != 204 {
                return reply;
            }
            last = Some(reply);
        }
        last.expect("a chunk")
    }

    /// Uploads the required photos of the first nomination.
    pub fn upload_all(&self, cookie: &str) {
        let file = photo(700, 500);
        for slot in ["open_front", "closed_above", "left", "right", "close_up"] {
            self.upload(cookie, 1, slot, &file).expect(204);
        }
    }

    /// Hands the first nomination in with every tick.
    pub fn hand_in(&self, cookie: &str) -> Reply {
        self.send("POST", "nominations/1/hand-in", cookie, &json!({ "ticks": ticks() }))
    }

    /// The competitor's first nomination.
    pub fn nomination(&self, cookie: &str) -> Value {
        self.send("GET", "nominations", cookie, &Value::Null).json()["items"][0].clone()
    }

    pub fn is_signed_in(&self, cookie: &str) -> bool {
        let reply = self.server.get("/api/artist/session", &[("cookie", cookie)]).expect(200);
        reply.json()["signedIn"] == true
    }
}

/// Every tick.
pub fn ticks() -> Value {
    json!({ "own_work": true, "no_filter": true, "no_name": true, "not_posted": true })
}

/// What a model of age sends.
pub fn signed_release() -> Value {
    json!({ "name": "Mia Model", "adult": true, "signature": "Mia Model", "accepted": true, "version": "2025-10-01" })
}

/// The header `Upload-Metadata`.
pub fn upload_metadata(nomination: i64, slot: &str) -> String {
    let pair = |key: &str, value: &str| format!("{key} {}", STANDARD.encode(value));
    [pair("nomination", &nomination.to_string()), pair("slot", slot), pair("filename", "ada-canary.jpg")]
        .join(",")
}

/// A photo that takes some 2 MB for a megapixel, as no two of its pixels are alike.
pub fn photo(width: u32, height: u32) -> Vec<u8> {
    let mut state = 7_u32;
    let pixels = image::RgbImage::from_fn(width, height, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Rgb([(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8])
    });
    let mut bytes = Vec::new();
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 95).encode_image(&pixels).expect("a JPEG");
    bytes
}

/// Makes the link and the code of the newest email to an address, as the sender does when an email leaves: they are never stored.
/// Without a mail server none leaves.
pub fn artist_link(place: &Place, email: &str) -> Option<Link> {
    link_of_email(place, Audience::Competitors, email)
}

/// As [`artist_link`], for judges too.
pub fn link_of_email(place: &Place, audience: Audience, email: &str) -> Option<Link> {
    let template = if audience == Audience::Judges { "judge-link" } else { "artist-link" };
    let sql = "select recipient, created_at from outbox where template = ? and recipient = ? collate nocase
         order by id desc limit 1";
    let connection = rusqlite::Connection::open(place.database()).ok()?;
    let email = connection.query_row(sql, [template, email], |row| Ok((row.get(0)?, row.get(1)?)));
    let (email, at): (String, String) = email.ok()?;
    let link = access::new_link(&connection, audience, &email, &at).ok()?;
    Some(Link { token: link.token, code: link.code })
}
