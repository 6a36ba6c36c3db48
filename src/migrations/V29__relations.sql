-- What competitors say about judges: trained by, working for or related to one whom the site names. Each entry of the person
-- has its own rows. Judges never see them.
--   judge  the name on the site
--   note   in the competitor's own words
create table relations (
    entry_id integer not null references competition_entries (id) on delete cascade,
    judge text not null,
    kind text not null check (kind in ('trained_by', 'works_for', 'related_to')),
    note text,
    created_at text not null,
    primary key (entry_id, judge, kind)
) strict, without rowid;

-- The judge's name on the site, if it is another one.
alter table judges add column public_name text;
