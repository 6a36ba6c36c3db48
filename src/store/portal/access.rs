//! The links, codes and sessions of competitors and of judges, each by the hash of its token.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::token;
use crate::store::query::{execute, from_row, query_optional};

/// Who signs in with a link or a code. Each has tables, a cookie and paths of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Competitors,
    Judges,
}

impl Audience {
    /// Whose link an email of this template has.
    pub fn of_template(template: &str) -> Option<Audience> {
        [Audience::Competitors, Audience::Judges]
            .into_iter()
            .find(|audience| format!("{}-link", audience.prefix()) == template)
    }

    /// The start of the names of the audience's tables, and of the template of its link.
    const fn prefix(self) -> &'static str {
        match self {
            Audience::Competitors => "artist",
            Audience::Judges => "judge",
        }
    }

    /// The SQL with `{}` replaced by the prefix.
    fn sql(self, sql: &str) -> String {
        sql.replace("{}", self.prefix())
    }
}

/// The token of a link and the code that an email has. They are stored nowhere; their hashes are.
pub struct NewLink {
    pub token: String,
    /// Six digits.
    pub code: String,
}

/// A mailbox's newest code.
pub struct StoredCode {
    pub code_hash: Vec<u8>,
    pub created_at: String,
    pub wrong_tries: u32,
}

from_row!(StoredCode: code_hash, created_at, wrong_tries);

/// A session. Instants are RFC 3339, UTC.
pub struct StoredSession {
    pub email: String,
    pub last_seen_at: String,
}

from_row!(StoredSession: email, last_seen_at);

/// Makes a link and a code for a mailbox. Earlier links stay; an earlier code is replaced.
pub fn new_link(connection: &Connection, audience: Audience, email: &str, at: &str) -> Result<NewLink> {
    let new = NewLink { token: token::new(), code: format!("{:06}", rand::random_range(0..1_000_000)) };
    let sql = audience.sql("insert into {}_links (token_hash, email, created_at) values (?, ?, ?)");
    execute(connection, &sql, (token::hash(&new.token), email, at))?;
    let sql = audience.sql(
        "insert into {}_codes (email, code_hash, created_at) values (?1, ?2, ?3)
         on conflict (email) do update set code_hash = excluded.code_hash, created_at = excluded.created_at, wrong_tries = 0",
    );
    execute(connection, &sql, (email, hash_code(email, &new.code), at))?;
    Ok(new)
}

/// The hash of a code and its address, in lowercase: two mailboxes with the same code have different hashes.
pub fn hash_code(email: &str, code: &str) -> Vec<u8> {
    token::hash(&format!("{} {code}", email.to_lowercase()))
}

/// The mailbox that a link was sent to, and when the link was made.
pub fn find_link(
    connection: &Connection,
    audience: Audience,
    token_hash: &[u8],
) -> Result<Option<(String, String)>> {
    let sql = audience.sql("select email, created_at from {}_links where token_hash = ?");
    query_optional(connection, &sql, [token_hash], |row| row.try_into())
}

pub fn find_code(connection: &Connection, audience: Audience, email: &str) -> Result<Option<StoredCode>> {
    let sql = audience.sql("select code_hash, created_at, wrong_tries from {}_codes where email = ?");
    query_optional(connection, &sql, [email], StoredCode::from_row)
}

pub fn count_wrong_try(connection: &Connection, audience: Audience, email: &str) -> Result<()> {
    let sql = audience.sql("update {}_codes set wrong_tries = wrong_tries + 1 where email = ?");
    execute(connection, &sql, [email])
}

pub fn delete_code(connection: &Connection, audience: Audience, email: &str) -> Result<()> {
    execute(connection, &audience.sql("delete from {}_codes where email = ?"), [email])
}

pub fn insert_session(
    connection: &Connection,
    audience: Audience,
    token_hash: &[u8],
    email: &str,
    at: &str,
) -> Result<()> {
    let sql = audience
        .sql("insert into {}_sessions (token_hash, email, created_at, last_seen_at) values (?1, ?2, ?3, ?3)");
    execute(connection, &sql, (token_hash, email, at))
}

pub fn find_session(
    connection: &Connection,
    audience: Audience,
    token_hash: &[u8],
) -> Result<Option<StoredSession>> {
    let sql = audience.sql("select email, last_seen_at from {}_sessions where token_hash = ?");
    query_optional(connection, &sql, [token_hash], StoredSession::from_row)
}

pub fn touch_session(connection: &Connection, audience: Audience, token_hash: &[u8], at: &str) -> Result<()> {
    let sql = audience.sql("update {}_sessions set last_seen_at = ?2 where token_hash = ?1");
    execute(connection, &sql, (token_hash, at))
}

pub fn delete_session(connection: &Connection, audience: Audience, token_hash: &[u8]) -> Result<()> {
    execute(connection, &audience.sql("delete from {}_sessions where token_hash = ?"), [token_hash])
}

/// Ends every session of a mailbox and revokes its links and its code, also those whose email has not left.
pub fn delete_of(connection: &Connection, audience: Audience, email: &str) -> Result<()> {
    connection.execute(&audience.sql("delete from {}_sessions where email = ?"), [email])?;
    connection.execute(&audience.sql("delete from {}_links where email = ?"), [email])?;
    let sql = "update outbox set state = 'discarded'
         where state in ('waiting', 'failed') and template = '{}-link' and recipient = ? collate nocase";
    connection.execute(&audience.sql(sql), [email])?;
    delete_code(connection, audience, email)
}

/// Deletes the sessions that were last used, and the codes that were sent, before these instants.
pub fn delete_before(connection: &Connection, audience: Audience, last_seen: &str, sent: &str) -> Result<()> {
    connection.execute(&audience.sql("delete from {}_sessions where last_seen_at < ?"), [last_seen])?;
    execute(connection, &audience.sql("delete from {}_codes where created_at < ?"), [sent])
}
