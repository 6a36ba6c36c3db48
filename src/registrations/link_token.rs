//! The token of a link that opens something without signing in. Only its hash is stored.

use sha2::{Digest, Sha256};

/// The length of a token, in hexadecimal digits.
const LENGTH: usize = 32;

/// A new token.
pub fn new() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// The hash of a token, which is stored in its place; `None` for a text that cannot be a token.
pub fn hash(token: &str) -> Option<Vec<u8>> {
    let is_token = token.len() == LENGTH && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_token.then(|| Sha256::digest(token).to_vec())
}
