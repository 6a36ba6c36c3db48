//! The organiser's shared password: set by command, made by the first `serve`, or given in the
//! configuration, which wins. Only an Argon2id hash is ever kept.

use std::sync::PoisonError;

use argon2::password_hash::rand_core::OsRng;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use rand::seq::IndexedRandom;
use rusqlite::Connection;
use serde_json::json;

use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::store::{audit, sessions, settings};
use crate::time;

/// Shorter ones are guessed too soon.
const SHORTEST: usize = 10;
const LONGEST: usize = 1000;
/// The hash of a password that was thrown away, to be checked where there is no account.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$b25seS1mb3ItdGltaW5n$RdescudvJCsgt3ub+b5dWRJJTmaaJObG7SZUlKoBbYg";
/// Letters and digits that nobody confuses when reading aloud.
const ALPHABET: &[u8] = b"abcdefghjkmnpqrstuvwxyz23456789";

/// What the audit log says when a password that was changed in the configuration ends all sessions.
pub const SESSIONS_ENDED: &str = "all sessions ended";

/// The name under which the shared password signs in.
pub const SHARED: &str = "organiser";

/// Keeps a new shared password.
///
/// # Errors
/// [`Error::Failed`] when it is too short, or when the configuration has one, which would win.
pub fn set(app: &App, password: &str) -> Result<()> {
    let admin = &app.config.admin;
    if !admin.password.is_empty() || !admin.password_hash.is_empty() {
        return Err(Error::Failed(
            "The configuration sets admin.password or admin.password_hash, which wins over this one. Remove it there first.".into(),
        ));
    }
    keep(app, hash_of(password)?, "password changed")
}

/// Makes a password for an installation that has none, and returns it to be shown once.
pub fn make_first(app: &App) -> Result<Option<String>> {
    if !matches!(stored(app)?, Stored::None) {
        return Ok(None);
    }
    let password = random();
    keep(app, hash(&password)?, "first password made")?;
    Ok(Some(password))
}

/// The hash of a password that somebody chose.
///
/// # Errors
/// [`Error::Invalid`] on `password` when it is too short, or longer than anybody types.
pub fn hash_of(password: &str) -> Result<String> {
    match password.chars().count() {
        0..SHORTEST => Err(Error::field(
            "password",
            &format!("Please choose a password of at least {SHORTEST} characters."),
        )),
        SHORTEST..=LONGEST => hash(password),
        _ => Err(Error::field("password", &format!("A password has at most {LONGEST} characters."))),
    }
}

/// Whether a password is the one of this hash. Without a hash it takes as long, and is not.
pub fn verify_hash(stored: Option<&str>, password: &str) -> Result<bool> {
    match stored {
        Some(stored) => matches(stored, password),
        None => matches(NOBODY, password).map(|_| false),
    }
}

/// Whether this is the shared password.
pub fn verify(app: &App, password: &str) -> Result<bool> {
    match stored(app)? {
        // Compared by its hash, so that the comparison takes the same time whatever was typed.
        Stored::Config(configured) => match app.password_in_use.get() {
            Some(Some(hash)) => matches(hash, password),
            _ => matches(&hash(configured)?, password),
        },
        Stored::Hash(hash) => matches(&hash, password),
        Stored::None => Ok(false),
    }
}

/// Ends every session when the shared password is another one than the server last ran with, wherever it is set.
/// Compares once a process. That may take two Argon2 hashes, so the first use of a session does it and not the start.
///
/// # Errors
/// [`Error::Unavailable`] when the sessions could not be ended; no session may be used then.
pub fn end_sessions_of_another(app: &App) -> Result<()> {
    if app.password_in_use.get().is_some() {
        return Ok(());
    }
    // One at a time: each comparison takes 19 MiB, and a crowd may come with cookies right after a start.
    let _comparing = app.comparing_password.lock().unwrap_or_else(PoisonError::into_inner);
    if app.password_in_use.get().is_some() {
        return Ok(());
    }
    let before = app.store.read(|connection| settings::get(connection, settings::ADMIN_PASSWORD_IN_USE))?;
    let stored = stored(app)?;
    let current = match (&stored, &before) {
        (Stored::Config(plain), Some(before)) if matches(before, plain).unwrap_or(false) => before.clone(),
        (Stored::Config(plain), _) => hash(plain)?,
        (Stored::Hash(hash), _) => hash.clone(),
        (Stored::None, _) => String::new(),
    };
    if before.as_ref() != Some(&current) {
        let current = current.clone();
        app.store.write(move |connection| end_sessions(connection, before, &current))?;
    }
    let is_plain = matches!(stored, Stored::Config(_));
    let _ = app.password_in_use.set(is_plain.then_some(current));
    Ok(())
}

fn end_sessions(connection: &Connection, before: Option<String>, current: &str) -> Result<()> {
    if settings::get(connection, settings::ADMIN_PASSWORD_IN_USE)? != before {
        return Ok(());
    }
    let now = time::stored(time::now());
    settings::set(connection, settings::ADMIN_PASSWORD_IN_USE, current, &now)?;
    let count = sessions::delete_all(connection)?;
    if before.is_none() && count == 0 {
        return Ok(());
    }
    let line = audit::Line { actor: &Actor::Program, action: SESSIONS_ENDED, subject: None };
    // A database of an older program does not tell which password it ran with.
    let reason = if before.is_some() { "another shared password" } else { "upgrade" };
    audit::insert_with(connection, &now, &line, &json!({ "reason": reason, "sessions": count }))
}

/// A password of four groups of four letters, some 79 bits.
pub fn random() -> String {
    let mut random = rand::rng();
    let mut group =
        || (0..4).filter_map(|_| ALPHABET.choose(&mut random)).map(|byte| char::from(*byte)).collect();
    let groups: [String; 4] = [group(), group(), group(), group()];
    groups.join("-")
}

/// Where the shared password is.
enum Stored<'a> {
    /// In the configuration, as plain text.
    Config(&'a str),
    /// In the configuration or the database, as its hash.
    Hash(String),
    None,
}

fn stored(app: &App) -> Result<Stored<'_>> {
    let admin = &app.config.admin;
    if !admin.password.is_empty() {
        return Ok(Stored::Config(admin.password.expose()));
    }
    if !admin.password_hash.is_empty() {
        return Ok(Stored::Hash(admin.password_hash.expose().to_owned()));
    }
    let hash = app.store.read(|connection| settings::get(connection, settings::ADMIN_PASSWORD_HASH))?;
    Ok(hash.map_or(Stored::None, Stored::Hash))
}

fn keep(app: &App, hash: String, action: &'static str) -> Result<()> {
    let now = time::stored(time::now());
    app.store.write(move |connection| {
        settings::set(connection, settings::ADMIN_PASSWORD_HASH, &hash, &now)?;
        settings::set(connection, settings::ADMIN_PASSWORD_IN_USE, &hash, &now)?;
        sessions::delete_all(connection)?;
        audit::insert(connection, &now, &audit::Line { actor: &Actor::CommandLine, action, subject: None })
    })
}

/// Argon2id with 19 MiB, 2 passes, 1 lane: OWASP's first recommendation for it.
fn argon2() -> Argon2<'static> {
    let params = Params::new(19 * 1024, 2, 1, None).expect("valid parameters");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &str) -> Result<String> {
    argon2()
        .hash_password(password.as_bytes(), &SaltString::generate(&mut OsRng))
        .map(|hash| hash.to_string())
        .map_err(|error| Error::Internal(format!("hashing a password: {error}")))
}

fn matches(hash: &str, password: &str) -> Result<bool> {
    let parsed = PasswordHash::new(hash)
        .map_err(|error| Error::Failed(format!("admin.password_hash is not an Argon2 hash: {error}.")))?;
    Ok(argon2().verify_password(password.as_bytes(), &parsed).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_knows_its_password_only() {
        let hash = hash("lash-brow-lift").expect("a hash");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(matches(&hash, "lash-brow-lift").expect("a hash"));
        assert!(!matches(&hash, "lash-brow-lifT").expect("a hash"));
        assert!(matches("plain", "plain").is_err());
    }

    #[test]
    fn random_passwords_are_readable_and_differ() {
        let (one, other) = (random(), random());
        assert_eq!(one.len(), 19);
        assert_ne!(one, other);
    }
}
