-- When the password was last given again in a session, after it was given to sign in.
alter table sessions add column confirmed_at text;

-- Addresses that somebody has signed in from: guesses from elsewhere don't delay them. Only a keyed hash is kept.
create table known_addresses (
    address_hash blob primary key,
    last_used_at text not null
) strict, without rowid;
