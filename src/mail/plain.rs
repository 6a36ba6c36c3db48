//! Makes typed texts safe for an email to a typed address. Anybody can send our confirmation to a stranger, so nothing
//! in it may become a link or be long enough for a message of its own.

use crate::model::format_count;
use crate::registrations::screening;

/// The longest answer in a confirmation, in characters.
const MAX_ANSWER_LENGTH: usize = 100;
/// The longest name in a greeting, in characters.
const MAX_NAME_LENGTH: usize = 60;
/// The most words in a name in a greeting.
const MAX_WORDS: usize = 9;
/// Replaces an unsafe name in a greeting: "Hello there,".
pub const NO_NAME: &str = "there";
/// A zero-width space, which keeps mail programs from recognising a link.
const BREAK: char = '\u{200B}';

/// The name for a greeting, unless it looks like a message: a web address, a number, or many words. The template's
/// filter `unlinked` handles dots between letters.
pub fn greeting_name(name: &str) -> &str {
    let is_fit = name.chars().count() <= MAX_NAME_LENGTH
        && name.split_whitespace().count() <= MAX_WORDS
        && !name.contains(|character: char| character.is_numeric() || matches!(character, '@' | '/' | ':'))
        && !screening::has_link(name);
    if is_fit { name } else { NO_NAME }
}

/// An answer on one line; a long one is replaced by its length. Links are broken later, by the template's filter
/// `unlinked`: the stored values must contain what was typed, so that an erasure finds it.
pub fn answer(text: &str) -> String {
    let length = text.chars().count();
    if length > MAX_ANSWER_LENGTH {
        return format!(
            "(your text of {} characters)",
            format_count(u64::try_from(length).unwrap_or(u64::MAX))
        );
    }
    super::one_line(text)
}

/// The text with a break wherever a mail program would recognise a link: after a dot or an at sign between letters or
/// digits, and after the colon of `://`.
pub fn unlinked(text: &str) -> String {
    let mut plain = String::with_capacity(text.len() + 8);
    let mut before = None;
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        plain.push(character);
        let is_inside = before.is_some_and(char::is_alphanumeric)
            && rest.clone().next().is_some_and(char::is_alphanumeric);
        let is_link = match character {
            '.' | '@' => is_inside,
            ':' => rest.as_str().starts_with("//"),
            _ => false,
        };
        if is_link {
            plain.push(BREAK);
        }
        before = Some(character);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_text_does_not_become_a_link() {
        for (typed, plain) in [
            ("", ""),
            ("Dr. Ana M. Cruz", "Dr. Ana M. Cruz"),
            ("Lashes.com", "Lashes.|com"),
            ("https://evil.example/pay?id=1", "https:|//evil.|example/pay?id=1"),
            ("www.evil.example", "www.|evil.|example"),
            ("pay@evil.example now", "pay@|evil.|example now"),
            ("@ada.lash", "@ada.|lash"),
            ("at 10:30, 2.5 hours.", "at 10:30, 2.|5 hours."),
            ("é.рф", "é.|рф"),
        ] {
            assert_eq!(unlinked(typed), plain.replace('|', "\u{200B}"), "{typed}");
        }
    }

    #[test]
    fn a_long_answer_is_replaced_and_a_short_one_is_on_one_line() {
        assert_eq!(answer("Brow lamination\nand tint"), "Brow lamination and tint");
        assert_eq!(answer(&"é".repeat(100)), "é".repeat(100));
        assert_eq!(answer(&"é".repeat(101)), "(your text of 101 characters)");
        assert_eq!(answer(&"e".repeat(10_000)), "(your text of 10,000 characters)");
    }

    #[test]
    fn only_a_name_that_looks_like_one_is_used_in_a_greeting() {
        for (name, greeted) in [
            ("Ada Sample", true),
            ("Dr. Ana M. Cruz", true),
            ("J.Lo Beauty", true),
            ("Maria do Carmo de Souza Albuquerque e Oliveira Vasconcelos", true),
            ("Lash.com Studio", false),
            ("Call +1 900 555 0100 now", false),
            ("pay@evil.support", false),
            ("a b c d e f g h i j", false),
            ("https://evil.example/pay", false),
            ("Your parcel is held! Pay the fee of 2.99 now, or it goes back to the sender", false),
        ] {
            assert_eq!(greeting_name(name), if greeted { name } else { "there" });
        }
    }
}
