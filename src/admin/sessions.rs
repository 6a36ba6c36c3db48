//! Signing in and staying signed in. A session ends after `admin.session_hours` without use, `admin.session_days`
//! after it began, at sign-out, and when the password changes; a token from then on opens nothing.

use std::net::IpAddr;

use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, Mac};
use rusqlite::Connection;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::admin::password::{self, SHARED};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::ops::memory;
use crate::store::sessions;
use crate::store::{accounts, audit, known_addresses, settings};
use crate::time;

/// The last use is noted this often, so that reading pages does not write each time.
const NOTED_EVERY: TimeDelta = TimeDelta::minutes(1);

/// What a wrong name or password is called in the audit log.
pub const REFUSED: &str = "sign-ins refused";
/// One line counts those of so long, so that a crowd of them does not fill the log.
const REFUSED_IN_A_LINE: TimeDelta = TimeDelta::hours(1);

/// What changes who may sign in needs a password that was given this recently.
const CONFIRMED_FOR: TimeDelta = TimeDelta::minutes(10);

/// An address or a browser is known for this long after somebody has signed in with it.
pub const KNOWN_FOR: TimeDelta = TimeDelta::days(90);

/// The longest description of a browser that is kept.
const LONGEST_AGENT: usize = 300;

/// A signed-in organiser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Tells one session from another, and opens nothing.
    pub id: String,
    pub username: String,
    /// When the session ends, unless it is used before and is not too old then.
    pub expires_at: DateTime<Utc>,
    /// When the password was last given in this session.
    pub confirmed_at: DateTime<Utc>,
}

impl Session {
    pub fn actor(&self) -> Actor {
        Actor::of(&self.username)
    }

    /// The session, if its password was given recently.
    ///
    /// # Errors
    /// [`Error::PasswordRequired`] when [`confirm`] must be called first.
    pub fn require_confirmed(self) -> Result<Session> {
        if self.confirmed_at < time::now() - CONFIRMED_FOR {
            return Err(Error::PasswordRequired);
        }
        Ok(self)
    }
}

/// What somebody sends to sign in.
pub struct SignIn {
    /// A named account; without one the shared password is meant.
    pub username: Option<String>,
    pub password: String,
    pub user_agent: Option<String>,
    /// An IPv4 address, or the first address of an IPv6 /64.
    pub address: IpAddr,
    /// The token of the browser's cookie, where [`known_browser`] knows it.
    pub browser: Option<String>,
}

/// What the browser keeps in cookies.
pub struct SignedIn {
    /// Opens the session.
    pub token: String,
    /// Only tells the browser from others, until it has not signed in for [`KNOWN_FOR`].
    pub browser: String,
}

/// A session as it is listed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    pub id: String,
    pub username: String,
    pub created_at: String,
    pub last_seen_at: String,
    pub user_agent: Option<String>,
}

/// Checks the password and begins a session.
///
/// # Errors
/// [`Error::Unauthorised`] for a wrong name or password; the answer does not tell which.
pub fn sign_in(app: &App, sign_in: SignIn) -> Result<SignedIn> {
    let SignIn { username, password, user_agent, address, browser } = sign_in;
    password::end_sessions_of_another(app)?;
    let Some(username) = check_password(app, username.as_deref(), &password)? else {
        return Err(Error::Unauthorised("Invalid admin password. Please try again.".into()));
    };
    let user_agent = user_agent.map(|agent| agent.chars().take(LONGEST_AGENT).collect::<String>());
    let token = token();
    let (token_hash, now) = (hash(&token), time::stored(time::now()));
    let browser = browser.unwrap_or_else(self::token);
    let browser_text = browser_text(&browser);
    app.store.write(move |connection| {
        sessions::insert(connection, &token_hash, &username, user_agent.as_deref(), &now)?;
        let key = address_key(connection, &now)?;
        for text in [address.to_string(), browser_text] {
            known_addresses::insert(connection, &keyed_hash(&key, &text), &now)?;
        }
        let line = audit::Line { actor: &Actor::of(&username), action: "signed in", subject: None };
        audit::insert(connection, &now, &line)
    })?;
    Ok(SignedIn { token, browser })
}

/// Gives the password of a session again, for [`Session::require_confirmed`].
///
/// # Errors
/// [`Error::Invalid`] on `password` when it is not the one of who is signed in; [`Error::Unauthorised`] when the
/// session has ended meanwhile.
pub fn confirm(app: &App, session: &Session, password: &str) -> Result<()> {
    if check_password(app, Some(&session.username), password)?.is_none() {
        return Err(Error::field("password", "This is not your password. Please try again."));
    }
    let id = session.id.clone();
    app.store.write(move |connection| {
        let session = find_by_id(connection, &id)?.ok_or_else(ended)?;
        sessions::confirm(connection, &session.token_hash, &time::stored(time::now()))
    })
}

/// Whether somebody has signed in from this address in the last 90 days.
pub fn is_known(app: &App, address: IpAddr) -> Result<bool> {
    is_kept(app, &address.to_string())
}

/// The first of a browser's tokens that somebody has signed in with in the last 90 days.
pub fn known_browser(app: &App, tokens: Vec<String>) -> Result<Option<String>> {
    for token in tokens {
        if is_kept(app, &browser_text(&token))? {
            return Ok(Some(token));
        }
    }
    Ok(None)
}

/// Addresses have no such beginning.
fn browser_text(token: &str) -> String {
    format!("browser {token}")
}

fn is_kept(app: &App, text: &str) -> Result<bool> {
    let since = time::stored(time::now() - KNOWN_FOR);
    app.store.read(|connection| match settings::get(connection, settings::ADDRESS_KEY)? {
        Some(key) => known_addresses::exists(connection, &keyed_hash(&key, text), &since),
        None => Ok(false),
    })
}

/// The name that this password belongs to, if it does. A wrong one is counted.
fn check_password(app: &App, username: Option<&str>, password: &str) -> Result<Option<String>> {
    let known = known(app, username, password);
    // Checking takes 19 MiB for a moment.
    memory::release_freed();
    let known = known?;
    if known.is_none() {
        note_refused(app);
    }
    Ok(known)
}

/// Counts a wrong password, without the name that was typed: that may be anybody's, or the password itself.
fn note_refused(app: &App) {
    let now = time::now();
    let noted = app.store.write(move |connection| {
        let line = audit::Line { actor: &Actor::Visitor, action: REFUSED, subject: None };
        audit::count_up(connection, &time::stored(now), &time::stored(now - REFUSED_IN_A_LINE), &line)
    });
    // A full disk makes no right password of a wrong one.
    if let Err(error) = noted {
        tracing::warn!(
            "a refused sign-in is not in the audit log: {}",
            error.cause().unwrap_or("it was refused")
        );
    }
}

/// Whose name and password these are. A password is checked in any case, so that a name that nobody has
/// takes as long as one that somebody has.
fn known(app: &App, username: Option<&str>, password: &str) -> Result<Option<String>> {
    let username = username.map(str::trim).filter(|name| !name.is_empty() && *name != SHARED);
    let Some(username) = username else {
        return Ok(password::verify(app, password)?.then(|| SHARED.to_owned()));
    };
    let account = app.store.read(|connection| accounts::find(connection, username))?;
    let matches = password::verify_hash(account.as_ref().map(|(_, hash)| hash.as_str()), password)?;
    Ok(account.filter(|_| matches).map(|(username, _)| username))
}

/// Who holds this token.
///
/// # Errors
/// [`Error::Unauthorised`] when nobody does, or the session has ended.
pub fn check(app: &App, token: &str) -> Result<Session> {
    password::end_sessions_of_another(app)?;
    let token_hash = hash(token);
    let id = public_id(&token_hash);
    let found = app.store.read(|connection| sessions::find(connection, &token_hash))?.ok_or_else(ended)?;
    let now = time::now();
    let (created_at, last_seen_at) = (instant(&found.created_at)?, instant(&found.last_seen_at)?);
    if end_of(app, created_at, last_seen_at) <= now {
        return Err(ended());
    }
    let is_stale = last_seen_at < now - NOTED_EVERY;
    if is_stale {
        app.store.write(move |connection| sessions::touch(connection, &token_hash, &time::stored(now)))?;
    }
    Ok(Session {
        id,
        username: found.username,
        expires_at: end_of(app, created_at, if is_stale { now } else { last_seen_at }),
        confirmed_at: instant(&found.confirmed_at)?,
    })
}

fn ended() -> Error {
    Error::Unauthorised("Please sign in first.".into())
}

/// Ends a session; ending one that is not there is no error, and writes nothing.
pub fn sign_out(app: &App, token: &str) -> Result<()> {
    let token_hash = hash(token);
    if app.store.read(|connection| sessions::find(connection, &token_hash))?.is_none() {
        return Ok(());
    }
    app.store.write(move |connection| {
        let Some(session) = sessions::find(connection, &token_hash)? else { return Ok(()) };
        sessions::delete(connection, &token_hash)?;
        let line = audit::Line { actor: &Actor::of(&session.username), action: "signed out", subject: None };
        audit::insert(connection, &time::stored(time::now()), &line)
    })
}

/// The sessions that have not ended, the last used first.
pub fn list(app: &App) -> Result<Vec<Listed>> {
    let (seen_before, created_before) = ended_before(app);
    let sessions = app.store.read(sessions::list)?;
    let has_ended = |session: &sessions::Listed| {
        session.last_seen_at < seen_before || session.created_at < created_before
    };
    let listed = |session: sessions::Listed| Listed {
        id: public_id(&session.token_hash),
        username: session.username,
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        user_agent: session.user_agent,
    };
    Ok(sessions.into_iter().filter(|session| !has_ended(session)).map(listed).collect())
}

/// Ends somebody's session from the list.
///
/// # Errors
/// [`Error::NotFound`] when it has ended already.
pub fn end(app: &App, actor: &Actor, id: &str) -> Result<()> {
    let (actor, id) = (actor.to_owned(), id.to_owned());
    app.store.write(move |connection| {
        let found = find_by_id(connection, &id)?;
        let session = found.ok_or_else(|| Error::NotFound("This session has ended already.".into()))?;
        sessions::delete(connection, &session.token_hash)?;
        let line = audit::Line { actor: &actor, action: "session ended", subject: None };
        let detail = serde_json::json!({ "username": session.username });
        audit::insert_with(connection, &time::stored(time::now()), &line, &detail)
    })
}

/// Forgets sessions that have ended by themselves, and addresses and browsers that nobody has signed in with for long.
pub fn forget_ended(app: &App) -> Result<()> {
    let (seen_before, created_before) = ended_before(app);
    let used_before = time::stored(time::now() - KNOWN_FOR);
    app.store.write(move |connection| {
        sessions::delete_before(connection, &seen_before, &created_before)?;
        known_addresses::delete_before(connection, &used_before)
    })
}

fn find_by_id(connection: &Connection, id: &str) -> Result<Option<sessions::Listed>> {
    Ok(sessions::list(connection)?.into_iter().find(|session| public_id(&session.token_hash) == id))
}

fn idle(app: &App) -> TimeDelta {
    TimeDelta::hours(i64::from(app.config.admin.session_hours))
}

/// How long a session lasts at most, if that is limited.
fn lifetime(app: &App) -> Option<TimeDelta> {
    let days = app.config.admin.session_days;
    (days > 0).then(|| TimeDelta::days(i64::from(days)))
}

fn end_of(app: &App, created_at: DateTime<Utc>, last_seen_at: DateTime<Utc>) -> DateTime<Utc> {
    let idle_end = last_seen_at + idle(app);
    lifetime(app).map_or(idle_end, |lifetime| idle_end.min(created_at + lifetime))
}

/// Sessions that were last used, or created, before these instants have ended.
fn ended_before(app: &App) -> (String, String) {
    let now = time::now();
    let created = lifetime(app).map(|lifetime| time::stored(now - lifetime));
    (time::stored(now - idle(app)), created.unwrap_or_default())
}

fn instant(stored: &str) -> Result<DateTime<Utc>> {
    let parsed = DateTime::parse_from_rfc3339(stored);
    parsed.map(|at| at.with_timezone(&Utc)).map_err(|error| Error::Internal(format!("a session: {error}")))
}

/// The key of this installation, made when it is first needed.
fn address_key(connection: &Connection, now: &str) -> Result<String> {
    if let Some(key) = settings::get(connection, settings::ADDRESS_KEY)? {
        return Ok(key);
    }
    let key = token();
    settings::set(connection, settings::ADDRESS_KEY, &key, now)?;
    Ok(key)
}

fn keyed_hash(key: &str, text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).expect("HMAC takes a key of any length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// 256 random bits.
fn token() -> String {
    hex::encode(rand::random::<[u8; 32]>())
}

/// Enough of the hash to tell sessions apart.
fn public_id(token_hash: &[u8]) -> String {
    hex::encode(&token_hash[..8])
}

fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token).to_vec()
}
