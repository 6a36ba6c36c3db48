//! The words of the house: the seven kinds of registration, and where one stands.
//! What a kind's fields are is in `rules`; how it is kept is in `store`.

use std::fmt;
use std::str::FromStr;

/// One of the seven kinds of registration. Its word is the same in paths, commands, CSV and lists
/// (docs/reference.md, "Commands").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    SpeakerApplications,
    JudgeApplications,
    SponsorApplications,
    ProfessionalDemoRegistrations,
    CompetitionEntries,
    WaitlistSignups,
    SponsorInquiries,
}

impl Kind {
    pub const ALL: [Kind; 7] = [
        Kind::SpeakerApplications,
        Kind::JudgeApplications,
        Kind::SponsorApplications,
        Kind::ProfessionalDemoRegistrations,
        Kind::CompetitionEntries,
        Kind::WaitlistSignups,
        Kind::SponsorInquiries,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::SpeakerApplications => "speaker-applications",
            Kind::JudgeApplications => "judge-applications",
            Kind::SponsorApplications => "sponsor-applications",
            Kind::ProfessionalDemoRegistrations => "professional-demo-registrations",
            Kind::CompetitionEntries => "competition-entries",
            Kind::WaitlistSignups => "waitlist-signups",
            Kind::SponsorInquiries => "sponsor-inquiries",
        }
    }

    /// Whether it is decided about: the person is accepted, waitlisted or declined.
    pub const fn is_application(self) -> bool {
        matches!(
            self,
            Kind::SpeakerApplications
                | Kind::JudgeApplications
                | Kind::SponsorApplications
                | Kind::ProfessionalDemoRegistrations
        )
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Kind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == word)
            .ok_or_else(|| format!("'{word}' is not a kind of registration"))
    }
}

/// Where a registration stands in the organiser's review (docs/reference.md, "HTTP").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    New,
    InReview,
    Accepted,
    Waitlisted,
    Declined,
    Withdrawn,
    /// Probably not sent by a person; counted nowhere, and never mailed to.
    SetAside,
}

impl Status {
    pub const ALL: [Status; 7] = [
        Status::New,
        Status::InReview,
        Status::Accepted,
        Status::Waitlisted,
        Status::Declined,
        Status::Withdrawn,
        Status::SetAside,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Status::New => "new",
            Status::InReview => "in_review",
            Status::Accepted => "accepted",
            Status::Waitlisted => "waitlisted",
            Status::Declined => "declined",
            Status::Withdrawn => "withdrawn",
            Status::SetAside => "set_aside",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for Status {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Status::ALL
            .into_iter()
            .find(|status| status.as_str() == word)
            .ok_or_else(|| format!("'{word}' is not a status of a registration"))
    }
}

/// How far an entry is with its payment (docs/reference.md, "HTTP").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaymentStatus {
    Pending,
    Paid,
    PartiallyRefunded,
    Refunded,
    Disputed,
    Failed,
    Abandoned,
}

impl PaymentStatus {
    pub const ALL: [PaymentStatus; 7] = [
        PaymentStatus::Pending,
        PaymentStatus::Paid,
        PaymentStatus::PartiallyRefunded,
        PaymentStatus::Refunded,
        PaymentStatus::Disputed,
        PaymentStatus::Failed,
        PaymentStatus::Abandoned,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            PaymentStatus::Pending => "pending",
            PaymentStatus::Paid => "paid",
            PaymentStatus::PartiallyRefunded => "partially_refunded",
            PaymentStatus::Refunded => "refunded",
            PaymentStatus::Disputed => "disputed",
            PaymentStatus::Failed => "failed",
            PaymentStatus::Abandoned => "abandoned",
        }
    }

    /// Whether no money has come in for it yet.
    pub const fn is_unpaid(self) -> bool {
        matches!(self, PaymentStatus::Pending | PaymentStatus::Failed | PaymentStatus::Abandoned)
    }
}

impl fmt::Display for PaymentStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for PaymentStatus {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        PaymentStatus::ALL
            .into_iter()
            .find(|status| status.as_str() == word)
            .ok_or_else(|| format!("'{word}' is not a status of a payment"))
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
