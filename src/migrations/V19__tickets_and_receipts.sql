-- To whom the ticket of an entry was offered, and who took it. The entry itself stays with the entrant.
create table ticket_transfers (
    id integer primary key autoincrement,
    created_at text not null,
    actor text not null,
    entry_id integer not null references competition_entries (id) on delete cascade,
    state text not null default 'offered' check (state in ('offered', 'accepted', 'replaced')),
    name text not null,
    email text not null,
    token_hash blob unique,
    answered_at text
) strict;
create index ticket_transfers_by_entry on ticket_transfers (entry_id);
create index ticket_transfers_by_email on ticket_transfers (email collate nocase);

-- Links to the receipt of an entry. A link's token is not stored, only its SHA-256.
create table receipt_links (
    token_hash blob primary key,
    entry_id integer not null references competition_entries (id) on delete cascade,
    created_at text not null
) strict, without rowid;
create index receipt_links_by_entry on receipt_links (entry_id);

-- What an entrant added to her receipt for the accountant.
create table receipt_details (
    entry_id integer primary key references competition_entries (id) on delete cascade,
    business_name text,
    address text,
    tax_id text,
    changed_at text not null
) strict;
