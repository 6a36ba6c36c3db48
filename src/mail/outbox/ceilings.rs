//! How much mail strangers can cause: so many confirmations to one mailbox, so many notices to the organiser, and so
//! many mails in an hour. Receipts are exempt.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;

use crate::app::App;
use crate::config::Limits;
use crate::error::Result;
use crate::forms::Record;
use crate::mail::outbox;
use crate::mail::{self, Message};
use crate::model::Kind;
use crate::site::content::Content;
use crate::store::outbox::{self as mails, Priority};
use crate::time;

/// What the organiser's notices are counted as, and the mail that says that more would follow. No mailbox has these names: they lack an @.
const NOTICES: &str = "notices";
const MORE_NOTICES: &str = "more notices";

/// What is counted is forgotten after this long: the longest time that a ceiling looks back.
pub const LOOK_BACK: TimeDelta = TimeDelta::days(1);

/// Whether a confirmation of this kind may go to an address: so many of the kind an hour, so many in all a day. Asked
/// within the transaction that queues it, so that requests at once cannot exceed it.
pub fn may_confirm(
    connection: &Connection,
    limits: &Limits,
    kind: Kind,
    address: &str,
    now: DateTime<Utc>,
) -> Result<bool> {
    let mailbox = mailbox(address);
    let is_below = |ceiling: u32, kind: Option<Kind>, period: TimeDelta| -> Result<bool> {
        let since = time::stored(now - period);
        Ok(ceiling == 0 || mails::count_as(connection, &mailbox, kind, &since)? < ceiling)
    };
    Ok(is_below(limits.confirmations_per_hour, Some(kind), TimeDelta::hours(1))?
        && is_below(limits.confirmations_per_day, None, LOOK_BACK)?)
}

/// Queues the confirmation of a form; it counts against the ceilings of [`may_confirm`].
///
/// Where mails wait for the mail server, those of a network that has sent many forms today must not keep those of
/// others behind them. The outbox sends what has been due the longest, so the n-th form of a network counts as due since
/// the n-th part of a day: its first one goes before the hundredth of another network, and its own keep their order.
pub fn queue_confirmation(
    connection: &Connection,
    about: (Kind, i64),
    message: &Message,
    now: DateTime<Utc>,
    number_today: u32,
) -> Result<()> {
    let due_at =
        time::stored(now - TimeDelta::days(1) / i32::try_from(number_today.max(1)).unwrap_or(i32::MAX));
    let cause = format!("confirmation/{}/{}", about.0, about.1);
    let counted_as = mailbox(&message.to);
    let mail = outbox::new_mail(cause, Priority::Visitor, Some(about), message);
    let mail = mails::NewMail { counted_as: Some(&counted_as), due_at: Some(&due_at), ..mail };
    outbox::insert(connection, &mail, message, &time::stored(now))
}

/// The organiser's notices, as far as they are wanted.
pub struct Notices {
    pub recipient: String,
    /// 0: no ceiling.
    per_hour: u32,
}

impl Notices {
    /// `None` when the content asks for none, or nobody would get them.
    pub fn of(app: &App, content: &Content) -> Option<Notices> {
        let recipient = app.config.reports.recipient.clone();
        let is_wanted = content.mail.notify_organiser && !recipient.is_empty();
        is_wanted.then_some(Notices { recipient, per_hour: app.config.limits.notices_per_hour })
    }

    /// Queues the notice of a registration. Beyond the hour's ceiling one mail says that more are on the dashboard, and
    /// the others are not sent.
    ///
    /// # Errors
    /// [`crate::error::Error::Internal`] when the mail cannot be written.
    pub fn queue(
        &self,
        connection: &Connection,
        content: &Content,
        public_url: &str,
        record: &Record,
        id: i64,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let since = time::stored(now - TimeDelta::hours(1));
        let count = |what: &str| mails::count_as(connection, what, None, &since);
        let has_room = self.per_hour == 0 || count(NOTICES)? < self.per_hour;
        let (cause, counted_as, message) = if has_room {
            let notice = mail::notice(content, public_url, record, &self.recipient)?;
            ("notice", NOTICES, notice)
        } else if count(MORE_NOTICES)? == 0 {
            let more = mail::more_notices(content, public_url, self.per_hour, &self.recipient)?;
            ("more-notices", MORE_NOTICES, more)
        } else {
            return Ok(());
        };
        let about = (record.kind(), id);
        let cause = format!("{cause}/{}/{id}", about.0);
        let mail = outbox::new_mail(cause, Priority::Visitor, has_room.then_some(about), &message);
        let mail = mails::NewMail { counted_as: Some(counted_as), ..mail };
        outbox::insert(connection, &mail, &message, &time::stored(now))
    }
}

/// The mailbox that an address leads to, as far as that can be told from outside: case, a `+tag` and, at Gmail, dots
/// make no other one (<https://support.google.com/mail/answer/7436150>).
fn mailbox(address: &str) -> String {
    let address = address.trim().to_lowercase();
    let Some((name, domain)) = address.rsplit_once('@') else { return address };
    let name = name.split_once('+').map_or(name, |(name, _)| name);
    match domain {
        "gmail.com" | "googlemail.com" => format!("{}@gmail.com", name.replace('.', "")),
        _ => format!("{name}@{domain}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_counted_as_its_mailbox() {
        for (address, expected) in [
            ("ada@example.com", "ada@example.com"),
            (" Ada@Example.COM", "ada@example.com"),
            ("ada+1@example.com", "ada@example.com"),
            ("ada+a+b@example.com", "ada@example.com"),
            ("a.da@example.com", "a.da@example.com"),
            ("A.d.a+x@gmail.com", "ada@gmail.com"),
            ("ada@GoogleMail.com", "ada@gmail.com"),
            ("ada@mail.gmail.com", "ada@mail.gmail.com"),
            ("ada", "ada"),
        ] {
            assert_eq!(mailbox(address), expected, "{address}");
        }
    }
}
