//! Times of day in the content.

use std::fmt;
use std::str::FromStr;

use chrono::NaiveTime;

/// A time of day in the event's time zone, written `09:30`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClockTime(NaiveTime);

impl ClockTime {
    pub fn time(self) -> NaiveTime {
        self.0
    }
}

impl FromStr for ClockTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // chrono also accepts " 9:30". Only the canonical form is allowed.
        NaiveTime::parse_from_str(text, "%H:%M")
            .ok()
            .map(ClockTime)
            .filter(|time| time.to_string() == text)
            .ok_or_else(|| {
                format!("'{text}' is not a time of day; write it in 24 hours, like 09:30 or 18:00")
            })
    }
}

impl fmt::Display for ClockTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0.format("%H:%M"))
    }
}

/// Serializes a type as the text of its `Display`, and reads that with the error messages of its `FromStr`.
macro_rules! serialize_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(super) use serialize_as_text;

serialize_as_text!(ClockTime);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_day_is_four_digits_and_a_colon() {
        for good in ["00:00", "09:30", "18:00", "23:59"] {
            assert_eq!(good.parse::<ClockTime>().expect(good).to_string(), good);
        }
        for bad in
            ["", "9:30", "24:00", "12:60", "9:30 AM", "09:30:00", "0930", " 9:30", "+9:30", "０９:３０"]
        {
            assert!(bad.parse::<ClockTime>().is_err(), "{bad:?} was taken for a time");
        }
    }
}
