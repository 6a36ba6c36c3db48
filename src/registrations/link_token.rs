//! The token of a link that opens something without signing in. Only its hash is stored.

pub use crate::model::token::short as new;

/// The length of a token, in hexadecimal digits.
const LENGTH: usize = 32;

/// The hash of a token, which is stored in its place; `None` for a text that cannot be a token.
pub fn hash(token: &str) -> Option<Vec<u8>> {
    let is_token = token.len() == LENGTH && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_token.then(|| crate::model::token::hash(token))
}
