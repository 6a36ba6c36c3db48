//! Placeholders in the content's email texts: `Hello {name},`.

/// The placeholders of the greeting.
pub const GREETING: [&str; 1] = ["name"];
/// The placeholders of the sentence about an earlier registration.
pub const AGAIN: [&str; 3] = ["name", "kind", "date"];
/// The placeholders of an email about a decision.
pub const DECISION: [&str; 4] = ["name", "event", "kind", "dates"];
/// The placeholders of the email about a refund.
pub const REFUND: [&str; 4] = ["name", "event", "amount", "number"];
/// The placeholders of the invitation from the waitlist.
pub const INVITATION: [&str; 4] = ["name", "event", "dates", "until"];
/// The placeholders of the confirmation of a registration.
pub const CONFIRMATION: [&str; 4] = ["name", "event", "kind", "dates"];
/// The placeholders of the email with the receipt of a paid entry.
pub const RECEIPT: [&str; 6] = ["name", "event", "dates", "number", "categories", "amount"];
/// The placeholders of the reminder of an unpaid entry.
pub const REMINDER: [&str; 5] = ["name", "event", "dates", "categories", "amount"];

/// The placeholders of the email that asks for photos of a nomination again.
pub const NOMINATION_RETURNED: [&str; 6] = ["name", "event", "nomination", "photos", "reason", "deadline"];
/// The placeholders of the email that a nomination is ready for the judges.
pub const NOMINATION_READY: [&str; 3] = ["name", "event", "nomination"];

/// The placeholders of the email with a ticket.
pub const TICKET: [&str; 5] = ["name", "event", "dates", "hours", "place"];

/// The names of all placeholders, in order. An unmatched brace is plain text.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).filter_map(|piece| match piece {
        Piece::Name(name) => Some(name),
        Piece::Text(_) => None,
    })
}

/// Replaces each placeholder by its value. Placeholders within a value, and unknown ones, stay as they are.
pub fn fill(text: &str, values: &[(&str, impl AsRef<str>)]) -> String {
    let mut filled = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => filled.push_str(text),
            Piece::Name(name) => match values.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => filled.push_str(value.as_ref()),
                None => filled.push_str(&format!("{{{name}}}")),
            },
        }
    }
    filled
}

/// A text that an organiser has typed, with every placeholder written as `{name}`; `{{ name }}` is accepted too. There is
/// nothing else to a placeholder: no condition, no filter, no placeholder within another.
///
/// # Errors
/// A sentence for each placeholder that is not among `known` and for each brace that belongs to none, with its line.
pub fn normalised(text: &str, known: &[&str]) -> Result<String, Vec<String>> {
    let mut written = String::with_capacity(text.len());
    let mut mistakes = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        let mut mistake = |sentence: String| mistakes.push(format!("Line {}: {sentence}", number + 1));
        if number > 0 {
            written.push('\n');
        }
        let mut rest = line;
        while let Some(at) = rest.find(['{', '}']) {
            written.push_str(&rest[..at]);
            let (close, inside) = match rest[at..].strip_prefix("{{") {
                Some(inside) => ("}}", inside),
                None => ("}", rest[at..].strip_prefix('{').unwrap_or_default()),
            };
            match inside.split_once(close) {
                Some((name, after)) if !name.contains('{') => {
                    let name = name.trim();
                    if !known.contains(&name) {
                        let known: Vec<String> = known.iter().map(|name| format!("{{{name}}}")).collect();
                        mistake(format!(
                            "there is no placeholder '{name}'. You can use {}.",
                            known.join(", ")
                        ));
                    }
                    written.push_str(&format!("{{{name}}}"));
                    rest = after;
                }
                _ => {
                    mistake(
                        "a brace is not part of a placeholder. Remove it, or write one like {name}.".into(),
                    );
                    rest = "";
                }
            }
        }
        written.push_str(rest);
    }
    if mistakes.is_empty() { Ok(written) } else { Err(mistakes) }
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

    #[test]
    fn a_typed_text_has_known_placeholders_only() {
        let known = ["name", "event"];
        for (text, expected) in [
            ("Hello {name}, {{ event }}{{name}}!", "Hello {name}, {event}{name}!"),
            ("{ name }\n\né", "{name}\n\né"),
            ("", ""),
        ] {
            assert_eq!(normalised(text, &known).as_deref(), Ok(expected), "{text:?}");
        }
        for (text, mistakes) in [
            (
                "a\n{nmae} and {b}",
                &["Line 2: there is no placeholder 'nmae'", "Line 2: there is no placeholder 'b'"][..],
            ),
            ("{{ {{ name }} }}", &["Line 1: a brace"]),
            ("{name {event}}", &["Line 1: a brace"]),
            ("{% if name %}", &["Line 1: there is no placeholder '% if name %'"]),
            ("{{ name | safe }}", &["Line 1: there is no placeholder 'name | safe'"]),
            ("a\n\n}", &["Line 3: a brace"]),
            ("{na\nme}", &["Line 1: a brace", "Line 2: a brace"]),
            ("{{ name }", &["Line 1: a brace"]),
        ] {
            let found = normalised(text, &known).expect_err(text);
            assert_eq!(found.len(), mistakes.len(), "{text:?}: {found:?}");
            for (found, start) in found.iter().zip(mistakes) {
                assert!(found.starts_with(start), "{text:?}: {found}");
            }
        }
    }
}
