-- Card payment of competition entries: what was quoted, what came in, what went back, and what needs a
-- person's look.
alter table competition_entries add column form_key text;
alter table competition_entries add column quote text check (quote is null or json_valid(quote));
alter table competition_entries add column paid_at text;
alter table competition_entries add column refunded_cents integer not null default 0 check (refunded_cents >= 0);
alter table competition_entries add column front_row integer not null default 0 check (front_row in (0, 1));
alter table competition_entries add column payment_checked_at text;
create unique index competition_entries_by_form_key on competition_entries (form_key);
create index competition_entries_pending on competition_entries (created_at) where payment_status = 'pending';
create index competition_entries_by_paid_at on competition_entries (paid_at) where paid_at is not null;

-- The provider's events that were taken in, so that one that comes twice does nothing the second time.
create table stripe_events (
    id text primary key,
    type text not null,
    received_at text not null
) strict, without rowid;

-- The try under which the provider was last asked for something. A definite refusal begins a new one, since
-- the provider repeats its answer for as long as the idempotency key is the same.
create table stripe_attempts (
    name text primary key,
    attempt integer not null check (attempt > 0),
    at text not null
) strict, without rowid;

-- Money that went back, or is on its way; also what was refunded in the provider's own dashboard.
create table refunds (
    id integer primary key autoincrement,
    created_at text not null,
    actor text not null,
    entry_id integer not null references competition_entries (id),
    amount_cents integer not null check (amount_cents > 0),
    state text not null check (state in ('asked', 'done', 'failed')),
    key text unique,
    refund_id text unique
) strict;
create index refunds_by_entry on refunds (entry_id);

-- A cardholder's disputes with their bank.
create table disputes (
    dispute_id text primary key,
    entry_id integer not null references competition_entries (id),
    state text not null check (state in ('open', 'won', 'lost'))
) strict, without rowid;
create index disputes_by_entry on disputes (entry_id);

-- Money that no rule can place, kept until a person has settled it.
create table payment_findings (
    id integer primary key autoincrement,
    found_at text not null,
    intent_id text not null unique,
    problem text not null check (problem in ('no_entry', 'wrong_amount', 'second_payment', 'refund_failed')),
    entry_id integer references competition_entries (id),
    amount_cents integer not null,
    currency text not null,
    settled_at text,
    settled_by text,
    note text
) strict;
