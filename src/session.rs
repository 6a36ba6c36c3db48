//! Signing in and staying signed in. A session ends after `admin.session_hours` without use, at
//! sign-out, and when the password changes; a token from then on opens nothing.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::error::{Error, Result};
use crate::memory;
use crate::password::{self, SHARED};
use crate::store::sessions::{self, StoredSession};
use crate::store::{accounts, audit};
use crate::time;

/// The last use is noted this often, so that reading pages does not write each time.
const NOTED_EVERY: TimeDelta = TimeDelta::minutes(1);

/// What a wrong name or password is called in the audit log.
pub const REFUSED: &str = "sign-ins refused";
/// One line counts those of so long, so that a crowd of them does not fill the log.
const REFUSED_IN_A_LINE: TimeDelta = TimeDelta::hours(1);

/// The longest description of a browser that is kept.
const LONGEST_AGENT: usize = 300;

/// A signed-in organiser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Tells one session from another, and opens nothing.
    pub id: String,
    pub username: String,
    /// When the session ends unless it is used before.
    pub expires_at: DateTime<Utc>,
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

/// Checks the password and returns the new session's token, to be kept in a cookie.
///
/// # Errors
/// [`Error::Unauthorised`] for a wrong name or password; the answer does not tell which.
pub fn sign_in(
    app: &App,
    username: Option<&str>,
    password: &str,
    user_agent: Option<&str>,
) -> Result<String> {
    let known = known(app, username, password);
    // Checking takes 19 MiB for a moment.
    memory::give_back();
    let Some(username) = known? else {
        note_refused(app);
        return Err(Error::Unauthorised("Invalid admin password. Please try again.".into()));
    };
    let user_agent = user_agent.map(|agent| agent.chars().take(LONGEST_AGENT).collect::<String>());
    let token = token();
    let (token_hash, now) = (hash(&token), time::stored(Utc::now()));
    app.store.write(move |connection| {
        sessions::insert(connection, &token_hash, &username, user_agent.as_deref(), &now)?;
        let line = audit::Line { actor: &username, action: "signed in", subject: None };
        audit::insert(connection, &now, &line)
    })?;
    Ok(token)
}

/// Counts a wrong password, without the name that was typed: that may be anybody's, or the password itself.
fn note_refused(app: &App) {
    let now = Utc::now();
    let noted = app.store.write(move |connection| {
        let line = audit::Line { actor: "visitor", action: REFUSED, subject: None };
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
    let ended = || Error::Unauthorised("Please sign in first.".into());
    let token_hash = hash(token);
    let id = public_id(&token_hash);
    let found = app.store.read(|connection| sessions::find(connection, &token_hash))?.ok_or_else(ended)?;
    let now = Utc::now();
    let expires_at = expiry(app, &found).filter(|at| *at > now).ok_or_else(ended)?;
    let stale = expires_at - idle(app) < now - NOTED_EVERY;
    if stale {
        app.store.write(move |connection| sessions::touch(connection, &token_hash, &time::stored(now)))?;
    }
    let expires_at = if stale { now + idle(app) } else { expires_at };
    Ok(Session { id, username: found.username, expires_at })
}

/// Ends a session; ending one that is not there is no error.
pub fn sign_out(app: &App, token: &str) -> Result<()> {
    let token_hash = hash(token);
    app.store.write(move |connection| {
        let Some(session) = sessions::find(connection, &token_hash)? else { return Ok(()) };
        sessions::delete(connection, &token_hash)?;
        let line = audit::Line { actor: &session.username, action: "signed out", subject: None };
        audit::insert(connection, &time::stored(Utc::now()), &line)
    })
}

/// The sessions that have not ended, the last used first.
pub fn list(app: &App) -> Result<Vec<Listed>> {
    let ended_before = time::stored(Utc::now() - idle(app));
    let sessions = app.store.read(sessions::list)?;
    let listed = |session: sessions::Listed| Listed {
        id: public_id(&session.token_hash),
        username: session.username,
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        user_agent: session.user_agent,
    };
    Ok(sessions.into_iter().filter(|session| session.last_seen_at >= ended_before).map(listed).collect())
}

/// Ends somebody's session from the list.
///
/// # Errors
/// [`Error::NotFound`] when it has ended already.
pub fn end(app: &App, actor: &str, id: &str) -> Result<()> {
    let (actor, id) = (actor.to_owned(), id.to_owned());
    app.store.write(move |connection| {
        let found =
            sessions::list(connection)?.into_iter().find(|session| public_id(&session.token_hash) == id);
        let session = found.ok_or_else(|| Error::NotFound("This session has ended already.".into()))?;
        sessions::delete(connection, &session.token_hash)?;
        let line = audit::Line { actor: &actor, action: "session ended", subject: None };
        let detail = serde_json::json!({ "username": session.username });
        audit::insert_with(connection, &time::stored(Utc::now()), &line, &detail)
    })
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

/// Enough of the hash to tell sessions apart.
fn public_id(token_hash: &[u8]) -> String {
    token_hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token).to_vec()
}
