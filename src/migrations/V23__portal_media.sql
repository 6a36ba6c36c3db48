-- A photo of a nomination, one for each slot. Its bytes are in media_chunks.
create table media (
    id integer primary key autoincrement,
    created_at text not null,
    nomination_id integer not null references nominations (id) on delete cascade,
    slot text not null,
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    bytes integer not null check (bytes > 0),
    sha256 text not null,
    thumbnail_bytes integer not null check (thumbnail_bytes > 0),
    thumbnail_sha256 text not null,
    taken_at text,
    software text,
    unique (nomination_id, slot)
) strict;

-- The bytes of photos, in rows of at most 1 MiB.
create table media_chunks (
    media_id integer not null references media (id) on delete cascade,
    size text not null check (size in ('full', 'thumbnail')),
    number integer not null,
    content blob not null check (length(content) <= 1048576),
    unique (media_id, size, number)
) strict;

-- Uploads that have begun. Once one is whole, media_id is what it became.
create table uploads (
    id text primary key,
    created_at text not null,
    expires_at text not null,
    nomination_id integer not null references nominations (id) on delete cascade,
    slot text not null,
    length integer not null check (length > 0),
    received integer not null default 0 check (received between 0 and length),
    media_id integer
) strict, without rowid;
create index uploads_by_nomination on uploads (nomination_id);

-- What has arrived of an upload, as it came; rows of at most 1 MiB.
create table upload_chunks (
    upload_id text not null references uploads (id) on delete cascade,
    start integer not null,
    content blob not null check (length(content) <= 1048576),
    unique (upload_id, start)
) strict;

-- The release of each nomination's model. The key is in the link that the model opens.
create table releases (
    nomination_id integer primary key references nominations (id) on delete cascade,
    key text not null unique,
    signed_at text,
    version text,
    text text,
    name text,
    adult integer check (adult in (0, 1)),
    guardian text,
    signature text
) strict;
