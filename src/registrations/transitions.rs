//! Which status may follow which, for every kind, and when an entry may take part without a payment. A decision
//! may be changed any number of times; the history has each change.

use rusqlite::Connection;

use crate::error::{Error, Result};
use crate::model::{EntryId, Kind, PaymentStatus, Status};
use crate::store::payments;
use crate::store::registrations::Stored;

/// The states of a registration that decide what may be done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegistrationState {
    pub kind: Kind,
    pub status: Status,
    /// Only for entries.
    pub payment: Option<PaymentStatus>,
}

/// What an organiser does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    SetStatus(Status),
    /// Lets an entry take part without a payment.
    WaivePayment,
}

/// Why something cannot be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    HeldForReview,
    OnlyEntries,
    NotPaid,
    Withdrawn,
    PaidAlready,
}

impl RegistrationState {
    pub fn read(connection: &Connection, stored: &Stored) -> Result<RegistrationState> {
        let kind = stored.record.kind();
        let payment = match kind {
            Kind::CompetitionEntries => {
                payments::get(connection, EntryId(stored.id))?.map(|payment| payment.status)
            }
            _ => None,
        };
        Ok(RegistrationState { kind, status: stored.status, payment })
    }

    /// The states after an action.
    pub fn after(self, action: Action) -> std::result::Result<RegistrationState, Refusal> {
        match action {
            Action::SetStatus(status) if status == self.status => Ok(self),
            Action::SetStatus(status) if self.status == Status::SetAside && status != Status::New => {
                Err(Refusal::HeldForReview)
            }
            Action::SetStatus(Status::NoShow) => match self.payment {
                None => Err(Refusal::OnlyEntries),
                Some(payment) if !payment.holds_place() => Err(Refusal::NotPaid),
                Some(_) if self.status == Status::Withdrawn => Err(Refusal::Withdrawn),
                Some(_) => Ok(RegistrationState { status: Status::NoShow, ..self }),
            },
            Action::SetStatus(status) => Ok(RegistrationState { status, ..self }),
            Action::WaivePayment => match (self.payment, self.status) {
                (None, _) => Err(Refusal::OnlyEntries),
                (Some(PaymentStatus::Complimentary), _) => Ok(self),
                (Some(payment), _) if !payment.is_unpaid() => Err(Refusal::PaidAlready),
                (_, Status::SetAside) => Err(Refusal::HeldForReview),
                (_, Status::Withdrawn | Status::Declined) => Err(Refusal::Withdrawn),
                _ => Ok(RegistrationState { payment: Some(PaymentStatus::Complimentary), ..self }),
            },
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        Error::Conflict(
            match refusal {
                Refusal::HeldForReview => "This is held for review. Set it to 'new' first, then decide.",
                Refusal::OnlyEntries => "Only a competition entry can have this state.",
                Refusal::NotPaid => "This entry is not paid, so it has no place that could stay empty.",
                Refusal::Withdrawn => "This entry was withdrawn or declined. Set it to 'new' first.",
                Refusal::PaidAlready => "This entry was paid. Refund the payment instead.",
            }
            .into(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Refusal::{HeldForReview, NotPaid, OnlyEntries, PaidAlready, Withdrawn};

    const UNPAID: [PaymentStatus; 3] =
        [PaymentStatus::Pending, PaymentStatus::Failed, PaymentStatus::Abandoned];
    const WITH_PLACE: [PaymentStatus; 4] = [
        PaymentStatus::Paid,
        PaymentStatus::PartiallyRefunded,
        PaymentStatus::Disputed,
        PaymentStatus::Complimentary,
    ];

    /// One row a status: what an entry without a place answers to a no-show, one with a place, and an unpaid one to a
    /// waived payment.
    const ENTRIES: [(Status, [Option<Refusal>; 3]); 8] = [
        (Status::New, [Some(NotPaid), None, None]),
        (Status::InReview, [Some(NotPaid), None, None]),
        (Status::Accepted, [Some(NotPaid), None, None]),
        (Status::Waitlisted, [Some(NotPaid), None, None]),
        (Status::Declined, [Some(NotPaid), None, Some(Withdrawn)]),
        (Status::Withdrawn, [Some(NotPaid), Some(Withdrawn), Some(Withdrawn)]),
        (Status::NoShow, [None, None, None]),
        (Status::SetAside, [Some(HeldForReview), Some(HeldForReview), Some(HeldForReview)]),
    ];

    #[test]
    fn an_entry_changes_its_state_as_the_table_says() {
        assert_eq!(ENTRIES.map(|(status, _)| status), Status::ALL);
        for (status, [without_place, with_place, waived]) in ENTRIES {
            for payment in PaymentStatus::ALL {
                let before =
                    RegistrationState { kind: Kind::CompetitionEntries, status, payment: Some(payment) };
                let no_show = if WITH_PLACE.contains(&payment) { with_place } else { without_place };
                let expected =
                    no_show.map_or(Ok(RegistrationState { status: Status::NoShow, ..before }), Err);
                assert_eq!(before.after(Action::SetStatus(Status::NoShow)), expected, "{before:?}");
                let complimentary =
                    RegistrationState { payment: Some(PaymentStatus::Complimentary), ..before };
                let expected = match payment {
                    PaymentStatus::Complimentary => Ok(before),
                    payment if UNPAID.contains(&payment) => waived.map_or(Ok(complimentary), Err),
                    _ => Err(PaidAlready),
                };
                assert_eq!(before.after(Action::WaivePayment), expected, "{before:?}");
            }
        }
    }

    #[test]
    fn every_kind_may_have_every_other_status_unless_it_is_held_for_review() {
        for kind in Kind::ALL {
            let payment = (kind == Kind::CompetitionEntries).then_some(PaymentStatus::Paid);
            for from in Status::ALL {
                let before = RegistrationState { kind, status: from, payment };
                for to in Status::ALL.into_iter().filter(|to| *to != Status::NoShow) {
                    let is_held = from == Status::SetAside && ![Status::New, from].contains(&to);
                    let expected = if is_held {
                        Err(HeldForReview)
                    } else {
                        Ok(RegistrationState { status: to, ..before })
                    };
                    assert_eq!(before.after(Action::SetStatus(to)), expected, "{kind} {from} {to}");
                }
                if payment.is_none() && ![Status::NoShow, Status::SetAside].contains(&from) {
                    assert_eq!(before.after(Action::SetStatus(Status::NoShow)), Err(OnlyEntries));
                    assert_eq!(before.after(Action::WaivePayment), Err(OnlyEntries));
                }
            }
        }
    }
}
