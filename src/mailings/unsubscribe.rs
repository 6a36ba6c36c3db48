//! Unsubscribing from emails to groups, by a link that works without signing in (RFC 8058).
//!
//! A link's token is a keyed hash of the address, and a keyed hash of that hash, which proves that we made it. So nothing has
//! to be stored for a link, it works even after the person was erased, and nobody can make one for somebody else.

use hmac::{Hmac, Mac};
use rusqlite::Connection;
use sha2::Sha256;

use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, token};
use crate::store::mailings::unreachable;
use crate::store::{audit, installation};
use crate::time;

/// The bytes of each of a token's two hashes.
const HASH_BYTES: usize = 16;

/// The key of all tokens and of the hashes in the table `unsubscribed`.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// The stored key; `None` before the first email to a group.
    pub fn stored(connection: &Connection) -> Result<Option<Key>> {
        Ok(installation::get(connection, installation::UNSUBSCRIBE_KEY)?.map(Key))
    }

    /// The stored key, or a new one. Call it within the transaction that uses it.
    pub fn stored_or_new(connection: &Connection, now: &str) -> Result<Key> {
        if let Some(key) = Key::stored(connection)? {
            return Ok(key);
        }
        let key = token::new();
        installation::set(connection, installation::UNSUBSCRIBE_KEY, &key, now)?;
        Ok(Key(key))
    }

    /// The hash of an address, ignoring case.
    pub fn address_hash(&self, address: &str) -> Vec<u8> {
        self.hash("address", address.trim().to_lowercase().as_bytes())
    }

    /// The token of the link in an email to this address.
    pub fn token(&self, address: &str) -> String {
        let address_hash = self.address_hash(address);
        let proof = self.hash("proof", &address_hash);
        hex::encode([address_hash, proof].concat())
    }

    /// The hash of the address that a token was made for; `None` if we have not made it.
    fn address_hash_of(&self, token: &str) -> Option<Vec<u8>> {
        let token = hex::decode(token).ok().filter(|token| token.len() == 2 * HASH_BYTES)?;
        let (address_hash, proof) = token.split_at(HASH_BYTES);
        // Compared in constant time, so that the time of a refusal reveals nothing about the right proof.
        self.mac("proof", address_hash).verify_truncated_left(proof).ok()?;
        Some(address_hash.to_vec())
    }

    fn hash(&self, purpose: &str, bytes: &[u8]) -> Vec<u8> {
        self.mac(purpose, bytes).finalize().into_bytes()[..HASH_BYTES].to_vec()
    }

    fn mac(&self, purpose: &str, bytes: &[u8]) -> Hmac<Sha256> {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(self.0.as_bytes()).expect("HMAC takes a key of any length");
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(bytes);
        mac
    }
}

/// The link for an email to this address.
pub fn unsubscribe_link(key: &Key, public_url: &str, address: &str) -> String {
    format!("{public_url}/unsubscribe/{}", key.token(address))
}

/// Checks a link's token.
///
/// # Errors
/// [`Error::NotFound`] for a token that is not ours.
pub fn require_token(app: &App, token: &str) -> Result<()> {
    app.store.read(|connection| address_hash(connection, token)).map(drop)
}

/// Unsubscribes the address that a token was made for. A second time changes nothing.
///
/// # Errors
/// Those of [`require_token`].
pub fn unsubscribe(app: &App, token: &str) -> Result<()> {
    let (address_hash, is_unsubscribed) = app.store.read(|connection| {
        let address_hash = address_hash(connection, token)?;
        let is_unsubscribed = unreachable::is_unsubscribed(connection, &address_hash)?;
        Ok((address_hash, is_unsubscribed))
    })?;
    if is_unsubscribed {
        return Ok(());
    }
    let token = token.to_ascii_lowercase();
    app.store.write(|connection| {
        let now = time::stored(time::now());
        // Emails that the mail server has not accepted yet must not be sent any more either.
        unreachable::discard_with_token(connection, &token)?;
        if unreachable::insert_unsubscribed(connection, &address_hash, &now)? {
            let line = audit::Line { actor: &Actor::Visitor, action: "unsubscribed", subject: None };
            audit::insert(connection, &now, &line)?;
        }
        Ok(())
    })
}

/// Whether an address has unsubscribed.
pub fn has_unsubscribed(connection: &Connection, address: &str) -> Result<bool> {
    match Key::stored(connection)? {
        Some(key) => unreachable::is_unsubscribed(connection, &key.address_hash(address)),
        None => Ok(false),
    }
}

fn address_hash(connection: &Connection, token: &str) -> Result<Vec<u8>> {
    let key = Key::stored(connection)?;
    key.and_then(|key| key.address_hash_of(token)).ok_or_else(|| {
        Error::NotFound("This link is not complete. Open it from the email again, or write to us.".into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_token_made_with_the_key_gives_an_address() {
        let key = Key("k".into());
        let token = key.token("Ada@example.com ");
        assert_eq!(token.len(), 4 * HASH_BYTES);
        assert_eq!(key.address_hash_of(&token), Some(key.address_hash("ada@example.com")));
        assert_ne!(key.address_hash("ada@example.com"), key.address_hash("bea@example.com"));
        let swapped = format!("{}{}", &key.token("bea@example.com")[..32], &token[32..]);
        for wrong in ["", "0", "zz", &token[..62], &format!("{token}00"), &swapped, &"0".repeat(64)] {
            assert_eq!(key.address_hash_of(wrong), None, "{wrong}");
        }
        assert_eq!(Key("other".into()).address_hash_of(&token), None);
    }
}
