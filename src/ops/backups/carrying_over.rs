//! What a restore must not do again, and what it must not undo: emails that left since the backup, and the wishes of people.

use std::path::Path;

use rusqlite::Connection;

use crate::error::Result;
use crate::model::Kind;

/// What was held or carried over.
#[derive(Debug, Default)]
pub struct CarriedOver {
    /// Emails that wait for the organiser, since they may have been sent already.
    pub held: usize,
    /// Mailings that wait for the organiser.
    pub paused: usize,
    pub unsubscribed: usize,
    /// Sessions and links that were ended since the backup.
    pub ended: usize,
    /// Registrations whose persons were erased since the backup, and are to be erased again.
    pub erased: Vec<(Kind, i64)>,
    /// Why they could not be.
    pub not_erased: Option<String>,
    /// Why nothing could be carried over from the replaced database, if there was one.
    pub not_carried: Option<String>,
}

/// Why an email waits after a restore. The organiser's pages and the outbox show it.
const HELD: &str =
    "This email is from a backup, and may have been sent already. Send it with “Send now”, or discard it.";

/// Holds what the backup would send, and carries over from `replaced`, a copy of the replaced database.
pub fn carry_over(restored: &Connection, replaced: Option<&Path>) -> Result<CarriedOver> {
    let mut carried = CarriedOver::default();
    if let Some(replaced) = replaced {
        restored.execute("attach ? as replaced", [replaced.to_string_lossy()])?;
        let transaction = restored.unchecked_transaction()?;
        match from_replaced(restored, &mut carried) {
            Ok(()) => transaction.commit()?,
            Err(error) => {
                transaction.rollback()?;
                carried = CarriedOver { not_carried: Some(error.for_log()), ..CarriedOver::default() };
            }
        }
        restored.execute_batch("detach replaced")?;
    }
    let hold = "update outbox set state = 'failed', last_error = ? where state = 'waiting'";
    carried.held = restored.execute(hold, [HELD])?;
    carried.paused = restored.execute("update mailings set state = 'paused' where state = 'sending'", [])?;
    Ok(carried)
}

fn from_replaced(connection: &Connection, carried: &mut CarriedOver) -> Result<()> {
    // Ids mean the same only if the replaced database continued from this backup.
    let is_continued: bool = connection.query_row(
        "select not exists (select 1 from (select id, at, action from main.audit_log order by id desc limit 1) as newest
             where not exists (select 1 from replaced.audit_log as later
                 where (later.id, later.at, later.action) = (newest.id, newest.at, newest.action)))",
        [],
        |row| row.get(0),
    )?;
    if !is_continued {
        carried.not_carried = Some("it did not continue from this backup".into());
        return Ok(());
    }
    // Emails are only deleted when somebody is erased. An email that was sent since the backup is kept if the backup has what it is
    // about, so that it is not sent again, and with it when a ticket was sent, and the link in a confirmation. The ids of anything
    // newer will be given to something else. Guests' tickets depend on nothing else, so they come first.
    connection.execute_batch(
        "insert or ignore into main.tickets (id, created_at, code, role, name, business, email, note, seat, day, void_reason, void_by, printed_at)
             select id, created_at, code, role, name, business, email, note, seat, day, void_reason, void_by, printed_at
             from replaced.tickets where kind is null;
         delete from main.outbox where message_id not in (select message_id from replaced.outbox);
         insert or ignore into main.outbox (created_at, state, due_at, attempts, sent_at, cause, message_id, kind,
                 registration_id, recipient, subject, template, words, priority)
             select created_at, state, due_at, attempts, sent_at, cause, message_id, kind, registration_id, recipient,
                 subject, template, words, priority from replaced.outbox as later
             where state in ('sent', 'discarded') and (cause glob 'report/*' or cause glob 'trouble/*'
                 or (kind = 'competition-entries' and registration_id in (select id from main.competition_entries)
                     and (cause glob 'confirmation/*' or cause glob 'notice/*' or cause glob 'reminder/*' or cause glob 'refund/*/pi_*'))
                 or exists (select 1 from main.refunds where later.cause = 'refund/competition-entries/' || entry_id || '/' || id)
                 or exists (select 1 from main.tickets where later.cause glob 'ticket/' || id || '/*'
                     or later.cause glob 'ticket-void/' || id || '/*')
                 or exists (select 1 from main.nominations where later.cause glob 'portal-reminder/' || id || '/*'
                     or later.cause = 'results/' || id or later.cause glob 'results/' || id || '/*'));
         update main.judged_categories set last_published = later.last_published from replaced.judged_categories as later
             where (later.category, later.sub_category) = (main.judged_categories.category, main.judged_categories.sub_category);
         update main.tickets set mailed_at = later.mailed_at from replaced.tickets as later
             where later.id = main.tickets.id
                 and exists (select 1 from main.outbox where cause glob 'ticket/' || main.tickets.id || '/*');
         insert or ignore into main.receipt_links select * from replaced.receipt_links
             where entry_id in (select id from main.competition_entries);
         insert or replace into main.settings select * from replaced.settings where key glob 'reports.last_*_run';
         update main.judges set name = later.name, email = later.email, phone = null, instagram = null, business_name = null,
                 public_name = null, application_id = null, terms_version = null, terms_accepted_at = null,
                 removed_at = coalesce(main.judges.removed_at, later.removed_at)
             from replaced.judges as later where later.id = main.judges.id and later.email glob '(erased)*';
         update main.ticket_transfers set name = later.name, email = later.email, token_hash = null
             from replaced.ticket_transfers as later where later.id = main.ticket_transfers.id and later.email = '(erased)';
         update main.outbox set state = later.state, sent_at = later.sent_at from replaced.outbox as later
         where later.message_id = main.outbox.message_id and main.outbox.state in ('waiting', 'failed')
             and later.state in ('sent', 'discarded');
         insert or ignore into main.mailing_recipients (mailing_id, recipient, kind, registration_id)
             select mailing_id, recipient, kind, registration_id from replaced.mailing_recipients as later
             where exists (select 1 from main.mailings where id = later.mailing_id);
         update main.mailing_recipients set state = 'skipped', skipped_because = coalesce(later.skipped_because, 'sent_before')
             from replaced.mailing_recipients as later
             where later.mailing_id = main.mailing_recipients.mailing_id and later.recipient = main.mailing_recipients.recipient
                 and main.mailing_recipients.state = 'waiting' and later.state <> 'waiting';
         update main.mailings set state = later.state, started_at = later.started_at, ended_at = later.ended_at,
                 audience = later.audience, subject = later.subject, text = later.text, notice = later.notice,
                 version = later.version
             from replaced.mailings as later where later.id = main.mailings.id and later.state <> 'draft';
         insert or ignore into main.settings select * from replaced.settings where key = 'mailings.unsubscribe_key';
         insert or ignore into main.refused_addresses select * from replaced.refused_addresses",
    )?;
    let unsubscribed = "insert or ignore into main.unsubscribed select * from replaced.unsubscribed";
    carried.unsubscribed = connection.execute(unsubscribed, [])?;
    for table in ["sessions", "artist_sessions", "artist_links", "judge_sessions", "judge_links"] {
        let sql = format!(
            "delete from main.{table} where token_hash not in (select token_hash from replaced.{table})"
        );
        carried.ended += connection.execute(&sql, [])?;
    }
    // Devices go on, or stay ended. A ticket or a scan is deleted only when somebody is erased. Tickets that are newer than the backup
    // keep their codes. Those of registrations count as unsent: they are void until the restored registration takes part again.
    connection.execute_batch(
        "delete from main.artist_codes; delete from main.judge_codes;
         insert or ignore into main.door_devices select * from replaced.door_devices;
         update main.door_devices set name = later.name, token_hash = later.token_hash, ended_at = later.ended_at
             from replaced.door_devices as later where later.id = main.door_devices.id;
         delete from main.scans where id not in (select id from replaced.scans);
         delete from main.tickets where id not in (select id from replaced.tickets);
         insert or ignore into main.tickets (id, created_at, code, role, name, business, email, note, seat, day, kind,
                 subject_id, place, holder, void_reason, void_by, printed_at)
             select id, created_at, code, role, name, business, email, note, seat, day, kind, subject_id, place, holder,
                 void_reason, void_by, printed_at from replaced.tickets
             where (kind, subject_id) in (select 'competition-entries', id from main.competition_entries
                 union all select 'speaker-applications', id from main.speaker_applications
                 union all select 'judge-applications', id from main.judge_applications
                 union all select 'sponsor-applications', id from main.sponsor_applications
                 union all select 'professional-demo-registrations', id from main.professional_demo_registrations
                 union all select 'judges', id from main.judges);
         update main.tickets set void_reason = later.void_reason, void_by = later.void_by from replaced.tickets as later
             where later.id = main.tickets.id and 'organiser' in (later.void_by, main.tickets.void_by);
         insert or replace into main.scans select * from replaced.scans as later
             where later.ticket_id is null or exists (select 1 from main.tickets where id = later.ticket_id)",
    )?;
    let mut statement = connection.prepare(
        "select distinct kind, subject_id from replaced.audit_log
         where action = 'person erased' and id > (select coalesce(max(id), 0) from main.audit_log)",
    )?;
    let erased = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    carried.erased = erased.collect::<rusqlite::Result<_>>()?;
    Ok(())
}
