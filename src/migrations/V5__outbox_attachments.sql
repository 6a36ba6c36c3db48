-- Files that leave with a mail, such as a report's CSV.
create table outbox_attachments (
    id integer primary key autoincrement,
    outbox_id integer not null references outbox (id) on delete cascade,
    file_name text not null,
    content_type text not null,
    content blob not null
) strict;
create index outbox_attachments_by_outbox_id on outbox_attachments (outbox_id);
