-- Mails leave in the order of their urgency: 0 for payments, reports and alarms, 1 for what the organiser decides,
-- 2 for what visitors cause.
alter table outbox add column priority integer not null default 2 check (priority between 0 and 2);
-- What the ceilings count a mail as: the mailbox of a confirmation, or that it is a notice.
alter table outbox add column counted_as text;
-- Text and HTML of a sent mail as they were sent (JSON), dropped after `limits.sent_mail_days`. Template and words stay.
alter table outbox add column written text check (written is null or json_valid(written));
update outbox set priority = 0
where cause like 'confirmation/competition-entries/%' or cause like 'report/%' or cause like 'trouble/%';
update outbox set priority = 1 where cause like 'decision/%';

drop index outbox_waiting;
create index outbox_waiting on outbox (priority, due_at) where state = 'waiting';
create index outbox_counted on outbox (counted_as, created_at) where counted_as is not null;
create index outbox_written on outbox (sent_at) where written is not null;
