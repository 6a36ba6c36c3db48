//! Invisible characters, which can make one text look like another, or make it seem empty.
//!
//! Left out on purpose: letters that look like those of another script, and stacked accents. Real names have both.

use std::ops::RangeInclusive;

use serde::{Deserialize, Deserializer, de::Error};

/// A list of code points in `rules.json`. `hiddenCharacters` has those that no text may contain: Unicode's
/// `Default_Ignorable_Code_Point`, bidirectional control characters, tags, Hangul fillers, line and paragraph
/// separators, and some blank symbols.
pub(super) struct CodePoints(Vec<RangeInclusive<char>>);

impl CodePoints {
    /// The ranges, in ascending order.
    pub(super) fn ranges(&self) -> &[RangeInclusive<char>] {
        &self.0
    }

    pub(super) fn contains(&self, character: char) -> bool {
        !character.is_ascii() && self.0.iter().any(|range| range.contains(&character))
    }

    /// Whether the text has one of them, or a joiner or variation selector after a character that takes none.
    pub(super) fn found_in(&self, text: &str) -> bool {
        let mut previous = '\0';
        !text.is_ascii()
            && text.chars().any(|character| {
                let hidden = if is_joiner(character) {
                    !may_be_joined(previous)
                } else if is_variation_selector(character) {
                    !may_be_varied(previous)
                } else {
                    self.contains(character)
                };
                previous = character;
                hidden
            })
    }
}

/// Whether a character is invisible by itself and has a use after another one.
pub(super) fn only_modifies(character: char) -> bool {
    is_joiner(character) || is_variation_selector(character)
}

/// Zero-width joiner and non-joiner, which Persian, Indic scripts and emoji need.
fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200C}' | '\u{200D}')
}

/// Latin, Greek, Cyrillic and Hebrew need no joiner: the scripts before the Arabic block, and from U+1E00 to U+1FFF more
/// Latin, such as Vietnamese, and Greek.
fn may_be_joined(previous: char) -> bool {
    previous >= '\u{600}'
        && !('\u{1E00}'..='\u{1FFF}').contains(&previous)
        && !previous.is_whitespace()
        && !is_joiner(previous)
}

/// Variation selectors choose between text and emoji, and between forms of an ideograph, some used only in names.
fn is_variation_selector(character: char) -> bool {
    matches!(
        character,
        '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}'
    )
}

fn may_be_varied(previous: char) -> bool {
    !(previous == '\0'
        || previous.is_ascii_alphabetic()
        || previous.is_whitespace()
        || is_joiner(previous)
        || is_variation_selector(previous))
}

impl<'de> Deserialize<'de> for CodePoints {
    /// Parses a list such as `["00AD", "2060-206F"]`, in hexadecimal.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CodePoints, D::Error> {
        let character = |hexadecimal: &str| {
            let code = u32::from_str_radix(hexadecimal, 16).ok().and_then(char::from_u32);
            code.ok_or_else(|| D::Error::custom(format!("'{hexadecimal}' is not a code point")))
        };
        let range = |text: String| {
            let (first, last) = text.split_once('-').unwrap_or((&text, &text));
            Ok(character(first)?..=character(last)?)
        };
        let ranges = Vec::<String>::deserialize(deserializer)?.into_iter().map(range);
        ranges.collect::<Result<_, _>>().map(CodePoints)
    }
}
