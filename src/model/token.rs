//! Random tokens of links, cookies and keys. What is stored of those that open something is their hash.

use sha2::{Digest, Sha256};

/// 256 random bits in hexadecimal digits.
pub fn new() -> String {
    hex::encode(rand::random::<[u8; 32]>())
}

/// 128 random bits: 32 hexadecimal digits, short enough for a QR code that is easy to read.
pub fn short() -> String {
    hex::encode(rand::random::<[u8; 16]>())
}

pub fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token).to_vec()
}
