//! Characters that nobody sees and that make a text look like another one, or like none.
//!
//! Left out on purpose: letters of one script that look like another's, and piles of accents. Both are in real names.

use std::ops::RangeInclusive;

use serde::{Deserialize, Deserializer, de::Error};

/// The code points that no text may have wherever they stand, as `rules.json` lists them: Unicode's
/// `Default_Ignorable_Code_Point` with the characters that change the direction of writing, the tags and the Hangul
/// fillers, the separators of lines and paragraphs, and some blank symbols.
pub(super) struct HiddenCharacters(Vec<RangeInclusive<char>>);

impl HiddenCharacters {
    /// The ranges, in the order of their code points.
    pub(super) fn ranges(&self) -> &[RangeInclusive<char>] {
        &self.0
    }

    pub(super) fn contain(&self, character: char) -> bool {
        !character.is_ascii() && self.0.iter().any(|range| range.contains(&character))
    }

    /// Whether the text has one, or a joiner or variation selector where it has no effect that a person could see.
    pub(super) fn are_in(&self, text: &str) -> bool {
        let mut before = '\0';
        !text.is_ascii()
            && text.chars().any(|character| {
                let hidden = if is_joiner(character) {
                    !may_be_joined(before)
                } else if is_variation_selector(character) {
                    !may_be_varied(before)
                } else {
                    self.contain(character)
                };
                before = character;
                hidden
            })
    }
}

/// Zero-width joiner and non-joiner: Persian and Indic spelling and emoji need them.
fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200C}' | '\u{200D}')
}

/// From the Arabic block on; the scripts before it (Latin, Greek, Cyrillic, Hebrew) need no joiner.
fn may_be_joined(before: char) -> bool {
    before >= '\u{600}' && !before.is_whitespace() && !is_joiner(before)
}

/// They choose between a text and an emoji, and between the shapes of an ideograph, some of which only names have.
fn is_variation_selector(character: char) -> bool {
    matches!(
        character,
        '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}'
    )
}

fn may_be_varied(before: char) -> bool {
    !(before == '\0'
        || before.is_ascii_alphabetic()
        || before.is_whitespace()
        || is_joiner(before)
        || is_variation_selector(before))
}

impl<'de> Deserialize<'de> for HiddenCharacters {
    /// From a list such as `["00AD", "2060-206F"]`, in hexadecimal.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HiddenCharacters, D::Error> {
        let character = |hexadecimal: &str| {
            let code = u32::from_str_radix(hexadecimal, 16).ok().and_then(char::from_u32);
            code.ok_or_else(|| D::Error::custom(format!("'{hexadecimal}' is no code point")))
        };
        let range = |text: String| {
            let (first, last) = text.split_once('-').unwrap_or((&text, &text));
            Ok(character(first)?..=character(last)?)
        };
        let ranges = Vec::<String>::deserialize(deserializer)?.into_iter().map(range);
        ranges.collect::<Result<_, _>>().map(HiddenCharacters)
    }
}
