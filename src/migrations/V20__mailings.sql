-- Emails to a group. The group is a saved question (JSON), which is counted live while it is a draft.
--   version     counts the changes of a draft, so that a save or a send that is based on an older one is refused
--   notice      why everybody in the group has to know it; such a notice has no link to unsubscribe. Null: any other mail
--   started_at  when the group was frozen
--   ended_at    when the last email was handed to the outbox, or the mailing was stopped
create table mailings (
    id integer primary key autoincrement,
    created_at text not null,
    actor text not null,
    state text not null default 'draft' check (state in ('draft', 'sending', 'paused', 'stopped', 'sent')),
    version integer not null default 1 check (version > 0),
    audience text not null check (json_valid(audience)),
    subject text not null,
    text text not null,
    notice text check (notice in ('place', 'time', 'cancellation')),
    started_at text,
    ended_at text
) strict;

-- The frozen group of a mailing: nobody is in it twice, so nobody gets it twice.
--   skipped_because  why the person gets no email after all
--   outbox_id        the email; null before it is queued, and once it was deleted
create table mailing_recipients (
    id integer primary key autoincrement,
    mailing_id integer not null references mailings (id) on delete cascade,
    recipient text not null collate nocase,
    kind text not null,
    registration_id integer not null,
    state text not null default 'waiting' check (state in ('waiting', 'queued', 'skipped')),
    skipped_because text
        check (skipped_because in ('unsubscribed', 'refused', 'set_aside', 'erased', 'same_address', 'stopped')),
    outbox_id integer references outbox (id) on delete set null,
    unique (mailing_id, recipient)
) strict;
create index mailing_recipients_waiting on mailing_recipients (mailing_id, id) where state = 'waiting';
create index mailing_recipients_by_recipient on mailing_recipients (recipient);
create index mailing_recipients_by_outbox_id on mailing_recipients (outbox_id) where outbox_id is not null;

-- Who wants no group mail any more. Only a keyed hash of the address is stored: it outlives an erasure.
create table unsubscribed (
    address_hash blob primary key,
    at text not null
) strict, without rowid;

-- Addresses that a mail server has refused for good, with its reply. Group mail skips them.
create table refused_addresses (
    recipient text primary key collate nocase,
    at text not null,
    reply text not null
) strict;
