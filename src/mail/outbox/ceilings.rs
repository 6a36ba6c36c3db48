//! Ceilings on the emails that strangers can cause: confirmations to one mailbox, and notices to the organiser. The
//! ceiling on all emails in an hour is in the outbox. Receipts are exempt.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;

use crate::app::App;
use crate::config::Limits;
use crate::error::Result;
use crate::forms::{EmailAddress, Record};
use crate::mail::outbox;
use crate::mail::{self, Message};
use crate::model::Kind;
use crate::site::content::Content;
use crate::store::outbox::{self as stored_emails, Priority};
use crate::time;

/// The keys under which the organiser's notices, and the last one that says no more will follow, are counted. They cannot
/// collide with a mailbox, because they have no @.
const NOTICES: &str = "notices";
const MORE_NOTICES: &str = "more notices";

/// Confirmations of one kind to one address in an hour.
const CONFIRMATIONS_PER_HOUR: u32 = 2;
/// Notices to the organiser in an hour. One more then points to the organiser's pages.
pub const NOTICES_PER_HOUR: u32 = 60;

/// The longest period of a ceiling. Counts are deleted after it.
pub const LOOK_BACK: TimeDelta = TimeDelta::days(1);

/// Whether a confirmation of this kind may be sent to an address. There is a ceiling by kind and hour, and one by day.
/// Call it within the transaction that queues the email, so that concurrent requests cannot exceed the ceilings.
pub fn may_confirm(
    connection: &Connection,
    limits: &Limits,
    kind: Kind,
    address: &EmailAddress,
    now: DateTime<Utc>,
) -> Result<bool> {
    let mailbox = address.mailbox();
    let is_below = |ceiling: u32, kind: Option<Kind>, period: TimeDelta| -> Result<bool> {
        let since = time::stored(now - period);
        Ok(ceiling == 0 || stored_emails::count_as(connection, &mailbox, kind, &since)? < ceiling)
    };
    let per_day = limits.confirmations_per_day;
    Ok(is_below(per_day.min(CONFIRMATIONS_PER_HOUR), Some(kind), TimeDelta::hours(1))?
        && is_below(per_day, None, LOOK_BACK)?)
}

/// Queues the confirmation of a form; it counts against the ceilings of [`may_confirm`].
///
/// While emails wait for the mail server, a network that has sent many forms today must not delay the others. The outbox
/// sends the email that has been due the longest, so the n-th form of a network counts as due for a day divided by n:
/// its first goes before the hundredth of another network, and its own keep their order.
pub fn queue_confirmation(
    connection: &Connection,
    record: &Record,
    id: i64,
    message: &Message,
    now: DateTime<Utc>,
    number_today: u32,
) -> Result<()> {
    let divisor = i32::try_from(number_today.max(1)).unwrap_or(i32::MAX);
    let due_at = time::stored(now - TimeDelta::days(1) / divisor);
    let kind = record.kind();
    let cause = format!("confirmation/{kind}/{id}");
    let counted_as = record.email().mailbox();
    let mail = outbox::new_mail(cause, Priority::Visitor, Some((kind, id)), message);
    let mail = stored_emails::NewMail { counted_as: Some(&counted_as), due_at: Some(&due_at), ..mail };
    outbox::insert(connection, &mail, message, &time::stored(now)).map(drop)
}

/// Links to the Artist Portal that a mailbox gets in a day.
const ARTIST_LINKS_PER_DAY: u32 = 10;

/// Queues a link to the Artist Portal; `false` if the mailbox has had too many today. It is sent before other emails,
/// because its code works for minutes.
pub fn queue_artist_link(
    connection: &Connection,
    address: &EmailAddress,
    message: &Message,
    now: DateTime<Utc>,
) -> Result<bool> {
    let counted_as = format!("artist link {}", address.mailbox());
    let since = time::stored(now - LOOK_BACK);
    if stored_emails::count_as(connection, &counted_as, None, &since)? >= ARTIST_LINKS_PER_DAY {
        return Ok(false);
    }
    let cause = format!("artist-link/{}", message.message_id);
    let mail = outbox::new_mail(cause, Priority::Urgent, None, message);
    let mail = stored_emails::NewMail { counted_as: Some(&counted_as), ..mail };
    outbox::insert(connection, &mail, message, &time::stored(now))?;
    Ok(true)
}

/// The organiser's notices of registrations, if they are wanted.
pub struct Notices {
    recipient: String,
}

impl Notices {
    /// `None` if the content switches them off or there is no recipient.
    pub fn new(app: &App, content: &Content) -> Option<Notices> {
        let recipient = app.config.reports.recipient.clone();
        let is_wanted = content.mail.notify_organiser && !recipient.is_empty();
        is_wanted.then_some(Notices { recipient })
    }

    /// Queues the notice of a registration. Above the ceiling, one email refers to the dashboard and no more are sent.
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
        let count = |what: &str| stored_emails::count_as(connection, what, None, &since);
        let is_below = count(NOTICES)? < NOTICES_PER_HOUR;
        let to = &self.recipient;
        let (cause, counted_as, message) = if is_below {
            ("notice", NOTICES, mail::notice(content, public_url, record, to)?)
        } else if count(MORE_NOTICES)? == 0 {
            let message = mail::more_notices(content, public_url, NOTICES_PER_HOUR, to)?;
            ("more-notices", MORE_NOTICES, message)
        } else {
            return Ok(());
        };
        let about = (record.kind(), id);
        let cause = format!("{cause}/{}/{id}", about.0);
        let mail = outbox::new_mail(cause, Priority::Visitor, is_below.then_some(about), &message);
        let mail = stored_emails::NewMail { counted_as: Some(counted_as), ..mail };
        outbox::insert(connection, &mail, &message, &time::stored(now)).map(drop)
    }
}
