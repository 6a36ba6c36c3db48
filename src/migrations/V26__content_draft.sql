-- The draft of the content: what organisers have changed in the browser and not published yet. One row at most.
--   version    grows with every change and is never used again, also not by the next draft
--   base       the revision that the draft was begun from, with its text; 0 is the compiled-in default
--   toml       the file as it would be published; null when no draft is open
--   conflicts  what an import has changed meanwhile that the draft changes too: path, base and live value (JSON)
create table content_draft (
    id integer primary key check (id = 1),
    version integer not null,
    base integer not null,
    base_toml text not null,
    toml text,
    conflicts text not null default '[]' check (json_valid(conflicts)),
    saved_at text,
    actor text
) strict;

-- What a picture shows, for people who cannot see it, and the point that stays in view when it is cropped, in percent
-- from the left and from the top. `version` grows when they change.
alter table images add column alt text not null default '';
alter table images add column focus_x integer not null default 50 check (focus_x between 0 and 100);
alter table images add column focus_y integer not null default 50 check (focus_y between 0 and 100);
alter table images add column version integer not null default 0;
