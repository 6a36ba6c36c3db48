//! What a stranger typed, made fit for a mail to whatever address the stranger typed beside it: nothing of it becomes a
//! link, and nothing of it is long.

use crate::payments::pricing::grouped;
use crate::registrations::screening;

/// A longer answer is left out of a confirmation, in characters.
const LONGEST_ANSWER: usize = 100;
/// A longer name is left out of a greeting, in characters.
const LONGEST_NAME: usize = 60;
/// A name of more words is left out as well.
const MOST_WORDS: usize = 9;
/// Stands in a greeting for a name that is not fit for one: "Hello there,".
const NO_NAME: &str = "there";
/// Shows nothing, and keeps mail programs from making a link of what stands around it.
const BREAK: char = '\u{200B}';

/// What a person is greeted by: their name, unless it looks like a message: an address of the web, a number, many words.
/// What is left of dots between letters is kept from becoming a link by the template.
pub fn greeting_name(name: &str) -> &str {
    let is_fit = name.chars().count() <= LONGEST_NAME
        && name.split_whitespace().count() <= MOST_WORDS
        && !name.contains(|character: char| character.is_numeric() || matches!(character, '@' | '/' | ':'))
        && !screening::holds_address(name);
    if is_fit { name } else { NO_NAME }
}

/// An answer on one line; a long one is only told of. The templates keep links out of it, with the filter `unlinked`: the
/// words of a mail hold what was typed, so that an erasure finds it.
pub fn answer(text: &str) -> String {
    let length = text.chars().count();
    if length > LONGEST_ANSWER {
        return format!("(your text of {} characters)", grouped(u64::try_from(length).unwrap_or(u64::MAX)));
    }
    super::one_line(text)
}

/// The text with a break in whatever a mail program would make a link of: behind dots, colons of `://`, and at signs
/// between letters.
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
    fn nothing_that_was_typed_becomes_a_link() {
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
    fn a_long_answer_is_told_of_and_a_short_one_is_shown_on_one_line() {
        assert_eq!(answer("Brow lamination\nand tint"), "Brow lamination and tint");
        assert_eq!(answer(&"é".repeat(100)), "é".repeat(100));
        assert_eq!(answer(&"é".repeat(101)), "(your text of 101 characters)");
        assert_eq!(answer(&"e".repeat(10_000)), "(your text of 10,000 characters)");
    }

    #[test]
    fn people_are_greeted_by_their_names_and_addresses_are_not() {
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
