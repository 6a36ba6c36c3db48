//! The code of a ticket: ten characters of Crockford's base 32, random.

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 10;
/// The most characters of a typed code: each one may be followed by a space or hyphen.
const MAX_TYPED: usize = 2 * LENGTH;
/// The part of a ticket's URL before its code.
const PATH: &str = "/t/";

pub fn random() -> String {
    (0..LENGTH).map(|_| char::from(ALPHABET[rand::random_range(0..ALPHABET.len())])).collect()
}

/// The code that somebody typed or scanned: in any case, with spaces or hyphens, `O` for 0, `I` or `L` for 1, or as the end of a
/// ticket's address. `None` for anything else.
pub fn parse(text: &str) -> Option<String> {
    let text = text.trim();
    let code = text.rfind(PATH).map_or(text, |at| &text[at + PATH.len()..]);
    if code.len() > MAX_TYPED {
        return None;
    }
    let normalised = |character: char| match character.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        character => character,
    };
    let code: String = code.chars().filter(|c| !c.is_whitespace() && *c != '-').map(normalised).collect();
    let is_code = code.len() == LENGTH && code.bytes().all(|byte| ALPHABET.contains(&byte));
    is_code.then_some(code)
}

/// A code as people read and type it: `7KX3M-9QW2T`.
pub fn format(code: &str) -> String {
    let (first, last) = code.split_at(code.len() / 2);
    format!("{first}-{last}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_written() {
        for text in [
            "7KX3M9QW0T",
            "7kx3m-9qwot",
            " 7KX3M 9QW0T ",
            "https://example.com/t/7kx3m9qw0t",
            "7-K-X-3-M-9-Q-W-O-T",
        ] {
            assert_eq!(parse(text).as_deref(), Some("7KX3M9QW0T"), "{text}");
        }
        assert_eq!(parse("ilILoO1100").as_deref(), Some("1111001100"));
        let long = "x".repeat(3_000);
        for text in
            ["", "7KX3M9QW0", "7KX3M9QW0TT", "7KX3M9QW0U", "BEGIN:VCARD", "WIFI:S:x;;", "ÄÄÄÄÄÄÄÄÄÄ", &long]
        {
            assert_eq!(parse(text), None, "{text}");
        }
        let code = random();
        assert_eq!(parse(&format(&code)), Some(code));
    }
}
