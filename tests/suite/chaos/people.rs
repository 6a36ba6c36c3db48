//! What people and programs do at the site, each until it has succeeded.

use serde_json::json;
use showcase::model::Kind;

use super::plan::{Payer, Task};
use super::world::{Registered, World};
use crate::portal::portal_site::{self, CHUNK, artist_link, photo};
use crate::support::paid_site::{PRICE, entry, intent_of};
use crate::support::samples::{path, whole};
use crate::support::text;

pub fn perform(world: &World, task: &Task) {
    match task {
        Task::Register { kind, email, with_key } => register(world, *kind, email, *with_key),
        Task::Enter { email, payer } => enter(world, email, *payer),
        Task::Upload { email } => {
            enter(world, email, Payer::Stays);
            upload(world, email);
        }
        Task::Import { number } => import(world, *number),
        Task::RollBack => {
            let _shared = world.changes.read().expect("a lock");
            // It fails if no revision is older, or when the disk is full.
            world.run_command(&["content", "rollback"], "");
        }
        Task::BackUp { name } => back_up(world, name),
        Task::SendEvents { reverse, times } => {
            let order = if *reverse { "reverse" } else { "made" };
            world.stripe.control("release", &json!({ "order": order, "times": times }));
        }
    }
}

fn register(world: &World, kind: Kind, email: &str, with_key: bool) {
    let mut form = whole(kind);
    form["email"] = email.into();
    world.ledger.lock().expect("a lock").attempted.push((kind, email.to_owned(), with_key));
    let reply = if with_key {
        Some(world.post(&path(kind), email, &form))
    } else {
        let headers = [("content-type", "application/json")];
        world.send_once("POST", &path(kind), &headers, form.to_string().as_bytes())
    };
    let Some(reply) = reply.filter(|reply| with_key || reply.status != 503) else { return };
    assert_eq!(reply.status, 201, "{}", reply.text());
    let id = reply.json()["id"].as_i64().expect("an id");
    world.ledger.lock().expect("a lock").registered.push(Registered { kind, id, email: email.to_owned() });
}

fn enter(world: &World, email: &str, payer: Payer) {
    let mut form = entry(email);
    let asked = json!({ "amount": PRICE, "competitionData": {}, "entry": form });
    let intent = intent_of(&world.post("/api/create-competition-payment-intent", email, &asked));
    if matches!(payer, Payer::NeverPays) {
        return;
    }
    if matches!(payer, Payer::IsDeclinedFirst) && !pay(world, &intent, "decline") {
        return;
    }
    if !pay(world, &intent, "succeed") || matches!(payer, Payer::Leaves) {
        return;
    }
    form["paymentAmount"] = PRICE.into();
    form["stripePaymentIntentId"] = intent.into();
    let saved = world.post("/api/competition-entries", email, &form);
    assert_eq!((saved.status, &saved.json()["paymentStatus"]), (201, &json!("paid")), "{}", saved.text());
    world.ledger.lock().expect("a lock").paid.push(email.to_owned());
}

/// Whether the card could be tried: an entry that nobody paid within a day is ended, and with it its payment.
fn pay(world: &World, intent: &str, outcome: &str) -> bool {
    let body = json!({ "payment_intent": intent, "outcome": outcome });
    let is_open = world.stripe.try_control("pay", &body).is_ok();
    if !is_open {
        let intents = world.stripe.objects("intents");
        let found = intents.iter().find(|one| one["id"] == intent).expect("the intent");
        assert_eq!(found["status"], "canceled", "{found}");
    }
    is_open
}

/// Signs in to the Artist Portal. A link is queued after the answer, so a kill may lose it: then another one is asked for.
fn sign_in(world: &World, email: &str) -> String {
    loop {
        let asked = world.post("/api/artist/links", "", &json!({ "email": email }));
        assert_eq!(asked.status, 202, "{}", asked.text());
        for _ in 0..100 {
            if let Some(token) = token_of_link(world, email) {
                let reply = world.post("/api/artist/session", "", &json!({ "token": token }));
                assert_eq!(reply.status, 204, "{}", reply.text());
                return reply.header("set-cookie").split(';').next().expect("a pair").to_owned();
            }
            world.wait_before_retry("the email with the link");
        }
    }
}

/// The token in the newest sign-in email. While that email still waits for the mail server, a new link like it, because
/// the database stores no token.
fn token_of_link(world: &World, email: &str) -> Option<String> {
    let token = |text: String| {
        let (_, rest) = text.split_once("/artist-portal#")?;
        let end =
            rest.find(|character: char| !character.is_ascii_alphanumeric() && !"-_".contains(character));
        Some(rest[..end.unwrap_or(rest.len())].to_owned())
    };
    let new_token = || Some(artist_link(&world.place, email)?.token);
    world.mail.last_to(email).and_then(token).or_else(new_token)
}

fn upload(world: &World, email: &str) {
    let file = photo(900, 700);
    loop {
        match upload_once(world, email, &file) {
            Upload::Stored => break world.ledger.lock().expect("a lock").uploaded.push(email.to_owned()),
            Upload::Refused => break,
            Upload::Ended => world.wait_before_retry("the upload"),
        }
    }
}

enum Upload {
    Stored,
    /// The content that was published meanwhile has a closed portal.
    Refused,
    /// The session or the upload has ended meanwhile.
    Ended,
}

/// Uploads the photo from its beginning.
fn upload_once(world: &World, email: &str, file: &[u8]) -> Upload {
    let cookie = sign_in(world, email);
    let nominations = world.send("GET", "/api/artist/nominations", &[("cookie", &cookie)], b"");
    let Some(nomination) = nominations.json()["items"][0]["id"].as_i64() else {
        return Upload::Ended;
    };
    let metadata = portal_site::upload_metadata(nomination, "left");
    let length = file.len().to_string();
    let headers = [
        ("cookie", cookie.as_str()),
        ("tus-resumable", "1.0.0"),
        ("upload-length", length.as_str()),
        ("upload-metadata", metadata.as_str()),
    ];
    let begun = world.send("POST", "/api/artist/uploads", &headers, b"");
    if begun.status != 201 {
        return if begun.status == 423 { Upload::Refused } else { Upload::Ended };
    }
    let upload = begun.header("location").to_owned();
    let mut offset = 0;
    while offset < file.len() {
        let end = file.len().min(offset + CHUNK);
        let at = offset.to_string();
        let headers = [
            ("cookie", cookie.as_str()),
            ("tus-resumable", "1.0.0"),
            ("content-type", "application/offset+octet-stream"),
            ("upload-offset", at.as_str()),
        ];
        let sent = world.send_once("PATCH", &upload, &headers, &file[offset..end]);
        match sent.map(|reply| reply.status) {
            Some(204) => {
                offset = end;
                continue;
            }
            Some(423) => return Upload::Refused,
            _ => {}
        }
        world.wait_before_retry("a chunk");
        let state = world.send("HEAD", &upload, &[("cookie", &cookie)], b"");
        if state.status != 200 {
            return Upload::Ended;
        }
        offset = state.header("upload-offset").parse().expect("a number");
    }
    Upload::Stored
}

fn import(world: &World, number: usize) {
    let title = format!("Edition {number} of the Showcase");
    let toml = portal_site::content().replace("Lash & Brow Showcase", &title);
    let _shared = world.changes.read().expect("a lock");
    let done = world.run_command(&["content", "import", "-"], &toml);
    if done.status.success() {
        let revision = text(&done.stdout).trim().parse().expect("a revision");
        world.ledger.lock().expect("a lock").imported.push((revision, number));
    }
}

fn back_up(world: &World, name: &str) {
    let before = world.ledger.lock().expect("a lock").registered.len();
    let done = world.run_command(&["backup", name], "");
    if done.status.success() {
        world.ledger.lock().expect("a lock").backups.push((name.to_owned(), before));
    } else {
        assert!(!world.place.path(name).exists(), "a failed backup has left {name}");
    }
}
