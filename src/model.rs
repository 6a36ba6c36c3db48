//! Types that the whole program uses: the seven kinds of registration, their states, and actors.
//! The fields of each kind are in `forms`.

mod expected;
mod ids;
mod money;
pub mod ticket_code;
pub mod token;

use std::fmt;

pub use expected::Expected;
pub use ids::{EntryId, IntentId};
pub use money::{Cents, format_count};

use crate::error::{self, Error};

/// Defines an enum whose variants have one text each, used in SQL, JSON, CSV and on the command line. Implements
/// `ALL`, `as_str`, `Display`, `FromStr`, `ToSql`, `FromSql`, `Serialize` and, for the tests, `TS`.
macro_rules! text_enum {
    ($(#[$attribute:meta])* pub enum $name:ident, $what:literal {
        $($(#[$comment:meta])* $variant:ident = $text:literal,)+
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$comment])* $variant,)+
        }

        impl $name {
            pub const ALL: [$name; [$($text),+].len()] = [$($name::$variant),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> std::result::Result<Self, String> {
                let found = $name::ALL.into_iter().find(|value| value.as_str() == text);
                found.ok_or_else(|| format!(concat!("'{}' is not ", $what), text))
            }
        }

        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                let parsed = value.as_str()?.parse();
                parsed.map_err(|error: String| rusqlite::types::FromSqlError::Other(error.into()))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(test)]
        impl ts_rs::TS for $name {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            const IS_ENUM: bool = true;

            fn name(_: &ts_rs::Config) -> String {
                stringify!($name).to_owned()
            }

            fn inline(_: &ts_rs::Config) -> String {
                $name::ALL.map(|value| format!("\"{value}\"")).join(" | ")
            }

            fn decl(config: &ts_rs::Config) -> String {
                format!("type {} = {};", Self::name(config), Self::inline(config))
            }

            fn output_path() -> Option<std::path::PathBuf> {
                Some(concat!(stringify!($name), ".ts").into())
            }
        }
    };
}
pub(crate) use text_enum;

/// Implements `ToSql` and `FromSql` for a type that holds only a value of another.
macro_rules! stored_as {
    ($name:ident, $inner:ty) => {
        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                rusqlite::types::ToSql::to_sql(&self.0)
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                <$inner as rusqlite::types::FromSql>::column_result(value).map($name)
            }
        }
    };
}
use stored_as;

text_enum! {
    /// The part that somebody has in the event.
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Role, "a role" {
        Competitor = "competitor",
        Speaker = "speaker",
        Judge = "judge",
        Demonstrator = "demonstrator",
        Sponsor = "sponsor",
        Guest = "guest",
    }
}

impl Role {
    pub const fn label(self) -> &'static str {
        match self {
            Role::Competitor => "Competitor",
            Role::Speaker => "Speaker",
            Role::Judge => "Judge",
            Role::Demonstrator => "Demonstrator",
            Role::Sponsor => "Sponsor",
            Role::Guest => "Guest",
        }
    }
}

text_enum! {
    /// One of the seven kinds of registration.
    pub enum Kind, "a kind of registration" {
        SpeakerApplications = "speaker-applications",
        JudgeApplications = "judge-applications",
        SponsorApplications = "sponsor-applications",
        ProfessionalDemoRegistrations = "professional-demo-registrations",
        CompetitionEntries = "competition-entries",
        WaitlistSignups = "waitlist-signups",
        SponsorInquiries = "sponsor-inquiries",
    }
}

impl Kind {
    /// Whether organisers accept, waitlist or decline it.
    pub const fn is_application(self) -> bool {
        matches!(
            self,
            Kind::SpeakerApplications
                | Kind::JudgeApplications
                | Kind::SponsorApplications
                | Kind::ProfessionalDemoRegistrations
        )
    }

    /// The role of the people who register in this way.
    pub const fn role(self) -> Role {
        match self {
            Kind::CompetitionEntries => Role::Competitor,
            Kind::SpeakerApplications => Role::Speaker,
            Kind::JudgeApplications => Role::Judge,
            Kind::SponsorApplications => Role::Sponsor,
            Kind::ProfessionalDemoRegistrations => Role::Demonstrator,
            Kind::WaitlistSignups | Kind::SponsorInquiries => Role::Guest,
        }
    }
}

text_enum! {
    /// A registration's review status.
    pub enum Status, "a status of a registration" {
        New = "new",
        InReview = "in_review",
        Accepted = "accepted",
        Waitlisted = "waitlisted",
        Declined = "declined",
        Withdrawn = "withdrawn",
        /// Only for entries: the person did not come.
        NoShow = "no_show",
        /// Probably not sent by a person: not counted and never emailed.
        SetAside = "set_aside",
    }
}

impl Status {
    /// Whether it was taken out, by the person or by an organiser.
    pub const fn is_out(self) -> bool {
        matches!(self, Status::Withdrawn | Status::Declined)
    }
}

text_enum! {
    /// The payment status of an entry.
    pub enum PaymentStatus, "a status of a payment" {
        Pending = "pending",
        Paid = "paid",
        PartiallyRefunded = "partially_refunded",
        Refunded = "refunded",
        Disputed = "disputed",
        Failed = "failed",
        Abandoned = "abandoned",
        /// Takes part without a payment, for a reason that an organiser gave.
        Complimentary = "complimentary",
    }
}

impl PaymentStatus {
    /// Whether it has not been paid.
    pub const fn is_unpaid(self) -> bool {
        matches!(self, PaymentStatus::Pending | PaymentStatus::Failed | PaymentStatus::Abandoned)
    }

    /// Whether money has paid for it, even if it was refunded since.
    pub const fn was_paid(self) -> bool {
        !self.is_unpaid() && !matches!(self, PaymentStatus::Complimentary)
    }

    /// Whether its entry has a place at the event.
    pub const fn holds_place(self) -> bool {
        !self.is_unpaid() && !matches!(self, PaymentStatus::Refunded)
    }
}

text_enum! {
    /// The state of the offer of a ticket.
    pub enum TransferState, "a state of a transfer" {
        Offered = "offered",
        Accepted = "accepted",
        /// Another offer was made, or somebody else got the ticket.
        Replaced = "replaced",
    }
}

text_enum! {
    /// The state of a refund.
    pub enum RefundState, "a state of a refund" {
        /// Stored, and perhaps sent: the provider has not answered.
        Unanswered = "asked",
        /// The provider has taken it, and the bank has not confirmed it.
        Pending = "pending",
        Done = "done",
        Failed = "failed",
    }
}

text_enum! {
    /// The state of a cardholder's dispute.
    pub enum DisputeState, "a state of a dispute" {
        Open = "open",
        Won = "won",
        Lost = "lost",
    }
}

text_enum! {
    /// Why a payment needs an organiser's attention.
    pub enum FindingKind, "a kind of payment finding" {
        NoEntry = "no_entry",
        WrongAmount = "wrong_amount",
        SecondPayment = "second_payment",
        RefundFailed = "refund_failed",
    }
}

/// The key of the slot for a photo of a release that the model signed on paper. No judge sees it.
pub const RELEASE_SLOT: &str = "release";

text_enum! {
    /// The state of a nomination.
    pub enum NominationState, "a state of a nomination" {
        Open = "open",
        HandedIn = "handed_in",
        Returned = "returned",
        Ready = "ready",
        Withdrawn = "withdrawn",
        Forfeited = "forfeited",
        Disqualified = "disqualified",
    }
}

/// Who did something, as the audit log and a registration's history name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// Somebody who is not signed in.
    Visitor,
    /// Whoever signed in with the shared password.
    Organiser,
    CommandLine,
    /// The thread that sends reports when they are due.
    Scheduler,
    PaymentProvider,
    /// The server itself.
    Program,
    /// The demo's sample data.
    Demo,
    /// An organiser with an account.
    Account(Username),
}

impl Actor {
    /// All actors except accounts. No account may have one of these names.
    pub const RESERVED: [Actor; 7] = [
        Actor::Visitor,
        Actor::Organiser,
        Actor::CommandLine,
        Actor::Scheduler,
        Actor::PaymentProvider,
        Actor::Program,
        Actor::Demo,
    ];

    /// The stored text.
    pub fn as_str(&self) -> &str {
        match self {
            Actor::Visitor => "visitor",
            Actor::Organiser => "organiser",
            Actor::CommandLine => "command line",
            Actor::Scheduler => "clock",
            Actor::PaymentProvider => "payment provider",
            Actor::Program => "program",
            Actor::Demo => "demo",
            Actor::Account(name) => &name.0,
        }
    }

    /// The actor of a stored text, or of a session's user name.
    pub fn parse(text: &str) -> Actor {
        let reserved = Actor::RESERVED.into_iter().find(|actor| actor.as_str() == text);
        reserved.unwrap_or_else(|| Actor::Account(Username(text.to_owned())))
    }
}

impl rusqlite::types::ToSql for Actor {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

impl serde::Serialize for Actor {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl rusqlite::types::FromSql for Actor {
    fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
        value.as_str().map(Actor::parse)
    }
}

/// The name of an organiser's account, which cannot be confused with another actor in the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Username(String);

impl Username {
    /// The longest name, in characters.
    const MAX_LENGTH: usize = 40;

    pub fn parse(name: &str) -> error::Result<Username> {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
        let wrong = if !(2..=Username::MAX_LENGTH).contains(&name.len()) || !is_plain {
            "A name has 2 to 40 letters, digits, dots, hyphens or underscores"
        } else if Username::reserved()
            .any(|reserved| reserved == name.to_lowercase().replace(['.', '_'], "-"))
        {
            "This name is reserved. Please choose another"
        } else {
            return Ok(Username(name.to_owned()));
        };
        Err(Error::field("username", wrong))
    }

    /// The names of [`Actor::RESERVED`], written as a user name can be: `command-line`.
    pub fn reserved() -> impl Iterator<Item = String> {
        Actor::RESERVED.into_iter().map(|actor| actor.as_str().replace(' ', "-"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A string that is never shown in a log or a debug print.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(value: impl Into<String>) -> Self {
        Secret(value.into())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_empty() { "(not set)" } else { "(secret)" })
    }
}

impl<'de> serde::Deserialize<'de> for Secret {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Secret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_account_has_the_name_of_another_actor() {
        for actor in Actor::RESERVED {
            assert_eq!(Actor::parse(actor.as_str()), actor);
            let name = actor.as_str().replace(' ', "_").to_uppercase();
            assert!(Username::parse(&name).is_err(), "{name}");
        }
        assert_eq!(Actor::parse("ines").as_str(), "ines");
        assert!(Username::parse("Ines").is_ok());
    }
}
