-- Signed-in organisers. The cookie's token itself is never kept, only its SHA-256.
create table sessions (
    token_hash blob primary key,
    username text not null,
    created_at text not null,
    last_seen_at text not null
) strict, without rowid;
create index sessions_by_last_seen_at on sessions (last_seen_at);
