-- Pictures that the organiser added, by the name that the content calls them. What was sent in is not
-- kept: only its sizes, encoded anew and so without places, dates and devices.
create table images (
    id integer primary key autoincrement,
    created_at text not null,
    actor text not null,
    name text not null unique,
    -- Of the bytes of all sizes; part of the address, so that an address never changes its bytes.
    hash text not null,
    content_type text not null check (content_type in ('image/jpeg', 'image/png'))
) strict;

-- One picture in one width, in pixels.
create table image_sizes (
    image_id integer not null references images (id) on delete cascade,
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    bytes blob not null,
    primary key (image_id, width)
) strict;
