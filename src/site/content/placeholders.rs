//! Placeholders in the content's email texts: `Hello {name},`.

/// The placeholders of the greeting.
pub const GREETING: [&str; 1] = ["name"];
/// The placeholders of the sentence about an earlier registration.
pub const AGAIN: [&str; 3] = ["name", "kind", "date"];
/// The placeholders of an email about a decision.
pub const DECISION: [&str; 4] = ["name", "event", "kind", "dates"];
/// The placeholders of the email about a refund.
pub const REFUND: [&str; 4] = ["name", "event", "amount", "number"];
/// The placeholders of the reminder of an unpaid entry.
pub const REMINDER: [&str; 5] = ["name", "event", "dates", "categories", "amount"];

/// The names of all placeholders, in order. An unmatched brace is plain text.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).filter_map(|piece| match piece {
        Piece::Name(name) => Some(name),
        Piece::Text(_) => None,
    })
}

/// Replaces each placeholder by its value. Placeholders within a value, and unknown ones, stay as they are.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => filled.push_str(text),
            Piece::Name(name) => match values.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => filled.push_str(value),
                None => filled.push_str(&format!("{{{name}}}")),
            },
        }
    }
    filled
}

enum Piece<'a> {
    Text(&'a str),
    Name(&'a str),
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some((name, after)) = rest.strip_prefix('{').and_then(|inside| inside.split_once('}'))
            && !name.contains(['{', '\n'])
        {
            rest = after;
            return Some(Piece::Name(name));
        }
        // At least one character, so that an unmatched brace is consumed.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[first..].find('{').map_or(rest.len(), |at| first + at);
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(Piece::Text(piece))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_placeholder_is_replaced_once() {
        let values = [("name", "Ada {kind}"), ("kind", "é")];
        let cases = [
            ("Hello {name}, {kind}!", "Hello Ada {kind}, é!"),
            ("{name}{name}", "Ada {kind}Ada {kind}"),
            ("{unknown} {", "{unknown} {"),
            ("{{name}}", "{Ada {kind}}"),
            ("{ é {na\nme}", "{ é {na\nme}"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(fill(text, &values), expected, "{text:?}");
        }
        assert_eq!(names("a {b} {c d} {").collect::<Vec<_>>(), ["b", "c d"]);
    }
}
