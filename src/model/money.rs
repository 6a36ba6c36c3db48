//! Amounts of money.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

use super::stored_as;

/// An amount in US cents. Displayed in dollars: `$449.00`, `$1,002.24`, `-$5.00`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Cents(pub i64);

impl fmt::Display for Cents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (dollars, rest) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        write!(formatter, "{sign}${}.{rest:02}", format_count(dollars))
    }
}

impl Add for Cents {
    type Output = Cents;

    fn add(self, other: Cents) -> Cents {
        Cents(self.0 + other.0)
    }
}

impl Sub for Cents {
    type Output = Cents;

    fn sub(self, other: Cents) -> Cents {
        Cents(self.0 - other.0)
    }
}

impl Sum for Cents {
    fn sum<I: Iterator<Item = Cents>>(amounts: I) -> Cents {
        amounts.fold(Cents(0), Add::add)
    }
}

stored_as!(Cents, i64);

/// 1234567 as `1,234,567`.
pub fn format_count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_displayed_in_dollars() {
        for (cents, text) in [
            (0, "$0.00"),
            (5, "$0.05"),
            (44_900, "$449.00"),
            (100_224, "$1,002.24"),
            (123_456_789, "$1,234,567.89"),
            (-500, "-$5.00"),
        ] {
            assert_eq!(Cents(cents).to_string(), text);
        }
    }
}
