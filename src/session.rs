//! Signing in and staying signed in. A session ends after `admin.session_hours` without use, at
//! sign-out, and when the password changes; a token from then on opens nothing.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::error::{Error, Result};
use crate::memory;
use crate::password;
use crate::store::audit;
use crate::store::sessions::{self, StoredSession};
use crate::time;

/// The name under which the shared password signs in.
pub const SHARED: &str = "organiser";
/// The last use is noted this often, so that reading pages does not write each time.
const NOTED_EVERY: TimeDelta = TimeDelta::minutes(1);

/// A signed-in organiser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub username: String,
    /// When the session ends unless it is used before.
    pub expires_at: DateTime<Utc>,
}

/// Checks the password and returns the new session's token, to be kept in a cookie.
///
/// # Errors
/// [`Error::Unauthorised`] for a wrong name or password; the answer does not tell which.
pub fn sign_in(app: &App, username: Option<&str>, password: &str) -> Result<String> {
    let known_name = matches!(username, None | Some("" | SHARED));
    // The password is checked in either case, so that both take the same time.
    let matches = password::verify(app, password)?;
    // Checking takes 19 MiB for a moment.
    memory::give_back();
    if !matches || !known_name {
        return Err(Error::Unauthorised("Invalid admin password. Please try again.".into()));
    }
    let token = token();
    let (token_hash, now) = (hash(&token), time::stored(Utc::now()));
    app.store.write(move |connection| {
        sessions::insert(connection, &token_hash, SHARED, &now)?;
        audit::insert(connection, &now, &audit::Line { actor: SHARED, action: "signed in", subject: None })
    })?;
    Ok(token)
}

/// Who holds this token.
///
/// # Errors
/// [`Error::Unauthorised`] when nobody does, or the session has ended.
pub fn check(app: &App, token: Option<&str>) -> Result<Session> {
    let ended = || Error::Unauthorised("Please sign in first.".into());
    let token_hash = hash(token.ok_or_else(ended)?);
    let found = app.store.read(|connection| sessions::find(connection, &token_hash))?.ok_or_else(ended)?;
    let now = Utc::now();
    let expires_at = expiry(app, &found).filter(|at| *at > now).ok_or_else(ended)?;
    let stale = expires_at - idle(app) < now - NOTED_EVERY;
    if stale {
        app.store.write(move |connection| sessions::touch(connection, &token_hash, &time::stored(now)))?;
    }
    let expires_at = if stale { now + idle(app) } else { expires_at };
    Ok(Session { username: found.username, expires_at })
}

/// Ends a session; ending one that is not there is no error.
pub fn sign_out(app: &App, token: &str) -> Result<()> {
    let token_hash = hash(token);
    app.store.write(move |connection| sessions::delete(connection, &token_hash))
}

/// Forgets sessions that have ended by themselves.
pub fn forget_ended(app: &App) -> Result<()> {
    let before = time::stored(Utc::now() - idle(app));
    app.store.write(move |connection| sessions::delete_before(connection, &before).map(drop))
}

fn idle(app: &App) -> TimeDelta {
    TimeDelta::hours(i64::from(app.config.admin.session_hours))
}

fn expiry(app: &App, session: &StoredSession) -> Option<DateTime<Utc>> {
    let last_seen = DateTime::parse_from_rfc3339(&session.last_seen_at).ok()?;
    Some(last_seen.with_timezone(&Utc) + idle(app))
}

/// 256 random bits.
fn token() -> String {
    let bytes: [u8; 32] = rand::random();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token).to_vec()
}
