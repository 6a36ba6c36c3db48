-- What HTTPS needs from one run to the next, so that a restart asks no certificate authority again.
create table tls_cache (
    kind text not null check (kind in ('account', 'certificate')),
    -- SHA-256 of what it belongs to: the authority's directory, and the contact or the names.
    key text not null,
    -- An account's private key, or a certificate's key and chain as PEM.
    value blob not null,
    changed_at text not null,
    primary key (kind, key)
) strict, without rowid;
