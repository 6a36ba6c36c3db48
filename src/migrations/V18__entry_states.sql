-- Two more states of an entry: its person did not come, and it takes part without a payment. SQLite cannot change a
-- check, so the table is built anew; ids of deleted entries are not given again.
create table entries_with_more_states (
    id integer primary key autoincrement,
    created_at text not null,
    status text not null default 'new'
        check (status in ('new', 'in_review', 'accepted', 'waitlisted', 'declined', 'withdrawn', 'no_show', 'set_aside')),
    name text not null,
    email text not null,
    phone text not null,
    instagram text,
    business_name text not null,
    location text not null,
    tax_location text not null,
    primary_category text not null,
    sub_category text not null,
    additional_categories integer not null check (additional_categories between 0 and 2),
    additional_category1 text,
    additional_category1_sub text,
    additional_category2 text,
    additional_category2_sub text,
    portfolio text,
    agreement_terms integer not null check (agreement_terms in (0, 1)),
    agreement_media integer not null check (agreement_media in (0, 1)),
    payment_amount_cents integer not null check (payment_amount_cents >= 0),
    payment_status text not null default 'pending'
        check (payment_status in ('pending', 'paid', 'partially_refunded', 'refunded', 'disputed', 'failed', 'abandoned', 'complimentary')),
    stripe_payment_intent_id text unique,
    phone_normalised text,
    instagram_normalised text,
    agreed_to text check (agreed_to is null or json_valid(agreed_to)),
    agreed_at text,
    set_aside_reason text,
    earlier_id integer references competition_entries (id) on delete set null,
    form_key text,
    quote text check (quote is null or json_valid(quote)),
    paid_at text,
    refunded_cents integer not null default 0 check (refunded_cents >= 0),
    front_row integer not null default 0 check (front_row in (0, 1)),
    payment_checked_at text,
    payment_token text not null default '',
    payment_live integer check (payment_live in (0, 1))
) strict;
insert into entries_with_more_states (
    id, created_at, status, name, email, phone, instagram, business_name, location, tax_location,
    primary_category, sub_category, additional_categories, additional_category1, additional_category1_sub,
    additional_category2, additional_category2_sub, portfolio, agreement_terms, agreement_media,
    payment_amount_cents, payment_status, stripe_payment_intent_id, phone_normalised, instagram_normalised,
    agreed_to, agreed_at, set_aside_reason, earlier_id, form_key, quote, paid_at, refunded_cents, front_row,
    payment_checked_at, payment_token, payment_live
)
select
    id, created_at, status, name, email, phone, instagram, business_name, location, tax_location,
    primary_category, sub_category, additional_categories, additional_category1, additional_category1_sub,
    additional_category2, additional_category2_sub, portfolio, agreement_terms, agreement_media,
    payment_amount_cents, payment_status, stripe_payment_intent_id, phone_normalised, instagram_normalised,
    agreed_to, agreed_at, set_aside_reason, earlier_id, form_key, quote, paid_at, refunded_cents, front_row,
    payment_checked_at, payment_token, payment_live
from competition_entries;
delete from sqlite_sequence where name = 'entries_with_more_states';
insert into sqlite_sequence (name, seq) select 'entries_with_more_states', seq from sqlite_sequence where name = 'competition_entries';
drop table competition_entries;
alter table entries_with_more_states rename to competition_entries;
create index competition_entries_listed on competition_entries
    (created_at, status, payment_status, primary_category, sub_category, additional_category1, additional_category1_sub,
     additional_category2, additional_category2_sub,
     lower(name || char(10) || email || char(10) || business_name || char(10) || coalesce(phone_normalised, phone) || char(10) || coalesce(instagram_normalised, instagram, '')));
create index competition_entries_by_email on competition_entries (email collate nocase);
create unique index competition_entries_by_form_key on competition_entries (form_key);
create index competition_entries_pending on competition_entries (created_at) where payment_status = 'pending';
create index competition_entries_by_paid_at on competition_entries (paid_at) where paid_at is not null;
