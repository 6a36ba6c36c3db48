-- Organisers with a name and a password of their own, kept as an Argon2id hash.
create table accounts (
    id integer primary key autoincrement,
    created_at text not null,
    username text not null unique collate nocase,
    password_hash text not null,
    password_changed_at text not null
) strict;

-- What the browser calls itself, so that a person can tell one's own sessions apart.
alter table sessions add column user_agent text;

-- Lists are searched and paged without reading whole records: these hold all that a list asks for.
drop index speaker_applications_by_created_at;
create index speaker_applications_listed on speaker_applications
    (created_at, status, lower(name || char(10) || email || char(10) || company));
drop index judge_applications_by_created_at;
create index judge_applications_listed on judge_applications
    (created_at, status, lower(name || char(10) || email || char(10) || company));
drop index sponsor_applications_by_created_at;
create index sponsor_applications_listed on sponsor_applications
    (created_at, status, lower(company || char(10) || contact_name || char(10) || email));
drop index professional_demo_registrations_by_created_at;
create index professional_demo_registrations_listed on professional_demo_registrations
    (created_at, status, lower(name || char(10) || email || char(10) || company));
drop index competition_entries_by_created_at;
create index competition_entries_listed on competition_entries
    (created_at, status, payment_status, lower(name || char(10) || email || char(10) || business_name));
drop index waitlist_signups_by_created_at;
create index waitlist_signups_listed on waitlist_signups
    (created_at, status, lower(name || char(10) || email));
drop index sponsor_inquiries_by_created_at;
create index sponsor_inquiries_listed on sponsor_inquiries
    (created_at, status, lower(company || char(10) || email));

-- The audit log and the outbox are read page by page, the newest first.
create index outbox_by_state on outbox (state, id);
