//! Sessions. A session ends after `admin.session_hours` without use, a week after sign-in, at sign-out,
//! and when the password changes.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, Mac};
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use sha2::Sha256;

use crate::admin::password::{self, SHARED};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, token};
use crate::store::sessions::{self, UnsavedSession};
use crate::store::{accounts, audit, installation, known_addresses};
use crate::time;

/// The longest duration of a session, even if it is used.
const LIFETIME: TimeDelta = TimeDelta::days(7);

/// How often the last use is recorded, so that not every request writes to the database.
const TOUCH_INTERVAL: TimeDelta = TimeDelta::minutes(1);

/// The audit log's action for wrong names and passwords.
pub const REFUSED: &str = "sign-ins refused";
/// One line counts all refusals within this time, so that an attack does not fill the log.
const REFUSED_PER_LINE: TimeDelta = TimeDelta::hours(1);

/// How long after entering the password a session may change accounts and end other sessions.
const CONFIRMED_FOR: TimeDelta = TimeDelta::minutes(10);

/// How long an address or a browser is known after somebody has signed in with it.
pub const KNOWN_FOR: TimeDelta = TimeDelta::days(90);

/// The most characters of a `User-Agent` that are stored.
const MAX_AGENT: usize = 300;

/// A signed-in organiser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// A public id, which is not a credential.
    pub id: String,
    pub username: String,
    /// When the session ends if it is not used again.
    pub expires_at: DateTime<Utc>,
    /// When the password was last entered in this session.
    pub confirmed_at: DateTime<Utc>,
}

impl Session {
    pub fn actor(&self) -> Actor {
        Actor::parse(&self.username)
    }

    /// Requires that the password was entered recently.
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

/// A request to sign in.
pub struct SignIn {
    /// The account; `None` for the shared password.
    pub username: Option<String>,
    pub password: String,
    pub user_agent: Option<String>,
    /// An IPv4 address, or the first address of an IPv6 /64.
    pub address: IpAddr,
    /// The browser token in the cookie, if it is valid (see [`known_browser`]).
    pub browser: Option<String>,
}

/// The values for the browser's cookies.
pub struct SignedIn {
    /// The session token.
    pub token: String,
    /// The browser token, which identifies the browser for [`KNOWN_FOR`] and is not a credential.
    pub browser: String,
}

/// A session in the organiser's list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedSession {
    pub id: String,
    pub username: String,
    pub created_at: String,
    pub last_seen_at: String,
    pub user_agent: Option<String>,
}

/// Checks the password and starts a session.
///
/// # Errors
/// [`Error::Unauthorised`] for a wrong name or password, without saying which.
pub fn sign_in(app: &App, sign_in: SignIn) -> Result<SignedIn> {
    let SignIn { username, password, user_agent, address, browser } = sign_in;
    // If this fails, `check` refuses the sessions of a former password anyway, so signing in goes on.
    if let Err(error) = password::end_sessions_if_changed(app) {
        tracing::warn!("the sessions of a former password could not be ended: {}", error.for_log());
    }
    let Some(username) = check_password(app, username.as_deref(), &password)? else {
        return Err(Error::Unauthorised("Invalid admin password. Please try again.".into()));
    };
    let user_agent = user_agent.map(|agent| agent.chars().take(MAX_AGENT).collect::<String>());
    let token = token::new();
    let (token_hash, now) = (token::hash(&token), time::stored(time::now()));
    let browser = browser.unwrap_or_else(token::new);

    let password_hash = app.store.read(|connection| password_hash(connection, &username))?;
    let stored = app.store.write(|connection| {
        sessions::insert(connection, &token_hash, &username, user_agent.as_deref(), &now)?;
        let key = address_key(connection, &now)?;
        for text in [address.to_string(), browser_text(&browser)] {
            known_addresses::insert(connection, &keyed_hash(&key, &text), &now)?;
        }
        let line = audit::Line { actor: &Actor::parse(&username), action: "signed in", subject: None };
        audit::insert(connection, &now, &line)
    });
    // With a full or read-only disk the organiser can still read and save what is there.
    if let Err(error) = stored {
        tracing::warn!("a session is only in memory: {}", error.for_log());
        let unsaved = UnsavedSession {
            username,
            created_at: now.clone(),
            last_seen_at: now,
            user_agent,
            password_hash,
        };
        unsaved_sessions(app).insert(token_hash, unsaved);
    }
    Ok(SignedIn { token, browser })
}

/// Confirms a session's password, for [`Session::require_confirmed`].
///
/// # Errors
/// [`Error::Invalid`] on `password` when it is wrong; [`Error::Unauthorised`] when the session has ended meanwhile.
pub fn confirm(app: &App, session: &Session, password: &str) -> Result<()> {
    if check_password(app, Some(&session.username), password)?.is_none() {
        return Err(Error::field("password", "This is not your password. Please try again."));
    }
    app.store.write(|connection| {
        let session = find_by_id(connection, &session.id)?.ok_or_else(not_signed_in)?;
        sessions::confirm(connection, &session.token_hash, &time::stored(time::now()))
    })
}

/// Whether somebody has signed in from this address within [`KNOWN_FOR`].
pub fn is_known(app: &App, address: IpAddr) -> Result<bool> {
    is_stored(app, &address.to_string())
}

/// The first of a browser's tokens with which somebody has signed in within [`KNOWN_FOR`].
pub fn known_browser(app: &App, tokens: Vec<String>) -> Result<Option<String>> {
    for token in tokens {
        if is_stored(app, &browser_text(&token))? {
            return Ok(Some(token));
        }
    }
    Ok(None)
}

/// The text that is hashed for a browser. The prefix distinguishes it from an address.
fn browser_text(token: &str) -> String {
    format!("browser {token}")
}

fn is_stored(app: &App, text: &str) -> Result<bool> {
    let since = time::stored(time::now() - KNOWN_FOR);
    app.store.read(|connection| match installation::get(connection, installation::ADDRESS_KEY)? {
        Some(key) => known_addresses::exists(connection, &keyed_hash(&key, text), &since),
        None => Ok(false),
    })
}

/// The user name, if the password is right. Counts a wrong one in the audit log.
fn check_password(app: &App, username: Option<&str>, password: &str) -> Result<Option<String>> {
    let found = authenticate(app, username, password)?;
    if found.is_none() {
        count_refused(app);
    }
    Ok(found)
}

/// Counts a wrong password. Does not record the name that was typed, because it may be anything, even the password.
fn count_refused(app: &App) {
    let now = time::now();
    let counted = app.store.write(|connection| {
        let line = audit::Line { actor: &Actor::Visitor, action: REFUSED, subject: None };
        audit::increment(connection, &time::stored(now), &time::stored(now - REFUSED_PER_LINE), &line)
    });
    // A full disk must not change the answer.
    if let Err(error) = counted {
        tracing::warn!("a refused sign-in could not be recorded in the audit log: {}", error.for_log());
    }
}

/// The user name, if the password is right. For an unknown name a hash is checked too, so that the time does not reveal
/// which names exist.
fn authenticate(app: &App, username: Option<&str>, password: &str) -> Result<Option<String>> {
    let username = username.map(str::trim).filter(|name| !name.is_empty() && *name != SHARED);
    let Some(username) = username else {
        return Ok(password::verify(app, password)?.then(|| SHARED.to_owned()));
    };
    let account = app.store.read(|connection| accounts::find(connection, username))?;
    let matches = password::verify_hash(account.as_ref().map(|(_, hash)| hash.as_str()), password)?;
    Ok(account.filter(|_| matches).map(|(username, _)| username))
}

/// The session of this token.
///
/// # Errors
/// [`Error::Unauthorised`] when there is none, or it has ended.
pub fn check(app: &App, token: &str) -> Result<Session> {
    let token_hash = token::hash(token);
    let id = public_id(&token_hash);
    let still_unsaved = match find_unsaved(app, &token_hash)? {
        Some(unsaved) => store_unsaved(app, &token_hash, unsaved)?,
        None => None,
    };
    let found = match still_unsaved {
        Some(session) => session,
        None => {
            password::end_sessions_if_changed(app)?;
            app.store.read(|connection| sessions::find(connection, &token_hash))?.ok_or_else(not_signed_in)?
        }
    };
    let now = time::now();
    let (created_at, last_seen_at) = (instant(&found.created_at)?, instant(&found.last_seen_at)?);
    if end_of(app, created_at, last_seen_at) <= now {
        return Err(not_signed_in());
    }
    let is_stale = last_seen_at < now - TOUCH_INTERVAL;
    if is_stale {
        let touched =
            app.store.write(|connection| sessions::touch(connection, &token_hash, &time::stored(now)));
        if let Err(error) = touched {
            tracing::warn!("the last use of a session could not be recorded: {}", error.for_log());
        }
    }
    Ok(Session {
        id,
        username: found.username,
        expires_at: end_of(app, created_at, if is_stale { now } else { last_seen_at }),
        confirmed_at: instant(&found.confirmed_at)?,
    })
}

/// A session that could not be stored.
///
/// # Errors
/// [`Error::Unauthorised`] if it has ended, or its password has changed.
fn find_unsaved(app: &App, token_hash: &[u8]) -> Result<Option<UnsavedSession>> {
    let Some(unsaved) = unsaved_sessions(app).get(token_hash).cloned() else { return Ok(None) };
    let has_ended =
        end_of(app, instant(&unsaved.created_at)?, instant(&unsaved.last_seen_at)?) <= time::now();
    let current = app.store.read(|connection| password_hash(connection, &unsaved.username))?;
    if has_ended || current != unsaved.password_hash {
        unsaved_sessions(app).remove(token_hash);
        return Err(not_signed_in());
    }
    Ok(Some(unsaved))
}

/// Tries again to store a session. Returns it if there is still no space; `None`: it is in the database now.
///
/// # Errors
/// [`Error::Unauthorised`] if its password changes meanwhile.
fn store_unsaved(
    app: &App,
    token_hash: &[u8],
    unsaved: UnsavedSession,
) -> Result<Option<sessions::StoredSession>> {
    let UnsavedSession { username, created_at, user_agent, password_hash: expected, .. } = unsaved;
    let last_seen_at = time::stored(time::now());
    // The sessions of a former password end first. Otherwise this one would end with them once it is stored.
    let saved = password::end_sessions_if_changed(app).and_then(|()| {
        app.store.write(|connection| {
            if password_hash(connection, &username)? != expected {
                return Err(not_signed_in());
            }
            sessions::insert(connection, token_hash, &username, user_agent.as_deref(), &created_at)?;
            sessions::touch(connection, token_hash, &last_seen_at)
        })
    });
    if let Ok(()) | Err(Error::Unauthorised(_)) = saved {
        unsaved_sessions(app).remove(token_hash);
        return saved.map(|()| None);
    }
    // There is still no space.
    if let Some(unsaved) = unsaved_sessions(app).get_mut(token_hash) {
        unsaved.last_seen_at.clone_from(&last_seen_at);
    }
    let confirmed_at = created_at.clone();
    Ok(Some(sessions::StoredSession { username, created_at, last_seen_at, confirmed_at }))
}

fn unsaved_sessions(app: &App) -> MutexGuard<'_, HashMap<Vec<u8>, UnsavedSession>> {
    app.unsaved_sessions.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The hash in the database of an account's password or of the shared one.
fn password_hash(connection: &Connection, username: &str) -> Result<Option<String>> {
    if username == SHARED {
        return installation::get(connection, installation::ADMIN_PASSWORD_HASH);
    }
    Ok(accounts::find(connection, username)?.map(|(_, hash)| hash))
}

fn not_signed_in() -> Error {
    Error::Unauthorised("Please sign in first.".into())
}

/// Ends a session. If there is none, does nothing.
pub fn sign_out(app: &App, token: &str) -> Result<()> {
    let token_hash = token::hash(token);
    unsaved_sessions(app).remove(&token_hash);
    if app.store.read(|connection| sessions::find(connection, &token_hash))?.is_none() {
        return Ok(());
    }
    app.store.write(|connection| {
        let Some(session) = sessions::find(connection, &token_hash)? else { return Ok(()) };
        sessions::delete(connection, &token_hash)?;
        let line =
            audit::Line { actor: &Actor::parse(&session.username), action: "signed out", subject: None };
        audit::insert(connection, &time::stored(time::now()), &line)
    })
}

/// The sessions that have not ended, the most recently used first.
pub fn list(app: &App) -> Result<Vec<ListedSession>> {
    let (seen_before, created_before) = ended_before(app);
    let sessions = app.store.read(sessions::list)?;
    let has_ended = |session: &sessions::Listed| {
        session.last_seen_at < seen_before || session.created_at < created_before
    };
    let listed = |session: sessions::Listed| ListedSession {
        id: public_id(&session.token_hash),
        username: session.username,
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        user_agent: session.user_agent,
    };
    Ok(sessions.into_iter().filter(|session| !has_ended(session)).map(listed).collect())
}

/// Ends the session with this public id.
///
/// # Errors
/// [`Error::NotFound`] when it has already ended.
pub fn end(app: &App, actor: &Actor, id: &str) -> Result<()> {
    app.store.write(|connection| {
        let found = find_by_id(connection, id)?;
        let session = found.ok_or_else(|| Error::NotFound("This session has already ended.".into()))?;
        sessions::delete(connection, &session.token_hash)?;
        audit::record(connection, actor, "session ended", &json!({ "username": session.username }))
    })
}

/// Deletes expired sessions, and addresses and browsers that are no longer known.
pub fn delete_expired(app: &App) -> Result<()> {
    let (seen_before, created_before) = ended_before(app);
    let used_before = time::stored(time::now() - KNOWN_FOR);
    app.store.write(|connection| {
        sessions::delete_before(connection, &seen_before, &created_before)?;
        known_addresses::delete_before(connection, &used_before)
    })
}

fn find_by_id(connection: &Connection, id: &str) -> Result<Option<sessions::Listed>> {
    Ok(sessions::list(connection)?.into_iter().find(|session| public_id(&session.token_hash) == id))
}

fn idle_time(app: &App) -> TimeDelta {
    TimeDelta::hours(i64::from(app.config.admin.session_hours))
}

fn end_of(app: &App, created_at: DateTime<Utc>, last_seen_at: DateTime<Utc>) -> DateTime<Utc> {
    (last_seen_at + idle_time(app)).min(created_at + LIFETIME)
}

/// Two instants: sessions that were last used before the first, or created before the second, have ended.
fn ended_before(app: &App) -> (String, String) {
    let now = time::now();
    (time::stored(now - idle_time(app)), time::stored(now - LIFETIME))
}

fn instant(stored: &str) -> Result<DateTime<Utc>> {
    stored.parse().map_err(|error| Error::Internal(format!("a session's instant: {error}")))
}

/// This installation's key for hashing addresses, created when it is first needed.
fn address_key(connection: &Connection, now: &str) -> Result<String> {
    if let Some(key) = installation::get(connection, installation::ADDRESS_KEY)? {
        return Ok(key);
    }
    let key = token::new();
    installation::set(connection, installation::ADDRESS_KEY, &key, now)?;
    Ok(key)
}

fn keyed_hash(key: &str, text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).expect("HMAC takes a key of any length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// A prefix of the hash, long enough to be unique.
fn public_id(token_hash: &[u8]) -> String {
    hex::encode(&token_hash[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full disk cannot record when a session was last used, so that memory has to.
    #[test]
    fn a_session_that_is_only_in_memory_ends_without_use() {
        let (_folder, app) = App::for_test(crate::config::Config::default());
        let hours_ago = |hours| time::stored(time::now() - TimeDelta::hours(hours));
        password::end_sessions_if_changed(&app).expect("no sessions yet");
        let unused_for = |hours| {
            let unsaved = UnsavedSession {
                username: SHARED.to_owned(),
                created_at: hours_ago(48),
                last_seen_at: hours_ago(hours),
                user_agent: None,
                password_hash: None,
            };
            let token = token::new();
            unsaved_sessions(&app).insert(token::hash(&token), unsaved);
            check(&app, &token).is_ok()
        };
        assert!(unused_for(11));
        assert!(!unused_for(13));
        assert!(unsaved_sessions(&app).is_empty());
    }
}
