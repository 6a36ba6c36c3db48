-- People who judge. A judge who was removed keeps the row, because the log of scores names it.
create table judges (
    id integer primary key autoincrement,
    created_at text not null,
    name text not null,
    email text not null collate nocase unique,
    phone text,
    instagram text,
    business_name text,
    application_id integer,
    invited_at text,
    terms_version text,
    terms_accepted_at text,
    removed_at text
) strict;

-- The links that were mailed to judges. The link's token is not stored, only its SHA-256.
create table judge_links (
    token_hash blob primary key,
    email text not null collate nocase,
    created_at text not null
) strict, without rowid;
create index judge_links_by_email on judge_links (email);

-- The newest 6-digit code of each judge's mailbox, as a SHA-256.
create table judge_codes (
    email text primary key collate nocase,
    code_hash blob not null,
    created_at text not null,
    wrong_tries integer not null default 0 check (wrong_tries >= 0)
) strict, without rowid;

-- Signed-in judges. The cookie's token is not stored, only its SHA-256.
create table judge_sessions (
    token_hash blob primary key,
    email text not null collate nocase,
    created_at text not null,
    last_seen_at text not null
) strict, without rowid;
create index judge_sessions_by_email on judge_sessions (email);
create index judge_sessions_by_last_seen_at on judge_sessions (last_seen_at);

-- A subcategory that is judged. The rubric is the content's until the first score, which stores it here.
--   rubric        JSON, with its version: the start of its SHA-256
--   results       what was sealed (JSON)
create table judged_categories (
    id integer primary key autoincrement,
    category text not null,
    sub_category text not null,
    rubric text check (rubric is null or json_valid(rubric)),
    rubric_version text,
    rubric_locked_at text,
    sealed_at text,
    sealed_by text,
    published_at text,
    results text check (results is null or json_valid(results)),
    unique (category, sub_category)
) strict;

-- Who judges a subcategory.
create table panels (
    category_id integer not null references judged_categories (id) on delete cascade,
    judge_id integer not null references judges (id),
    role text not null check (role in ('judge', 'head', 'reserve')),
    position integer not null,
    primary key (category_id, judge_id)
) strict, without rowid;

-- Which judge does not score which nomination, and who said so.
create table judging_conflicts (
    judge_id integer not null references judges (id),
    nomination_id integer not null references nominations (id) on delete cascade,
    source text not null check (source in ('computed', 'competitor', 'judge', 'recused', 'organiser')),
    reason text not null,
    created_at text not null,
    primary key (judge_id, nomination_id)
) strict, without rowid;

-- One judge's sheet for one nomination. `token` and `position` are random: they tell nothing, and no two judges share them.
--   replaces     the judge for whom a reserve stepped in
--   comment      for the competitor
--   paper_by     who typed it in from paper
--   second_look  asked, kept or changed
create table sheets (
    id integer primary key autoincrement,
    created_at text not null,
    judge_id integer not null references judges (id),
    nomination_id integer not null references nominations (id) on delete cascade,
    token text not null unique,
    position integer not null,
    state text not null default 'open' check (state in ('open', 'saved', 'confirmed', 'conflict', 'abstained', 'second_look')),
    replaces integer references judges (id),
    reason text,
    comment text not null default '',
    saved_at text,
    confirmed_at text,
    paper_by text,
    second_look text check (second_look in ('asked', 'kept', 'changed')),
    unique (judge_id, nomination_id)
) strict;
create index sheets_by_nomination on sheets (nomination_id);

-- The photos of a nomination, by a random token for each judge.
create table photo_tokens (
    token text primary key,
    judge_id integer not null references judges (id),
    media_id integer not null references media (id) on delete cascade,
    unique (judge_id, media_id)
) strict, without rowid;
create index photo_tokens_by_media on photo_tokens (media_id);

-- Competitors by a random token for each judge, who declares conflicts from names without codes.
create table entrant_tokens (
    token text primary key,
    judge_id integer not null references judges (id),
    nomination_id integer not null references nominations (id) on delete cascade,
    unique (judge_id, nomination_id)
) strict, without rowid;
create index entrant_tokens_by_nomination on entrant_tokens (nomination_id);

-- Every value that a judge has given, and every step of a sheet. Rows are only added: each one has the hash of the one
-- before, and `showcase judging verify` computes everything again from here. It has no names and no texts.
--   kind         points, penalty, comment, confirmed, reopened, conflict, abstained, second_look
--   change_id    the device's id of the change
--   detail       of a comment the SHA-256 of its text; of a step what it says
--   device_at    the device's clock, which decides nothing
create table score_log (
    id integer primary key autoincrement,
    at text not null,
    judge_id integer not null,
    code text not null,
    kind text not null,
    criterion text,
    points real,
    detail text,
    change_id text,
    device text,
    device_at text,
    rubric_version text not null,
    actor text,
    previous_hash text not null,
    hash text not null unique,
    unique (judge_id, code, change_id)
) strict;
create index score_log_by_sheet on score_log (judge_id, code);

-- The head judge's decisions about ties. `codes` is a JSON list, the better one first.
create table tie_decisions (
    id integer primary key autoincrement,
    created_at text not null,
    category_id integer not null references judged_categories (id) on delete cascade,
    judge_id integer,
    actor text not null,
    codes text not null check (json_valid(codes)),
    reason text not null
) strict;
create index tie_decisions_by_category on tie_decisions (category_id);

-- What `/verify/<code>` finds. The name is looked up when it is shown.
--   application_id  of an accepted application to speak
create table certificates (
    code text primary key,
    created_at text not null,
    kind text not null check (kind in ('participant', 'place', 'judge', 'speaker')),
    nomination_id integer references nominations (id) on delete cascade,
    judge_id integer references judges (id),
    category_id integer references judged_categories (id) on delete cascade,
    application_id integer references speaker_applications (id) on delete cascade
) strict, without rowid;
create index certificates_by_nomination on certificates (nomination_id);
