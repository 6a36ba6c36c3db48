-- One nomination for each category of a paid entry. The code is what judges see instead of a name: random, and derived
-- from nothing. An entry that was paid before this version gets its nominations when the server starts.
create table nominations (
    id integer primary key autoincrement,
    created_at text not null,
    entry_id integer not null references competition_entries (id) on delete cascade,
    code text not null unique,
    category text not null,
    sub_category text not null,
    state text not null default 'open'
        check (state in ('open', 'handed_in', 'returned', 'ready', 'withdrawn', 'forfeited', 'disqualified')),
    handed_in_at text,
    extended_until text,
    reason text,
    returned_slots text check (returned_slots is null or json_valid(returned_slots)),
    ticks text check (ticks is null or json_valid(ticks)),
    unique (entry_id, category, sub_category)
) strict;

-- The links that were mailed to competitors. The link's token is not stored, only its SHA-256.
create table artist_links (
    token_hash blob primary key,
    email text not null collate nocase,
    created_at text not null
) strict, without rowid;
create index artist_links_by_email on artist_links (email);

-- The newest 6-digit code of each competitor's mailbox, as a SHA-256.
create table artist_codes (
    email text primary key collate nocase,
    code_hash blob not null,
    created_at text not null,
    wrong_tries integer not null default 0 check (wrong_tries >= 0)
) strict, without rowid;

-- Signed-in competitors. The cookie's token is not stored, only its SHA-256.
create table artist_sessions (
    token_hash blob primary key,
    email text not null collate nocase,
    created_at text not null,
    last_seen_at text not null
) strict, without rowid;
create index artist_sessions_by_email on artist_sessions (email);
create index artist_sessions_by_last_seen_at on artist_sessions (last_seen_at);
