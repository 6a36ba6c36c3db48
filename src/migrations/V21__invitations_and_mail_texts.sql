-- Invitations from the waitlist to enter. The link's token is not stored, only its SHA-256.
--   holds_until  when the invitation ends
--   entry_id     the entry that was made with the link; the invitation is accepted once that is paid
create table waitlist_invitations (
    id integer primary key autoincrement,
    signup_id integer not null references waitlist_signups (id) on delete cascade,
    token_hash blob not null unique,
    invited_at text not null,
    holds_until text not null,
    entry_id integer references competition_entries (id) on delete set null
) strict;
create index waitlist_invitations_by_signup on waitlist_invitations (signup_id);
create index waitlist_invitations_by_entry on waitlist_invitations (entry_id) where entry_id is not null;

-- Texts of standard emails that organisers have edited, by the email's name. Without a row, the content's text is sent.
create table mail_texts (
    name text primary key,
    changed_at text not null,
    actor text not null,
    subject text not null,
    text text not null
) strict;
